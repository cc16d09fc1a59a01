#pragma once
#include <string>
#include <vector>

#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// What follows from how an attempt ended.
struct Retry {
  bool again = false;                  ///< the machine failed it, not the benchmark: another attempt is fair
  std::vector<std::string> suspected;  ///< nodes that are at fault, as far as known; also if not `again`
  std::string because;                 ///< "node failure", in the words of whoever reported it
};

/// Whether an ended attempt is retried. Only failures of the infrastructure are: a node that failed, a
/// launcher that could not start, a program that a signal killed while MPI started, in its first 30 seconds
/// before it printed anything, a job that vanished or was preempted. A failure that the benchmark itself
/// reports never is, be it a wrong result, an exit code, its time limit or too little memory: else an invalid
/// system would be retried until it passes. Nor is what a person stopped.
///
/// `hosts`: the attempt's nodes. `job_state`: of its job, where the scheduler was asked; null: it was not.
/// `suspects`: those of `hosts` that its failure points to, as its launcher reports it; they count against
/// themselves alone, be the attempt retried or not.
Retry retry_after(const AttemptRecord& attempt, const std::vector<std::string>& hosts,
                  const JobState* job_state, const std::vector<std::string>& suspects = {});

/// Why the stages above a case can't begin after its attempt that ended for good: it has no result, or an
/// invalid one. Empty: they can.
std::string objection_to_next_stage(const AttemptRecord& attempt, const Case& planned);

}  // namespace shakedown
