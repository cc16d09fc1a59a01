// What srun and slurmstepd write when a step ends badly.
#include <csignal>

#include <algorithm>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/launcher_report.hpp"

namespace shakedown {
namespace {

using How = RankFailure::How;

/// "0-2,5": srun's tasks.
std::vector<int> ranks_of(std::string_view list) {
  constexpr int most = 1'000'000;
  std::vector<int> ranks;
  for (const std::string_view piece : split(list, ',')) {
    const auto first = leading_number(piece);
    if (!first) return {};
    const size_t dash = piece.find('-');
    const auto last = dash == std::string_view::npos ? first : leading_number(piece.substr(dash + 1));
    if (!last || *last < *first || *last - *first > most) return {};
    for (int rank = *first; rank <= *last; ++rank) ranks.push_back(rank);
  }
  return ranks;
}

/// How tasks of srun on one host ended.
struct TaskEnd {
  How how = How::exit_code;
  int code = 0;
  std::vector<int> ranks;
  std::vector<std::string> hosts;
  bool after_mark = false;    ///< the step was being ended from outside
  bool after_others = false;  ///< srun was ending all tasks because of one

  /// As the step's end does it, be it that a rank failed or that somebody cancelled it.
  [[nodiscard]] bool is(int signal) const {
    constexpr int shell = 128;
    return (how == How::signal && code == signal) || (how == How::exit_code && code == shell + signal);
  }
  [[nodiscard]] bool is_consequence() const { return is(SIGTERM) || is(SIGKILL) || is(SIGINT); }
  [[nodiscard]] bool is_like(const TaskEnd& other) const { return how == other.how && code == other.code; }
};

/// "srun: error: cn[2-3]: tasks 1-2: Segmentation fault (core dumped)".
std::optional<TaskEnd> task_end(std::string_view line) {
  constexpr std::string_view start = "srun: error: ";
  if (!line.starts_with(start)) return std::nullopt;
  line.remove_prefix(start.size());
  size_t at = line.find(": task ");
  const bool one = at != std::string_view::npos;
  if (!one) at = line.find(": tasks ");
  if (at == std::string_view::npos) return std::nullopt;
  const auto hosts = expanded_hostlist(line.substr(0, at));
  line.remove_prefix(at + (one ? std::string_view(": task ") : std::string_view(": tasks ")).size());
  const size_t colon = line.find(": ");
  if (!hosts || colon == std::string_view::npos) return std::nullopt;
  TaskEnd end;
  end.hosts = *hosts;
  end.ranks = ranks_of(line.substr(0, colon));
  if (end.ranks.empty()) return std::nullopt;
  std::string_view words = trimmed(line.substr(colon + 2));
  if (constexpr std::string_view core = " (core dumped)"; words.ends_with(core))
    words.remove_suffix(core.size());
  if (const auto code = behind(words, "Exited with exit code ")) {
    const auto number = leading_number(*code);
    if (!number) return std::nullopt;
    end.code = *number;
  } else if (words == "Out Of Memory") {
    end.how = How::out_of_memory;
  } else if (const auto signal = signal_number(words)) {
    end.how = How::signal;
    end.code = *signal;
  } else {
    return std::nullopt;
  }
  return end;
}

/// What srun and slurmstepd wrote.
struct StepLog {
  std::vector<TaskEnd> ends;
  std::vector<std::string> lost;  ///< hosts that failed
  std::string not_executed;       ///< why the program could not be executed
  bool ending = false;            ///< srun ends all tasks because one failed
  bool marked = false;            ///< the step was ended, by srun or from outside
  bool aborted = false;           ///< Slurm reported that to srun
  bool because = false;           ///< and why: a limit, a node, a job that goes before it
  bool outside_first = false;     ///< before any task had ended
  bool timed_out = false;         ///< srun gave up waiting for tasks that did not end
};

bool is_cancelled_mark(std::string_view line) {
  return line.starts_with("slurmstepd") && line.find(": error: *** ") != std::string_view::npos &&
         line.find(" CANCELLED AT ") != std::string_view::npos;
}

StepLog step_log(std::string_view text) {
  StepLog log;
  for (const std::string_view raw : split(text, '\n')) {
    const std::string_view line = launcher_part(trimmed(raw));
    if (line.empty()) continue;
    if (auto end = task_end(line)) {
      end->after_mark = log.outside_first;
      end->after_others = log.ending;
      log.ends.push_back(*std::move(end));
      continue;
    }
    const bool aborted =
        line.starts_with("srun: Job step aborted") || line.starts_with("srun: forcing job termination");
    if (aborted || is_cancelled_mark(line)) {
      log.marked = true;
      log.aborted = log.aborted || aborted;
      log.because = log.because || line.find(" DUE TO ") != std::string_view::npos;
      // Where srun ends the step itself, a task has failed, be it in words that are not known here.
      log.outside_first = log.outside_first || (log.ends.empty() && !log.ending);
    } else if (line.find(" Terminating StepId=") != std::string_view::npos ||
               line.starts_with("srun: Terminating job step ")) {
      log.ending = true;
    } else if (line.starts_with("srun: error: Timed out waiting for job step to complete")) {
      log.timed_out = true;
    } else if (const auto host = behind(line, "srun: error: Node failure on ")) {
      log.lost.push_back(first_word(*host));
    } else if (const auto why = behind(line, ": error: execve(): "); why && log.not_executed.empty()) {
      log.not_executed = *why;
    }
  }
  return log;
}

void add_to(RankFailure& failure, const TaskEnd& end) {
  failure.ranks.insert(failure.ranks.end(), end.ranks.begin(), end.ranks.end());
  for (const std::string& host : end.hosts)
    if (std::ranges::find(failure.hosts, host) == failure.hosts.end()) failure.hosts.push_back(host);
}

/// The end of the tasks that failed by themselves.
const TaskEnd* own_end(const StepLog& log) {
  // Nobody sends a fault's signal, and peers that lost it fail before its core is written.
  for (const TaskEnd& end : log.ends)
    if (end.how == How::out_of_memory || is_fault(end.how, end.code)) return &end;
  const auto every = [&](int signal) {
    return std::ranges::all_of(log.ends, [&](const TaskEnd& end) { return end.is(signal); });
  };
  const TaskEnd& first = log.ends.front();
  // All of a step that is cancelled are killed, and the first may be reported before the step.
  const bool killed_from_outside = first.is(SIGKILL) && log.aborted && every(SIGKILL);
  const bool own = !first.after_mark && !killed_from_outside;
  if (own && !first.is(SIGTERM) && !first.is(SIGINT)) return &first;
  // A process manager that cancels the step of a rank that aborts kills the others: none can go by itself.
  // Where they are asked to end (SIGTERM), they may.
  const auto any = [&](int signal) {
    return std::ranges::any_of(log.ends, [&](const TaskEnd& end) { return end.is(signal); });
  };
  if (!any(SIGKILL) || any(SIGTERM) || any(SIGINT) || log.because) return nullptr;
  const auto aborting =
      std::ranges::find_if(log.ends, [](const TaskEnd& end) { return !end.is_consequence(); });
  return aborting == log.ends.end() ? nullptr : &*aborting;
}

LauncherReport report_of(const StepLog& log) {
  LauncherReport report;
  if (!log.lost.empty()) {
    report.failure = RankFailure{.how = How::node_lost, .hosts = log.lost};
    return report;
  }
  if (log.ends.empty()) {
    report.cancelled = log.outside_first && !log.because;
    return report;
  }
  const TaskEnd* own = own_end(log);
  if (own == nullptr) {
    const TaskEnd& first = log.ends.front();
    const bool from_outside = log.marked || first.is(SIGTERM) || first.is(SIGINT);
    // Where srun ended the step before any of these tasks, another has failed in words that are not known
    // here.
    report.cancelled = from_outside && !first.after_others && !log.because;
    return report;
  }
  std::vector<TaskEnd> failed;
  for (const TaskEnd& end : log.ends)
    if (end.is_like(*own) && !(end.after_others && end.is_consequence())) failed.push_back(end);
  std::ranges::stable_sort(failed, {}, [](const TaskEnd& end) { return end.ranks.front(); });
  RankFailure failure{.how = own->how, .code = own->code};
  for (const TaskEnd& end : failed) add_to(failure, end);
  std::ranges::sort(failure.ranks);
  if (!log.not_executed.empty() && own->how == How::exit_code) {
    failure.how = How::not_executed;
    failure.reason = log.not_executed;
  }
  failure.ended_by = "Slurm";
  report.failure = std::move(failure);
  return report;
}

}  // namespace

LauncherReport srun_report(std::string_view stderr_text) {
  const StepLog log = step_log(stderr_text);
  LauncherReport report = report_of(log);
  report.timed_out = log.timed_out;
  for (const TaskEnd& end : log.ends)
    report.ended.insert(report.ended.end(), end.ranks.begin(), end.ranks.end());
  return report;
}

std::string host_of_task(std::string_view stderr_text, int rank) {
  for (const TaskEnd& end : step_log(stderr_text).ends)
    if (end.hosts.size() == 1 && std::ranges::find(end.ranks, rank) != end.ranks.end())
      return end.hosts.front();
  return {};
}

std::string launch_refusal(std::string_view text, std::span<const std::string> hosts) {
  // "srun: error: Task launch for StepId=1.1 failed on node cn3: Communication connection failure"
  std::string refusal;
  for (const std::string_view line : split(text, '\n')) {
    const auto launched_for = behind(line, "srun: error: Task launch for ");
    const auto where = launched_for ? behind(*launched_for, " failed on node ") : std::nullopt;
    if (!where) continue;
    const size_t colon = where->find(": ");
    if (colon != std::string_view::npos && std::ranges::find(hosts, where->substr(0, colon)) != hosts.end())
      refusal = "on " + std::string(trimmed(*where));
  }
  return refusal;
}

}  // namespace shakedown
