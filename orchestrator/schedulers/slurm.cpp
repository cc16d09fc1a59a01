// Slurm: sbatch, squeue, scancel, scontrol, and sacct where there is accounting.
//
// Source: the manual pages of Slurm 22.05; S. Jette and T. Wickberg, "Architecture of the Slurm Workload
// Manager", 2023 (what polling costs slurmctld).
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/slurm.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "orchestrator/schedulers/batch_jobs.hpp"
#include "orchestrator/schedulers/slurm_allowance.hpp"
#include "orchestrator/schedulers/slurm_inquiry.hpp"
#include "orchestrator/schedulers/slurm_queue.hpp"

namespace shakedown {
namespace {

class Slurm final : public BatchJobs {
 public:
  explicit Slurm(Site site) : BatchJobs(site.poll_s), site_(std::move(site)) {}

  [[nodiscard]] SchedulerTraits traits() const override {
    SchedulerTraits traits{site_.most_jobs, /*many_lanes=*/true, longest_lane_s, /*outlives_us=*/true};
    traits.step_margin_s = slurm_step_margin_s;
    if (const auto& most = allowance_.most_jobs(); most && most->value < traits.most_jobs)
      traits.most_jobs = static_cast<int>(most->value);
    if (const auto& most = allowance_.most_nodes()) traits.most_nodes = static_cast<int>(most->value);
    if (const auto& longest = allowance_.longest_s())
      traits.longest_limit_s = std::max(1.0, 60 * std::floor(longest->value / 60) - slurm_job_margin_s);
    return traits;
  }

  Result<void> query_limits() override {
    auto asked = asked_slurm_limits();
    if (!asked) return failure_of(asked);
    auto allowance = SlurmAllowance::of(*asked, site_, slurm_user(), now_s());
    if (!allowance) return failure_of(allowance);
    limits_ = *std::move(asked);
    allowance_ = *std::move(allowance);
    return {};
  }

  [[nodiscard]] std::string objection(const JobRequest& demand) const override {
    const double job_s = demand.limit_s > 0 ? slurm_wall_s(demand.limit_s + slurm_step_margin_s) : 0;
    return allowance_.objection(demand, job_s);
  }

  [[nodiscard]] std::string submission(const Job& planned) const override {
    const Job job = asked_of_slurm(planned);
    std::vector<std::string> argv = sbatch_arguments(job, site_);
    argv.insert(argv.begin(), "sbatch");
    return shell_line(argv) + "\n\n" + slurm_batch_script(job, site_);
  }

  [[nodiscard]] std::vector<std::string> limits() const override {
    std::vector<std::string> lines = slurm_limits_text(limits_, &site_, now_s());
    if (const auto words = allowance_.words(); !words.empty())
      lines.push_back("what binds a job: " + joined(words, "; "));
    return lines;
  }

  Result<std::vector<SchedulerNode>> nodes(std::span<const std::string> hosts) override {
    const auto answer = ask({"scontrol", "show", "node", "-o"});
    if (!answer) return failure_of(answer);
    std::map<std::string, SchedulerNode, std::less<>> known;
    for (const std::string_view line : split(*answer, '\n')) {
      const SlurmRecord record(line);
      const std::string host(record.value("NodeName"));
      if (host.empty()) continue;
      known[host] = node_of(host, record);
      allowance_.apply(known[host], record.value("State"), record.value("ReservationName"), now_s(),
                       slurm_job_margin_s + 60);  // a job asks for whole minutes
    }
    std::vector<SchedulerNode> known_nodes;
    for (const std::string& host : hosts) {
      const auto it = known.find(host);
      known_nodes.push_back(
          it != known.end()
              ? it->second
              : SchedulerNode{host, SchedulerNode::Kind::out, "Slurm knows no such node", {}, true});
    }
    return known_nodes;
  }

  Result<Submission> submit(const Job& planned) override {
    const Job job = asked_of_slurm(planned);
    if (auto written = write_file(job.folder / batch_script_file, slurm_batch_script(job, site_)); !written)
      return failure_of(written);
    std::vector<std::string> argv = sbatch_arguments(job, site_);
    argv.insert(argv.begin(), "sbatch");
    const auto output = command_output(argv, answer_s);
    const std::string text = output ? joined(lines_of(output->text), "; ") : output.error().what;
    if (output && output->exit_code == 0)
      if (const std::string number = submitted_number(output->text); !number.empty())
        return JobAccepted{enter(job, number)};
    const bool refused = output && output->exit_code != 0;
    const std::optional<Submission> not_now = refused ? temporary_refusal(text) : std::nullopt;
    std::string place = fmt::format("the job is {}", (job.folder / batch_script_file).string());
    if (contains(text, "Requested node configuration is not available") ||
        contains(text, "Invalid generic resource")) {
      if (!site_.slurm_options.empty())
        place = fmt::format("check [site] slurm_options ({}); {}", joined(site_.slurm_options, " "), place);
      if (job.gpus_per_node > 0)
        place = fmt::format(
            "it asks for {} GPUs a node: where Slurm hands out none (no Gres), state slurm_gpus = 0 in the "
            "inventory's [groups.usable]; {}",
            job.gpus_per_node, place);
    }
    if (refused && !not_now) {
      if (is_for_good(text)) return JobNever{{"sbatch", text, place}};
      if (is_of_any_job(text) && !has_taken()) return fail_environment("sbatch", text, place);
    }
    if (not_now && std::holds_alternative<JobLater>(*not_now)) return *not_now;
    std::string words = words_of(output, text);
    // The job may exist whatever sbatch printed, if anything: search for its name.
    auto there = found(job);
    if (!there) return JobUnsure{std::move(words)};
    if (!there->empty()) return JobAccepted{*std::move(there)};
    // The queue answers and does not have it: sbatch's silence is no outage, and may last for this job.
    if (!output || not_now) words += "; the queue does not hold the job";
    return JobLater{JobLater::Of::unknown, std::move(words)};
  }

  void withdraw(const Job& job) override {
    const auto it = jobs_.find(job.id);
    if (it == jobs_.end()) return;
    static_cast<void>(command_output(
        {"scancel", "--quiet", "--state=PENDING", "--name=" + it->second.name, it->second.number}, answer_s));
    clock().ask_soon();
  }

  JobState state(const Job& job, bool ask) override {
    const auto it = jobs_.find(job.id);
    if (it == jobs_.end()) return {JobState::Phase::gone, "", {}, JobEnd::unknown, "", {}};
    // A node that dies takes the job's last word with it: all are asked about now and then.
    if (it->second.state.phase != JobState::Phase::gone && clock().is_due(ask))
      static_cast<void>(ask_queue());  // no answer: the last known state stays
    return it->second.state;
  }

  Result<void> end(const Job& job, bool at_once) override {
    const auto it = jobs_.find(job.id);
    if (it == jobs_.end()) return {};
    // The attempts' wrappers end them and record it; without --full the batch script's own is not reported.
    std::vector<std::string> argv = {"scancel", "--quiet", "--name=" + it->second.name};
    if (it->second.state.phase != JobState::Phase::pending && !at_once)
      argv.insert(argv.end(), {"--full", "--signal=TERM"});
    argv.push_back(it->second.number);
    clock().ask_soon();
    auto asked = ask(argv);
    if (asked || has_ended(asked.error().what)) return {};
    return failure_of(asked);
  }

 private:
  /// Under select/linear slurmctld takes a job that asks for GPUs, gives it none, and refuses its steps
  /// ("Invalid generic resource (gres) specification"): seen with Slurm 22.05.8, whatever the option. The job
  /// has its nodes whole.
  [[nodiscard]] Job asked_of_slurm(Job job) const {
    if (!limits_.configuration.hands_out_gpus) job.gpus_per_node = 0;
    return job;
  }

  struct Known {
    std::string number;
    std::string name;  ///< a controller that forgot its jobs gives their numbers to others
    std::vector<std::string> hosts;
    std::vector<fs::path> begins;  ///< what its attempts write first
    fs::path log;                  ///< its own
    bool outlives_nodes = false;   ///< several lanes: it was submitted with --no-kill
    JobState state;

    [[nodiscard]] bool began() const {
      return std::ranges::any_of(begins, [](const fs::path& path) {
        std::error_code code;
        return fs::exists(path, code);
      });
    }
  };

  /// Why sbatch gave no job number, in its own words as far as it has any.
  static std::string words_of(const Result<CommandOutput>& output, const std::string& text) {
    if (!output) return "sbatch: " + text;
    if (output->exit_code == 0)
      return text.empty() ? "sbatch printed nothing (a job number was expected)"
                          : fmt::format("sbatch printed no job number: {}", text);
    return text.empty()
               ? fmt::format("sbatch failed with exit code {} and printed nothing", output->exit_code)
               : text;
  }

  static std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (const std::string_view line : split(text, '\n'))
      if (!trimmed(line).empty()) lines.emplace_back(trimmed(line));
    return lines;
  }

  static Result<std::string> ask(const std::vector<std::string>& argv) {
    auto output = command_output(argv, answer_s);
    if (!output) return failure_of(output);
    if (output->exit_code != 0)
      return fail_environment(argv.front(),
                              output->text.empty() ? fmt::format("exit code {}", output->exit_code)
                                                   : std::string(trimmed(output->text)),
                              "does Slurm answer here? try `sinfo`");
    return std::move(output->text);
  }

  static SchedulerNode node_of(const std::string& host, const SlurmRecord& record) {
    const std::string_view state = record.value("State");
    SchedulerNode node{host, SchedulerNode::Kind::idle, ""};
    if (auto barred = why_no_jobs(state)) {
      node.kind = SchedulerNode::Kind::out;
      node.reason = *barred;
      node.down = is_down(state);
      if (const std::string_view why = record.value("Reason"); !why.empty())
        node.reason += fmt::format(", '{}'", why);
    } else if (!state.starts_with("IDLE")) {
      node.kind = SchedulerNode::Kind::busy;
      node.reason = state;
    }
    return node;
  }

  void track(const Job& job, const std::string& number) override {
    Known& known = jobs_[job.id];
    known.number = number;
    known.name = slurm_job_name(job);
    known.hosts = job.hosts();
    known.log = job.folder / slurm_log_file;
    known.outlives_nodes = job.lanes.size() > 1;
    known.begins.clear();
    for (const JobLane& lane : job.lanes)
      for (const JobStep& step : lane.steps) known.begins.push_back(step.folder / "started.json");
    known.state.phase = JobState::Phase::pending;
  }

  /// The number of a job of ours by its name; empty: there is none.
  Result<std::string> found_by_name(const Job& job) override {
    const auto answer = ask({"squeue", "--noheader", "--states=all", "--name=" + slurm_job_name(job),
                             "--format=" + std::string(squeue_format)});
    if (!answer) return failure_of(answer);
    return number_of_name(slurm_queue(*answer), slurm_job_name(job));
  }

  [[nodiscard]] bool is_gone(const Job& job) const override {
    return jobs_.at(job.id).state.phase == JobState::Phase::gone;
  }

  /// One question for all jobs; the next comes later and later as long as nothing changes.
  Result<void> ask_queue() override {
    std::vector<std::string> numbers;
    std::set<std::string, std::less<>> began;  // before Slurm is asked: meanwhile more may
    for (const auto& [id, known] : jobs_) {
      if (known.state.phase == JobState::Phase::gone) continue;
      numbers.push_back(known.number);
      if (known.began()) began.insert(id);
    }
    if (numbers.empty()) return {};
    clock().asks();
    const auto output =
        command_output({"env", "TZ=UTC", "squeue", "--noheader", "--states=all",
                        "--jobs=" + joined(numbers, ","), "--format=" + std::string(squeue_format)},
                       answer_s);
    if (!output) return failure_of(output);
    // All jobs forgotten is an error of squeue's; that Slurm does not answer is another.
    const bool forgotten = output->text.find("Invalid job id") != std::string::npos;
    if (output->exit_code != 0 && !forgotten)
      return fail_environment("squeue", std::string(trimmed(output->text)));
    const auto queue = slurm_queue(output->text);
    bool changed = false;
    for (auto& [id, known] : jobs_) {
      if (known.state.phase == JobState::Phase::gone) continue;
      const auto it = queue.find(known.number);
      const bool ours = it != queue.end() && it->second.name == known.name;
      auto answered = ours ? std::optional(it->second.state) : remembered(known);
      if (!answered) continue;
      JobState now = *std::move(answered);
      // Slurm shows a job that was put back as one that waits for the first time.
      if (now.phase == JobState::Phase::pending && now.end == JobEnd::unknown && began.contains(id))
        now.end = JobEnd::requeued;
      if (now.end == JobEnd::requeued && now.phase == JobState::Phase::pending) withdraw(known, now);
      if (now.phase == JobState::Phase::gone) find_lost_nodes(known, now);
      if (now.phase == JobState::Phase::gone) find_memory(known, now);
      changed = changed || now.phase != known.state.phase || now.reason != known.state.reason;
      known.state = std::move(now);
    }
    clock().answered(changed);
    return {};
  }

  /// Who put it back in the queue did not ask the campaign, which decides what runs again.
  static void withdraw(const Known& known, JobState& job_state) {
    static_cast<void>(command_output({"scancel", "--quiet", "--name=" + known.name, known.number}, answer_s));
    job_state.phase = JobState::Phase::gone;
  }

  /// Whether a node is gone, rather than closed to new jobs: jobs on a drained node run on.
  static bool is_lost(const SchedulerNode& node) {
    const std::string_view state = std::string_view(node.reason).substr(0, node.reason.find(','));
    return node.down && (state.find("DOWN") != state.npos || state.find("NOT_RESPONDING") != state.npos ||
                         state.find('*') != state.npos);
  }

  /// The nodes of a job that failed are those that are lost now.
  void find_lost_nodes(const Known& known, JobState& job_state) {
    const bool ended_itself = job_state.end == JobEnd::completed || job_state.end == JobEnd::failed;
    if (job_state.end != JobEnd::node_failed && !(known.outlives_nodes && ended_itself)) return;
    if (const auto known_nodes = nodes(known.hosts))
      for (const SchedulerNode& node : *known_nodes)
        if (is_lost(node)) job_state.failed_nodes.push_back(node.host);
  }

  /// A step that took too much memory fails its job, or not even that.
  static void find_memory(const Known& known, JobState& job_state) {
    constexpr std::array ends = {JobEnd::unknown, JobEnd::completed, JobEnd::failed};
    if (std::ranges::find(ends, job_state.end) == ends.end()) return;
    constexpr size_t reason_bytes = 64 << 10;
    if (const auto log = file_tail(known.log, reason_bytes); log && reports_memory(*log))
      job_state.end = JobEnd::out_of_memory;
  }

  /// What slurmctld or the accounting still know of a job that the queue does not show; nothing: slurmctld
  /// does not answer.
  static std::optional<JobState> remembered(const Known& known) {
    JobState job_state;
    const auto record = command_output({"scontrol", "show", "job", "-o", known.number}, answer_s);
    const bool forgotten = record && record->text.find("Invalid job id") != std::string::npos;
    if (!record || (record->exit_code != 0 && !forgotten)) return std::nullopt;
    // Still there, for example in a hidden partition.
    if (record->exit_code == 0 &&
        record->text.find(fmt::format(" JobName={} ", known.name)) != std::string::npos)
      return state_of_record(record->text);
    if (const auto rows = command_output({"sacct", "--noheader", "--parsable2", "--allocations",
                                          "--format=State", "--name=" + known.name, "--jobs=" + known.number},
                                         answer_s);
        rows && rows->exit_code == 0 && !trimmed(rows->text).empty())
      job_state = state_of(split(trimmed(rows->text), '\n').front());
    if (Interrupts::unanswered()) return std::nullopt;
    job_state.phase = JobState::Phase::gone;
    return job_state;
  }

  Site site_;
  SlurmLimits limits_;
  SlurmAllowance allowance_;
  std::map<std::string, Known> jobs_;
};

}  // namespace

namespace scheduler {
extern const SchedulerType slurm;
const SchedulerType slurm = {
    .id = "slurm",
    .about = "Slurm, through sbatch and squeue",
    .make = [](const SchedulerSettings& settings) -> Result<std::unique_ptr<Scheduler>> {
      for (const char* program : {"sbatch", "squeue", "scancel", "scontrol"})
        if (program_in_path(program).empty())
          return fail_environment(program, "is not in PATH", "run shakedown where Slurm's commands are");
      return std::make_unique<Slurm>(settings.site);
    },
};
}  // namespace scheduler

}  // namespace shakedown
