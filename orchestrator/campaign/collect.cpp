#include "orchestrator/campaign/collect.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/failed_ranks.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/loaded_rule.hpp"
#include "orchestrator/campaign/other_output.hpp"
#include "orchestrator/campaign/run_files.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/campaign/stop_note.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/node_state.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "parsers/failures.hpp"
#include "parsers/parser.hpp"
#include "parsers/rules/rule.hpp"

namespace shakedown {
namespace {

constexpr size_t reason_bytes = 6000;  // of stderr's end, for the line that holds the reason
constexpr size_t reason_line_bytes = 300;
constexpr size_t aftermath_bytes = 64
                                   << 10;  // of stderr's end: launchers report there on processes that died
constexpr size_t job_log_bytes = 1 << 20;  // of the end of a job's own log, which all its lanes write to
constexpr double shortest_judged_s = 0.5;  // /proc/stat counts in 10 ms: below, shares mean nothing

std::optional<Conditions> conditions_of(const Finished& finished, const Started& started) {
  if (finished.cpus <= 0 || finished.all_cpu_s <= 0 || finished.wall_s < shortest_judged_s)
    return std::nullopt;
  Conditions conditions;
  conditions.cores = finished.cpus;
  conditions.steal_ratio = finished.steal_cpu_s / finished.all_cpu_s;
  conditions.foreign_cores = std::max(0.0, finished.busy_cpu_s - finished.job_cpu_s) / finished.wall_s;
  conditions.job_cores = finished.job_cpu_s / finished.wall_s;
  conditions.load_before = started.load_before;
  return conditions;
}

/// Processes of other attempts that ran beside this one: other_processes, whether they kept a core busy or
/// not.
void add_orphans(AttemptRecord& attempt, const Finished& finished) {
  if (finished.orphans_alive == 0) return;
  if (attempt.nodes.empty()) attempt.nodes.emplace_back().node = attempt.host;
  auto& other_processes = attempt.nodes.front().other_processes;
  if (!other_processes) other_processes.emplace();
  for (const Orphan& orphan : finished.orphans) {
    auto known = std::ranges::find(*other_processes, orphan.pid, &OtherProcess::pid);
    if (known == other_processes->end())
      known = other_processes->insert(known, {orphan.pid, orphan.user, orphan.command, "", 0});
    known->job = std::string(orphan_mark) + (orphan.attempt.empty() ? "a lost attempt" : orphan.attempt);
  }
  if (finished.orphans.empty())  // the plain script counts them alone
    other_processes->push_back({0, -1, "", std::string(orphan_mark) + "a lost attempt", 0});
}

/// The most informative line of stderr: Open MPI frames its message by rules of dashes, and the first line
/// inside names the problem; elsewhere it is the last line.
std::string reason_line(std::string_view text) {
  std::string_view chosen;
  bool framed = false;
  for (const std::string_view raw : split(text, '\n')) {
    const std::string_view line = trimmed(raw);
    if (line.empty()) continue;
    const bool rule = line.size() > 20 && line.find_first_not_of("-=") == std::string_view::npos;
    if (rule) {
      if (!framed && !chosen.empty() && chosen.data() > text.data()) chosen = {};
      framed = !framed;
    } else if (framed ? chosen.empty() : true) {
      // "Try 'srun --help' for more information": the line before it names the mistake.
      const bool refers = line.starts_with("Try ") && contains(line, "--help");
      if (!refers && !contains(line, "MCA parameter") && !contains(line, "help message")) chosen = line;
    }
  }
  return plain_text(chosen, reason_line_bytes);
}

/// What a grammar reads in a case's result files.
struct ReadResults {
  std::vector<FoundResult> found;  ///< those of one run joined
  std::string unread;              ///< why the last file that can't be read can't; empty: all were read
};

ReadResults read_results(const Parser& grammar, const fs::path& folder, const ResultFiles& wanted) {
  ReadResults read;
  LogSet set([&](FoundResult&& result) { read.found.push_back(std::move(result)); }, {});
  for (const std::string& file : wanted.files) {
    auto text = TextSource::file(folder / file);
    auto results = text ? parsed_by(grammar, *text) : tl::unexpected<Error>(text.error());
    if (!results) {
      read.unread = fmt::format("{}: {}", file, results.error().what);
      continue;
    }
    for (ParsedResult& result : *results) set.add(grammar, {file, std::move(result)});
  }
  set.end_folders();
  return read;
}

/// What the nodes recorded of themselves; a node whose file can't be read counts as one without records.
std::vector<NodeState> node_states(const fs::path& folder) {
  std::vector<NodeState> states;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("node-") || !name.ends_with(".json")) continue;
    const auto text = file_content(entry.path());
    if (!text) continue;
    if (auto state = node_state_from_json(*text, name)) states.push_back(*std::move(state));
  }
  std::ranges::sort(states, {}, &NodeState::node);
  return states;
}

/// What rules refer to beside an attempt's own files.
struct RuleScene {
  const Inventory& inventory;
  const NodeEvidence& nodes;
  std::optional<double> wall_s;
  std::optional<Evidence::Period> period;
  std::optional<double> busy_s;
};

/// What the log proves; if it proves nothing, an incomplete result with the reason.
std::vector<ResultRecord> results_of(const AttemptPlace& place, const RuleScene& reference) {
  const Case& planned = *place.planned;
  const auto known = parsers();
  const auto parser =
      std::find_if(known.begin(), known.end(), [&](const Parser* p) { return p->id == planned.parser; });
  if (parser == known.end()) return {};
  const ResultFiles wanted = result_files(place.folder(), planned.result_file);
  ReadResults read = read_results(**parser, place.folder(), wanted);
  if (read.found.empty()) {
    ParsedResult nothing;
    nothing.suite = planned.suite;
    nothing.implementation = planned.implementation;
    nothing.reason = read.unread.empty() ? wanted.name + " holds no result" : read.unread;
    read.found.push_back({*parser, wanted.name, {}, std::move(nothing)});
  }
  std::vector<ResultRecord> results;
  for (FoundResult& each : read.found) {
    if (!wanted.warning.empty()) each.result.warnings.push_back(wanted.warning);
    Judged outcome = judged({.result = &each.result,
                             .planned = &planned,
                             .inventory = &reference.inventory,
                             .screens = {},
                             .nodes = &reference.nodes,
                             .wall_s = reference.wall_s,
                             .period = reference.period,
                             .busy_s = reference.busy_s});
    results.push_back(
        {std::move(each.result), std::move(outcome.rules), outcome.validity, std::move(each.file)});
  }
  return results;
}

/// Whether the program's result file or standard output has a byte.
bool program_reported(const AttemptPlace& place) {
  std::vector<std::string> files = result_files(place.folder(), place.planned->result_file).files;
  files.emplace_back("stdout.log");
  return std::any_of(files.begin(), files.end(), [&](const std::string& name) {
    std::error_code code;
    return fs::file_size(place.folder() / name, code) > 0 && !code;
  });
}

std::string not_started_sentence(const Case& planned, const Finished& finished) {
  if (!finished.reason.empty())  // of the wrapper: the command itself could not be executed
    return fmt::format("{} could not be started: {}",
                       planned.argv.empty() ? "the program" : planned.argv.front(), finished.reason);
  return fmt::format("{} could not start the program: exit code {}", planned.launcher,
                     finished.exit_code.value_or(0));
}

/// Why an attempt has no result, or what went wrong behind it.
struct Cause {
  std::string sentence;  ///< empty: nothing is known
  std::optional<FailureKind> kind;
};

/// The weightiest line of a scheduler, a launcher or a library on either stream that is weightier than
/// `least`; empty where there is none.
Cause quoted_cause(const AttemptPlace& place, int least) {
  std::vector<std::string> files = {"stderr.log"};
  if (!place.planned->result_file.empty()) files.emplace_back("stdout.log");  // else its grammar has read it
  std::optional<Failure> main;
  std::string where;
  for (const std::string& file : files) {
    auto text = TextSource::file(place.folder() / file);
    if (!text) continue;
    const auto failure = failure_of_text(*text);
    if (!failure || failure->weight <= (main ? main->weight : least)) continue;
    main = *failure;
    where = file;
  }
  return main ? Cause{fmt::format("{}, {}", where, main->text), main->kind} : Cause{};
}

/// What the job's own output reports of its end: such a line, else the most informative line of stderr, else
/// the program's last.
Cause reported_cause(const AttemptPlace& place, const SecretMask& mask) {
  constexpr int aftermath = 1;  // a launcher's report that something ended explains less than what it quotes
  if (Cause quoted = quoted_cause(place, aftermath); !quoted.sentence.empty()) return quoted;
  const std::string line = reason_line(mask.tail(place.folder() / "stderr.log", reason_bytes));
  return {line.empty() ? last_words(place) : fmt::format("stderr.log: '{}'", line), std::nullopt};
}

FailureKind kind_of(RankFailure::How how) {
  switch (how) {
    case RankFailure::How::exit_code:
      return FailureKind::nonzero_exit;
    case RankFailure::How::signal:
      return FailureKind::signal;
    case RankFailure::How::out_of_memory:
      return FailureKind::out_of_memory;
    case RankFailure::How::abort:
      return FailureKind::mpi_abort;
    case RankFailure::How::not_executed:
      return FailureKind::program_missing;
    case RankFailure::How::node_lost:
      return FailureKind::node_failure;
  }
  return FailureKind::nonzero_exit;
}

/// Why ranks failed: what the kernel, a device or a library reports, else the program's last words.
Cause cause_of_ranks(const RankFailure& failure, const AttemptPlace& place) {
  constexpr int end = 2;  // of the job or a process, which the launcher's report explains
  Cause cause = quoted_cause(place, end);
  if (cause.sentence.empty()) cause.sentence = last_words(place);
  if (!cause.kind || failure.how == RankFailure::How::node_lost) cause.kind = kind_of(failure.how);
  return cause;
}

/// What of an attempt's output may be missing, where its disk took no more; empty: nothing.
std::string disk_text(const Finished& finished) {
  if (!finished.unsynced.empty())
    return fmt::format("; its files could not be written to disk: {}", finished.unsynced);
  return finished.disk_full ? "; the disk of its folder was full when it ended" : "";
}

/// What is known of an attempt that recorded no end, and of whose job no scheduler knows one.
std::string unrecorded_end(const AttemptPlace& place) {
  const auto started = read_started(place.folder());
  std::string unknown = "it recorded no end: its wrapper was killed, or its node is gone";
  if (!started) return unknown;
  switch (started_where(*started)) {
    case StartedWhere::here:
      return "its wrapper was killed before it recorded an end";
    case StartedWhere::rebooted:
      return fmt::format("{} was booted again before it recorded an end", started->host);
    case StartedWhere::elsewhere:
      break;
  }
  return unknown;
}

/// Why there is no complete result, in one sentence; empty where there is one, and nothing failed behind it.
Cause cause_of(const AttemptRecord& attempt, const Finished* finished, const AttemptPlace& place,
               std::span<const std::string> hosts, const SecretMask& mask) {
  const bool complete = std::any_of(attempt.results.begin(), attempt.results.end(),
                                    [](const ResultRecord& r) { return r.parsed.complete; });
  const FailureKind how = attempt.signal ? FailureKind::signal : FailureKind::nonzero_exit;
  const bool ended = attempt.state == AttemptState::finished || attempt.state == AttemptState::not_started;
  const bool ended_badly = attempt.signal || attempt.exit_code.value_or(0) != 0;
  LauncherReport ranks =
      ended && (ended_badly || !complete) ? reported_ranks(place, hosts) : LauncherReport{};
  // srun exits with 0 where all tasks were on nodes that it lost.
  const bool lost = ranks.failure && ranks.failure->how == RankFailure::How::node_lost;
  const bool failed = ended_badly || lost;
  if (!failed) ranks = {};
  const int all = std::max(place.planned->ranks, place.planned->nodes);
  const std::string who = ranks.failure ? failure_text(*ranks.failure, all) : "";
  if (complete && attempt.state == AttemptState::finished)
    return failed ? Cause{"it failed after its result" + (who.empty() ? "" : ": " + who), how} : Cause{};
  Cause cause;
  std::string& sentence = cause.sentence;
  switch (attempt.state) {
    case AttemptState::timed_out:
      sentence = fmt::format("ended at its time limit of {}", duration_text(place.planned->time_limit_s));
      cause.kind = FailureKind::time_limit;
      break;
    case AttemptState::interrupted:
      if (const auto note = stop_note_of(place.folder())) {
        sentence = to_string(*note);
        cause.kind = FailureKind::cancelled;
        break;
      }
      sentence = scheduler_sentence(place.folder());
      cause.kind = sentence.empty() ? FailureKind::cancelled : scheduler_kind(place.folder());
      if (sentence.empty()) sentence = "stopped on request";
      break;
    case AttemptState::not_started:
      sentence = ranks.failure ? who : not_started_sentence(*place.planned, *finished);
      cause.kind = FailureKind::launch_failed;
      break;
    case AttemptState::lost:
      sentence = scheduler_sentence(place.folder());
      cause.kind = scheduler_kind(place.folder());
      if (const auto note = stop_note_of(place.folder()); note && attempt.started_s > 0) {
        sentence = to_string(*note) + (sentence.empty() ? "" : "; ") + sentence;
        cause.kind = FailureKind::cancelled;
      }
      if (sentence.empty()) sentence = unrecorded_end(place);
      break;
    default:
      if (ranks.failure)
        sentence = who;
      else if (attempt.signal)
        sentence = fmt::format("killed by signal {}", *attempt.signal);
      else if (attempt.exit_code.value_or(0) != 0)
        sentence = fmt::format("exit code {}", *attempt.exit_code);
  }
  if (!complete && attempt.state != AttemptState::not_started && !attempt.results.empty() &&
      !attempt.results.front().parsed.reason.empty())
    sentence += (sentence.empty() ? "" : "; ") + attempt.results.front().parsed.reason;
  if (ranks.cancelled) {
    sentence = std::string("its job step was cancelled") + (sentence.empty() ? "" : "; ") + sentence;
    cause.kind = FailureKind::cancelled;
  } else if (failed && !complete && (ranks.failure || cause.kind != FailureKind::cancelled)) {
    // What a program printed is not why a person stopped it.
    const Cause reported =
        ranks.failure ? cause_of_ranks(*ranks.failure, place) : reported_cause(place, mask);
    if (!reported.sentence.empty()) sentence += "; " + reported.sentence;
    if (!cause.kind) cause.kind = reported.kind;
  }
  if (!complete && finished != nullptr) sentence += disk_text(*finished);
  if (!cause.kind && failed) cause.kind = how;
  if (!cause.kind && !complete) cause.kind = FailureKind::no_result;
  return cause;
}

/// What srun or the scheduler reports of an attempt that did not begin.
Cause why_never_started(const AttemptPlace& place, const std::string& job, std::span<const std::string> hosts,
                        const SecretMask& mask) {
  const auto log = job.empty()
                       ? Result<std::string>(std::string())
                       : file_tail(place.campaign_folder / "jobs" / job / slurm_log_file, job_log_bytes);
  if (const std::string refusal = log ? launch_refusal(*log, hosts) : ""; !refusal.empty())
    return {"never started: srun could not start it " + plain_text(mask(refusal), reason_line_bytes),
            FailureKind::launch_failed};
  const std::string reported = scheduler_sentence(place.folder());
  return {"never started: " + (reported.empty() ? "the orchestrator ended before the job began" : reported),
          std::nullopt};
}

/// The job and the nodes that the attempt got. The job names a folder: another one than `jobs/NAME` is none.
void read_place(AttemptRecord& attempt, const fs::path& folder) {
  const auto text = file_content(folder / place_file);
  const auto document = json_or_discarded<nlohmann::json>(text ? *text : "");
  if (!document.is_object()) return;
  const auto field = [&](const char* key) {
    const auto it = document.find(key);
    return it != document.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  attempt.job = field("job");
  if (attempt.job.starts_with('.') || attempt.job.find('/') != std::string::npos) attempt.job.clear();
  attempt.hosts = field("hosts");
}

}  // namespace

std::string AttemptPlace::relative() const {
  return fmt::format("{}/attempt-{}", planned->id, index);
}

AttemptState ended_state(const AttemptPlace& place, const Finished& finished) {
  const AttemptState state = attempt_state(finished.state).value_or(AttemptState::lost);
  const bool launcher_failed = state == AttemptState::finished && !place.planned->launcher.empty() &&
                               !finished.signal && finished.exit_code.value_or(0) != 0;
  if (!launcher_failed || program_reported(place)) return state;
  const LauncherReport ranks = reported_ranks(place, {});
  if (ranks.cancelled || (ranks.failure && ranks.failure->how != RankFailure::How::not_executed))
    return state;
  const auto text = file_tail(place.folder() / "stderr.log", aftermath_bytes);
  return text && reports_started_process(*text) ? state : AttemptState::not_started;
}

AttemptRecord collected_attempt(const AttemptPlace& place, const Inventory& inventory,
                                std::span<const ExpectedSetting> settings) {
  AttemptRecord attempt;
  attempt.index = place.index;
  attempt.run_folder = place.relative();
  const fs::path folder = place.folder();
  const auto started = read_started(folder);
  const auto finished = read_finished(folder);
  if (started && !started->abandoned) {
    attempt.host = started->host;
    attempt.started_s = started->started_s;
  }
  if (!finished) {
    attempt.state = AttemptState::lost;
  } else {
    attempt.state = ended_state(place, *finished);
    attempt.exit_code = finished->exit_code;
    attempt.signal = finished->signal;
    attempt.started_s = finished->started_s;
    attempt.finished_s = finished->finished_s;
    attempt.wall_s = wall_s(*finished);
    if (started) attempt.conditions = conditions_of(*finished, *started);
    attempt.program = finished->program;
    attempt.program_sha256 = finished->program_sha256;
  }
  const bool never_started = !finished && (!started || started->abandoned);
  read_place(attempt, folder);
  const auto hosts = expanded_hostlist(attempt.hosts.empty() ? place.planned->hosts : attempt.hosts)
                         .value_or(std::vector<std::string>{});
  if (!never_started) {
    attempt.nodes = node_states(folder);
    if (finished) add_orphans(attempt, *finished);
    const NodeEvidence nodes{attempt.nodes, hosts, settings};
    attempt.results = results_of(
        place,
        {inventory, nodes, finished ? std::optional(attempt.wall_s) : std::nullopt,
         finished ? std::optional(Evidence::Period{attempt.started_s, attempt.finished_s}) : std::nullopt,
         finished && hosts == std::vector{attempt.host} ? busy_seconds(*finished) : std::nullopt});
  }
  if (!attempt.results.empty()) {
    judge_other_output(attempt, *place.planned, folder);
    const auto commitment = read_commitment(place.campaign_folder);
    judge_implementation(attempt, *place.planned, commitment);
    judge_loaded(attempt, loaded_on_nodes(folder, attempt, hosts), *place.planned, commitment);
  }
  const SecretMask mask(place.campaign_folder, *place.planned);
  const Cause cause = never_started ? why_never_started(place, attempt.job, hosts, mask)
                                    : cause_of(attempt, finished ? &*finished : nullptr, place, hosts, mask);
  attempt.failure = cause.sentence;
  attempt.failure_kind = cause.kind;
  if (attempt.state == AttemptState::lost &&
      (cause.kind == FailureKind::cancelled ||
       (never_started && scheduler_kind(folder) == FailureKind::cancelled)))
    attempt.state = AttemptState::cancelled;
  attempt.files = run_files(folder, mask);
  mask_secrets(attempt, mask);
  return attempt;
}

}  // namespace shakedown
