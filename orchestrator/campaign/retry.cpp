#include "orchestrator/campaign/retry.hpp"

#include <algorithm>
#include <array>

namespace shakedown {
namespace {

/// Whose node is known: an attempt of one node, or those that the scheduler or the launcher names among the
/// attempt's.
std::vector<std::string> suspected_nodes(const std::vector<std::string>& hosts, const JobState* job_state,
                                         const std::vector<std::string>& suspects = {}) {
  if (job_state != nullptr && !job_state->failed_nodes.empty()) {
    std::vector<std::string> suspected;
    for (const std::string& node : job_state->failed_nodes)
      if (std::ranges::find(hosts, node) != hosts.end()) suspected.push_back(node);
    return suspected;
  }
  return hosts.size() == 1 ? hosts : suspects;
}

/// Ends of a job that are the machine's doing.
bool is_machines(JobEnd end) {
  constexpr std::array ends = {JobEnd::unknown,  JobEnd::node_failed, JobEnd::preempted,
                               JobEnd::requeued, JobEnd::completed,   JobEnd::failed};
  return std::ranges::find(ends, end) != ends.end();
}

/// Failures in a log that are the machine's doing.
bool is_machines(FailureKind kind) {
  constexpr std::array kinds = {FailureKind::node_failure, FailureKind::preempted,
                                FailureKind::launch_failed};
  return std::ranges::find(kinds, kind) != kinds.end();
}

/// Whether Open MPI's trace is of a call to nowhere, which leaves no frames but the signal handler's: Open
/// MPI 4.1.4 calls what is not registered yet where a message of btl/tcp comes while it still starts.
bool called_nothing(const std::string& trace) {
  const auto holds = [&](const char* text) { return trace.find(text) != std::string::npos; };
  return holds("Failing at address: (nil)") && holds("] [ 0] ") && !holds("] [ 1] ");
}

/// Whether a signal killed the program while MPI started: in its first seconds, before it printed a byte, and
/// with MPI's start in the trace, or none. Output waits in the program's buffer, so that alone does not show
/// it.
bool crashed_at_mpi_start(const AttemptRecord& attempt) {
  constexpr double start_s = 30;
  constexpr std::array starts = {"MPI_Init", "PMIx_Init", "ompi_mpi_init", "MPID_Init", "mca_pmix"};
  const auto file = [&](const char* name) {
    return std::ranges::find(attempt.files, name, &FileRecord::name);
  };
  const auto output = file("stdout.log");
  const auto trace = file("stderr.log");
  return attempt.failure_kind == FailureKind::signal && attempt.results.empty() && attempt.wall_s > 0 &&
         attempt.wall_s < start_s && output != attempt.files.end() && output->bytes == 0 &&
         trace != attempt.files.end() &&
         (called_nothing(trace->excerpt) || std::ranges::any_of(starts, [&](const char* start) {
            return trace->excerpt.find(start) != std::string::npos;
          }));
}

}  // namespace

Retry retry_after(const AttemptRecord& attempt, const std::vector<std::string>& hosts,
                  const JobState* job_state, const std::vector<std::string>& suspects) {
  if (is_without_end(attempt.state)) {
    // It began, or should have, and did not record its end: only the scheduler can know.
    const JobEnd end = job_state != nullptr ? job_state->end : JobEnd::unknown;
    // What waited behind an attempt that took too much did not: it never began.
    const bool waited = attempt.started_s <= 0 && (end == JobEnd::timed_out || end == JobEnd::out_of_memory);
    if (!is_machines(end) && !waited) return {};
    // Its script ended, and the attempt's last word is missing: that is a disk's doing rather than a node's.
    const bool named = job_state != nullptr && !job_state->failed_nodes.empty();
    const bool of_the_node =
        end == JobEnd::node_failed || named || (end == JobEnd::unknown && attempt.started_s > 0);
    return {true, of_the_node ? suspected_nodes(hosts, job_state) : std::vector<std::string>(),
            job_state != nullptr ? end_text(*job_state) : std::string(to_string(end))};
  }
  if (attempt.state == AttemptState::interrupted && job_state != nullptr) {
    // Not by us: the batch system ended it before the machine did, or took its nodes away.
    // Where its script ended, so did the job, and Slurm ended what still ran of it.
    constexpr std::array taken = {JobEnd::node_failed, JobEnd::preempted, JobEnd::requeued, JobEnd::completed,
                                  JobEnd::failed};
    if (std::ranges::find(taken, job_state->end) == taken.end()) return {};
    const bool of_the_node = job_state->end == JobEnd::node_failed;
    return {true, of_the_node ? suspected_nodes(hosts, job_state) : std::vector<std::string>(),
            end_text(*job_state)};
  }
  if (attempt.state == AttemptState::not_started)
    return {true, hosts.size() == 1 ? hosts : suspects, attempt.failure};
  if (attempt.state != AttemptState::finished || !attempt.failure_kind) return {};
  if (is_machines(*attempt.failure_kind))
    return {true,
            attempt.failure_kind == FailureKind::preempted ? std::vector<std::string>()
                                                           : suspected_nodes(hosts, job_state, suspects),
            attempt.failure};
  return {crashed_at_mpi_start(attempt), suspects, attempt.failure};
}

std::string objection_to_next_stage(const AttemptRecord& attempt, const Case& planned) {
  if (attempt.state != AttemptState::finished)
    return fmt::format("attempt {} {}{}{}", attempt.index, to_string(attempt.state),
                       attempt.failure.empty() ? "" : ": ", attempt.failure);
  const auto invalid = std::ranges::find(attempt.results, Validity::invalid, &ResultRecord::validity);
  if (invalid != attempt.results.end()) {
    const auto broken = std::ranges::find_if(invalid->rules, [](const RuleResult& rule) {
      return rule.severity == Severity::validity && rule.status == RuleStatus::fail;
    });
    return broken == invalid->rules.end()
               ? "its result is invalid"
               : fmt::format("its result is invalid by {}: {}", broken->id, broken->text);
  }
  const bool complete =
      std::ranges::any_of(attempt.results, [](const ResultRecord& result) { return result.parsed.complete; });
  if (!planned.parser.empty() && !complete)
    return attempt.failure.empty() ? "it left no result" : attempt.failure;
  if (planned.parser.empty() && attempt.exit_code.value_or(0) != 0)
    return attempt.failure.empty() ? fmt::format("exit code {}", *attempt.exit_code) : attempt.failure;
  return "";
}

}  // namespace shakedown
