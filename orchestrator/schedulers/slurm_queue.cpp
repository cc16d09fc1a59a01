#include "orchestrator/schedulers/slurm_queue.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown {
namespace {

using Phase = JobState::Phase;

struct State {
  std::string_view name;
  Phase phase;
  JobEnd end = JobEnd::unknown;
};

constexpr std::array states = {
    State{"PENDING", Phase::pending},
    State{"CONFIGURING", Phase::pending},
    State{"REQUEUED", Phase::pending, JobEnd::requeued},
    State{"REQUEUE_HOLD", Phase::pending, JobEnd::requeued},
    State{"REQUEUE_FED", Phase::pending, JobEnd::requeued},
    State{"SPECIAL_EXIT", Phase::pending, JobEnd::requeued},
    State{"RESV_DEL_HOLD", Phase::pending},
    State{"COMPLETED", Phase::gone, JobEnd::completed},
    State{"FAILED", Phase::gone, JobEnd::failed},
    State{"BOOT_FAIL", Phase::gone, JobEnd::node_failed},
    State{"NODE_FAIL", Phase::gone, JobEnd::node_failed},
    State{"LAUNCH_FAILED", Phase::gone, JobEnd::failed},
    State{"RECONFIG_FAIL", Phase::gone, JobEnd::node_failed},
    State{"TIMEOUT", Phase::gone, JobEnd::timed_out},
    State{"DEADLINE", Phase::gone, JobEnd::timed_out},
    State{"OUT_OF_MEMORY", Phase::gone, JobEnd::out_of_memory},
    State{"PREEMPTED", Phase::gone, JobEnd::preempted},
    State{"CANCELLED", Phase::gone, JobEnd::cancelled},
    State{"REVOKED", Phase::gone, JobEnd::cancelled},
};

using Sentences = std::span<const std::string_view>;

constexpr std::array<std::string_view, 4> full = {"AssocMaxSubmitJobLimit", "QOSMaxSubmitJobPerUserLimit",
                                                  "MaxSubmitJobsPerAccount", "temporarily unable"};

// One sentence for a full queue and for a job that is too large.
constexpr std::array<std::string_view, 1> ambiguous = {"submit limit"};

constexpr std::array<std::string_view, 5> silent = {"Unable to contact slurm", "Socket timed out",
                                                    "Connection refused", "Zero Bytes were transmitted",
                                                    "Slurm controller not responding"};

// Messages of slurmctld about a job, at any time. Those about account, QoS or partition are not among them:
// they apply to every job.
constexpr std::array<std::string_view, 10> for_good = {"Requested time limit is invalid",
                                                       "Requested node configuration is not available",
                                                       "Node count specification invalid",
                                                       "More processors requested than permitted",
                                                       "Requested nodes not in this partition",
                                                       "Invalid node name specified",
                                                       "Invalid feature specification",
                                                       "Invalid generic resource (gres) specification",
                                                       "Requested more tasks than available processors",
                                                       "Memory required by task is not available"};

constexpr std::array<std::string_view, 6> of_any_job = {"Invalid account or account/partition combination",
                                                        "Invalid partition name specified",
                                                        "Invalid qos specification",
                                                        "Requested reservation is invalid",
                                                        "User's group not permitted to use this partition",
                                                        "Invalid user id"};

bool has_one(std::string_view text, Sentences sentences) {
  return std::ranges::any_of(
      sentences, [&](std::string_view words) { return text.find(words) != std::string_view::npos; });
}

/// The first field of that name in what scontrol prints on one line.
std::string_view field(std::string_view line, std::string_view name) {
  const size_t at = line.find(fmt::format(" {}=", name));
  if (at == std::string_view::npos) return {};
  const std::string_view value = line.substr(at + name.size() + 2);
  return value.substr(0, value.find(' '));
}

}  // namespace

JobState state_of(std::string_view state) {
  JobState job_state;
  job_state.phase = Phase::running;
  const std::string_view word = state.substr(0, state.find_first_of(" +"));
  for (const State& known : states)
    if (known.name == word) {
      job_state.phase = known.phase;
      job_state.end = known.end;
    }
  job_state.reason = state;
  job_state.completing = word == "COMPLETING";  // its epilog may take as long as it likes
  constexpr std::string_view by = " by ";
  if (const size_t at = state.find(by); at != std::string_view::npos)
    job_state.by = "user " + std::string(state.substr(at + by.size()));
  return job_state;
}

std::map<std::string, SlurmQueued> slurm_queue(std::string_view text) {
  std::map<std::string, SlurmQueued> queue;
  for (const std::string_view line : split(text, '\n')) {
    const auto fields = split(line, '|');
    if (fields.size() < 5 || fields[0].empty() ||
        fields[0].find_first_not_of("0123456789") != std::string_view::npos)
      continue;
    SlurmQueued& queued = queue[std::string(fields[0])];
    queued.state = state_of(fields[1]);
    if (queued.state.phase == Phase::pending && fields[2] != "None" && !fields[2].empty())
      queued.state.reason = fields[2];
    if (queued.state.phase == Phase::pending) queued.state.start_s = utc_seconds(fields[3]);
    queued.name = fields[4];
  }
  return queue;
}

JobState state_of_record(std::string_view line) {
  JobState job_state = state_of(field(line, "JobState"));
  const std::string_view reason = field(line, "Reason");
  if (!reason.empty() && reason != "None") job_state.reason += fmt::format(" ({})", reason);
  return job_state;
}

bool reports_memory(std::string_view log) {
  constexpr std::array<std::string_view, 4> phrases = {"exceeded memory limit", "Exceeded job memory limit",
                                                       "oom_kill event", "oom-kill event"};
  for (const std::string_view line : split(log, '\n'))
    if (line.find("error: ") != std::string_view::npos &&
        std::ranges::any_of(
            phrases, [&](std::string_view words) { return line.find(words) != std::string_view::npos; }))
      return true;
  return false;
}

std::optional<Submission> temporary_refusal(std::string_view sbatch_error) {
  std::string words(sbatch_error);
  if (has_one(sbatch_error, full)) return JobLater{JobLater::Of::all, std::move(words)};
  if (has_one(sbatch_error, ambiguous)) return JobLater{JobLater::Of::this_one, std::move(words)};
  if (has_one(sbatch_error, silent)) return JobUnsure{std::move(words)};
  return std::nullopt;
}

bool is_for_good(std::string_view sbatch_error) {
  return has_one(sbatch_error, for_good);
}

bool is_of_any_job(std::string_view sbatch_error) {
  return has_one(sbatch_error, of_any_job);
}

bool has_ended(std::string_view scancel_error) {
  constexpr std::array<std::string_view, 2> ended = {"Invalid job id", "already completing or completed"};
  return has_one(scancel_error, ended);
}

std::string submitted_number(std::string_view sbatch_output) {
  constexpr std::string_view sentence = "Submitted batch job ";
  constexpr std::string_view digits = "0123456789";
  constexpr std::size_t most_digits = 10;
  std::string found;
  for (std::string_view line : split(sbatch_output, '\n')) {
    line = trimmed(line);
    const char behind = line.starts_with(sentence) ? ' ' : ';';
    if (behind == ' ') line.remove_prefix(sentence.size());
    const std::string_view number = line.substr(0, line.find(behind));
    if (number.empty() || number.front() == '0' || number.size() > most_digits ||
        number.find_first_not_of(digits) != std::string_view::npos)
      continue;
    if (!found.empty() && found != number) return {};
    found = number;
  }
  return found;
}

std::string number_of_name(const std::map<std::string, SlurmQueued>& queue, std::string_view name) {
  const auto rank = [](const std::pair<const std::string, SlurmQueued>& each) {
    return std::tuple(each.second.state.phase != Phase::gone, each.first.size(),
                      std::string_view(each.first));
  };
  const std::pair<const std::string, SlurmQueued>* newest = nullptr;
  for (const auto& each : queue)
    if (each.second.name == name && (newest == nullptr || rank(*newest) < rank(each))) newest = &each;
  return newest == nullptr ? std::string() : newest->first;
}

}  // namespace shakedown
