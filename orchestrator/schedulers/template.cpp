// Any other batch system, by a description of its commands and of what they print.
#include <algorithm>
#include <map>
#include <set>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "orchestrator/schedulers/batch_jobs.hpp"
#include "orchestrator/schedulers/template_file.hpp"
#include "orchestrator/schedulers/template_words.hpp"

namespace shakedown {
namespace {

constexpr int most_inquests = 3;  // into one end: accounting may lag behind the queue
constexpr double inquest_pause_s = 3;

using Phase = JobState::Phase;

class Template final : public BatchJobs {
 public:
  Template(SchedulerTemplate description, Site site)
      : BatchJobs(site.poll_s), description_(std::move(description)), site_(std::move(site)) {}

  [[nodiscard]] SchedulerTraits traits() const override {
    return {site_.most_jobs, /*many_lanes=*/false, longest_lane_s, /*outlives_us=*/true};
  }

  [[nodiscard]] std::string objection(const JobRequest& demand) const override {
    if (description_.most_nodes <= 0 || demand.nodes <= description_.most_nodes) return {};
    return fmt::format(
        "needs {} nodes, and {} gives a job {} node{} at most; to change that, copy the file as its comments "
        "describe and set scheduler = \"/path/to/copy.toml\" in [site]",
        demand.nodes, description_.path.string(), description_.most_nodes,
        description_.most_nodes == 1 ? "" : "s");
  }

  Result<std::vector<SchedulerNode>> nodes(std::span<const std::string> hosts) override {
    std::vector<SchedulerNode> known_nodes;
    for (const std::string& host : hosts) known_nodes.push_back({host, SchedulerNode::Kind::idle, ""});
    if (description_.node_list.empty()) return known_nodes;
    const auto output = run(description_.node_list, template_values({}));
    if (!output) return failure_of(output);
    if (output->exit_code != 0) return no_answer(description_.node_list, *output);
    const auto out = nodes_out(output->text);
    for (SchedulerNode& node : known_nodes) {
      auto it = out.find(node.host);
      if (it == out.end()) it = out.find(split(node.host, '.').front());
      if (it == out.end()) continue;
      node.kind = SchedulerNode::Kind::out;
      node.reason = it->second;
      node.down = !description_.node_back.match(it->second);
    }
    return known_nodes;
  }

  [[nodiscard]] std::string submission(const Job& job) const override {
    return shell_line(filled_command(description_.submit, template_values(description_, job, site_))) +
           "\n\n" + template_script(description_, job, site_);
  }

  Result<Submission> submit(const Job& job) override {
    const std::string script = (job.folder / batch_script_file).string();
    if (const auto nodes = static_cast<int>(job.hosts().size());
        description_.most_nodes > 0 && nodes > description_.most_nodes)
      return fail_environment(
          description_.path.string(),
          fmt::format("gives a job {} node{} at most, and {} has {}", description_.most_nodes,
                      description_.most_nodes == 1 ? "" : "s", job.id, nodes),
          "to change that, copy the file as its comments describe and set scheduler = \"/path/to/copy.toml\" "
          "in [site]");
    if (auto written = write_file(script, template_script(description_, job, site_)); !written)
      return failure_of(written);
    const auto output = run(description_.submit, template_values(description_, job, site_));
    const std::string text(trimmed(output ? output->text : output.error().what));
    // Grid Engine fails with a warning, and takes the job; one whose answer was lost may be there all the
    // same.
    if (const std::string id = output ? id_in(text, description_.submitted) : ""; !id.empty())
      return JobAccepted{enter(job, id)};
    if (const auto id = found_by_name(job); id && !id->empty()) return JobAccepted{enter(job, *id)};
    if (!output) return JobUnsure{text};
    if (is_for_later(text)) return JobLater{JobLater::Of::all, text};
    const std::string program = program_of(description_.submit);
    const std::string words = output->exit_code != 0 ? (text.empty() ? "failed without a word" : text)
                                                     : fmt::format("{} printed no job's id: {}", program,
                                                                   text.empty() ? "nothing" : text);
    // Its message does not show whether it is about this job or any, now or for ever. A system that has taken
    // other jobs may take this one later.
    if (!has_taken() && output->exit_code == 0)
      return fail_environment(description_.path.string(), fmt::format("finds no job's id: {}", words),
                              "mend 'id' of [submit]; the job may be in the queue");
    if (!has_taken()) return JobNever{{program, words, fmt::format("the job is {}", script)}};
    return JobLater{JobLater::Of::unknown, words};
  }

  void withdraw(const Job& job) override {
    const auto it = jobs_.find(job.id);
    if (it == jobs_.end()) return;
    const std::string& id = it->second.id;
    const auto answer = queue({id});
    if (!answer) return;
    const auto found = answer->find(id);
    if (found == answer->end() || !is_of(found->second, it->second) ||
        found->second.state.phase != Phase::pending)
      return;
    static_cast<void>(run(description_.cancel, template_values({id})));
    clock().ask_soon();
  }

  JobState state(const Job& job, bool ask) override {
    const auto it = jobs_.find(job.id);
    if (it == jobs_.end()) return {Phase::gone, "", {}, JobEnd::unknown, "", {}};
    Known& known = it->second;
    if (ask && known.state.phase == Phase::gone)
      inquire(known);
    else if (known.state.phase != Phase::gone && clock().is_due(ask))
      static_cast<void>(ask_queue());  // no answer: the last known state stays
    return known.state;
  }

  Result<void> end(const Job& job, bool at_once) override {
    const auto it = jobs_.find(job.id);
    if (it == jobs_.end()) return {};
    // A restarted batch system may have given the id to somebody else's job.
    if (prints_names())
      if (const auto answer = queue({it->second.id}))
        if (const auto found = answer->find(it->second.id);
            found != answer->end() && !is_of(found->second, it->second)) {
          it->second.state.phase = Phase::gone;
          return {};
        }
    const bool kills = at_once && !description_.kill.empty();
    clock().ask_soon();
    // Its exit code proves nothing: most systems report an error for a job that has ended.
    auto ended = run(kills ? description_.kill : description_.cancel, template_values({it->second.id}));
    if (!ended) return failure_of(ended);
    return {};
  }

 private:
  struct Answer {
    JobState state;
    std::string name;       ///< empty: not reported
    bool withdraw = false;  ///< it does not begin by itself
  };

  struct Known {
    std::string id;
    std::vector<std::string> names;  ///< none where answers hold no names
    std::vector<std::string> hosts;
    JobState state;
    bool ran = false;  ///< it was seen running
    int inquests = 0;
    double inquire_at_s = 0;
  };

  static Result<CommandOutput> run(const CommandTemplate& command, const TemplateValues& values) {
    return command_output(filled_command(command, values), answer_s);
  }

  static std::string program_of(const CommandTemplate& command) {
    return std::string(words(command.front()).front());
  }

  static tl::unexpected<Error> no_answer(const CommandTemplate& command, const CommandOutput& output) {
    const std::string_view text = trimmed(output.text);
    return fail_environment(program_of(command),
                            text.empty() ? fmt::format("exit code {}", output.exit_code) : std::string(text),
                            "does the batch system answer here?");
  }

  [[nodiscard]] bool is_for_later(const std::string& refusal) const {
    return std::ranges::any_of(
        description_.later, [&](const Pattern& pattern) { return pattern.first_match(refusal).has_value(); });
  }

  /// The id that a pattern finds in what was printed: its first group that is not empty; empty: none.
  static std::string id_in(std::string_view text, const Pattern& pattern) {
    if (const auto groups = pattern.first_match(text))
      for (std::size_t i = 1; i < groups->size(); ++i)
        if (!(*groups)[i].empty()) return (*groups)[i];
    return {};
  }

  void track(const Job& job, const std::string& id) override {
    Known known;
    known.id = id;
    if (prints_names()) known.names = template_names(job);  // digests: for all jobs they take long
    known.hosts = job.hosts();
    known.state.phase = Phase::pending;
    jobs_.insert_or_assign(job.id, std::move(known));
  }

  /// The id of a job of ours by its name; empty: there is none, or nothing to ask with. What begins late
  /// finds its attempts claimed and goes away.
  Result<std::string> found_by_name(const Job& job) override {
    if (description_.find.empty()) return std::string();
    const auto output = run(description_.find, template_values(description_, job, site_));
    if (!output) return failure_of(output);
    return id_in(output->text, description_.found);
  }

  /// The batch system's answers about jobs, by their ids.
  Result<std::map<std::string, Answer, std::less<>>> queue(const std::vector<std::string>& ids) const {
    std::map<std::string, Answer, std::less<>> found;
    const bool one_each = std::ranges::any_of(
        description_.poll, [](const std::string& word) { return word.find("{id}") != std::string::npos; });
    for (std::size_t at = 0; at < (one_each ? ids.size() : 1); ++at) {
      const auto output = run(description_.poll, template_values(one_each ? std::vector{ids[at]} : ids));
      if (!output) return failure_of(output);
      const bool forgotten = description_.unknown_job.first_match(output->text).has_value();
      if (output->exit_code != 0 && !forgotten) return no_answer(description_.poll, *output);
      for (const std::string_view line : split(output->text, '\n'))
        if (const auto groups = description_.record.match(line)) {
          auto [id, answer] = answer_of(*groups);
          found[id] = std::move(answer);
        }
    }
    return found;
  }

  /// A job's id and state, from what a record's groups match.
  [[nodiscard]] std::pair<std::string, Answer> answer_of(const std::vector<std::string>& groups) const {
    std::string id;
    std::string state;
    std::string reason;
    std::string name;
    for (std::size_t i = 0; i < description_.fields.size(); ++i) {
      const std::string text(trimmed(groups[i + 1]));
      if (description_.fields[i] == "id") id = text;
      if (description_.fields[i] == "state") state = text;
      if (description_.fields[i] == "reason") reason = text;
      if (description_.fields[i] == "name") name = text;
    }
    const auto it = description_.states.find(state);
    const StateMeaning meaning = it == description_.states.end() ? StateMeaning() : it->second;
    Answer answer;
    answer.state.phase = meaning.phase;
    answer.state.end = meaning.end;
    answer.state.reason = reason.empty() ? state : reason;
    answer.name = name;
    answer.withdraw = meaning.withdraw;
    return {id, answer};
  }

  [[nodiscard]] bool prints_names() const {
    return std::ranges::find(description_.fields, "name") != description_.fields.end();
  }

  /// Whether an answer is about our job, by its name: tables cut names at their end.
  static bool is_of(const Answer& answer, const Known& known) {
    return answer.name.empty() || std::ranges::any_of(known.names, [&](const std::string& name) {
             return std::string_view(name).starts_with(answer.name);
           });
  }

  [[nodiscard]] bool is_gone(const Job& job) const override {
    return jobs_.at(job.id).state.phase == Phase::gone;
  }

  /// Asks about all jobs that are not gone.
  Result<void> ask_queue() override {
    std::vector<std::string> ids;
    for (const auto& [name, known] : jobs_)
      if (known.state.phase != Phase::gone) ids.push_back(known.id);
    if (ids.empty()) return {};
    clock().asks();
    const auto answer = queue(ids);
    if (!answer) return failure_of(answer);
    bool changed = false;
    for (auto& [name, known] : jobs_) {
      if (known.state.phase == Phase::gone) continue;
      const auto it = answer->find(known.id);
      JobState now;
      now.phase = Phase::gone;
      const bool others = it != answer->end() && !is_of(it->second, known);
      const bool there = it != answer->end() && !others;
      if (there) now = it->second.state;
      if (there && it->second.withdraw)
        static_cast<void>(run(description_.cancel, template_values({known.id})));
      changed = changed || now.phase != known.state.phase || now.reason != known.state.reason;
      known.state = std::move(now);
      known.ran = known.ran || known.state.phase == Phase::running;
      if (known.state.phase == Phase::gone && !others) inquire(known);
      if (others) known.inquests = most_inquests;  // answers for the id are about that job
    }
    clock().answered(changed);
    return {};
  }

  /// Asks how a job that is gone ended, if the queue did not report it.
  void inquire(Known& known) const {
    if (known.state.end != JobEnd::unknown || description_.after.empty() || known.inquests >= most_inquests ||
        steady_s() < known.inquire_at_s)
      return;
    ++known.inquests;
    known.inquire_at_s = steady_s() + inquest_pause_s;
    const auto output = run(description_.after, template_values({known.id}));
    if (!output) return;
    for (const EndPattern& each : description_.ends)
      if (auto line = each.match.first_line(output->text)) {
        known.state.end = each.end;
        known.state.reason = *line;
        return;
      }
    if (known.inquests == most_inquests && !known.ran) known.state.end = description_.no_record;
  }

  /// The nodes that take no jobs, with their state.
  [[nodiscard]] std::map<std::string, std::string, std::less<>> nodes_out(std::string_view text) const {
    std::map<std::string, std::string, std::less<>> out;
    for (const std::string_view line : split(text, '\n')) {
      const auto groups = description_.node_record.match(line);
      if (!groups) continue;
      std::string hosts;
      std::string state;
      for (std::size_t i = 0; i < description_.node_fields.size(); ++i)
        (description_.node_fields[i] == "host" ? hosts : state) = trimmed((*groups)[i + 1]);
      if (!description_.node_out.match(state)) continue;
      const auto expanded = expanded_hostlist(hosts);
      for (const std::string& host : expanded ? *expanded : std::vector{hosts}) {
        out[host] = state;
        out[std::string(split(host, '.').front())] = state;
      }
    }
    return out;
  }

  SchedulerTemplate description_;
  Site site_;
  std::map<std::string, Known> jobs_;
};

/// The program that a command starts: what follows env's variables.
std::string started_program(const CommandTemplate& command) {
  for (const std::string& element : command)
    for (const std::string_view word : words(element))
      if (word != "env" && word.find('=') == std::string_view::npos) return std::string(word);
  return {};
}

}  // namespace

Result<std::unique_ptr<Scheduler>> template_scheduler(SchedulerTemplate description, const Site& site) {
  for (const CommandTemplate* command : {&description.submit, &description.find, &description.poll,
                                         &description.after, &description.cancel, &description.node_list})
    if (const std::string program = started_program(*command); !program.empty())
      if (program_in_path(program).empty())
        return fail_environment(program, "is not in PATH",
                                fmt::format("run shakedown where the commands of {} are", description.title));
  return std::make_unique<Template>(std::move(description), site);
}

}  // namespace shakedown
