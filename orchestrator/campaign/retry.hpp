#pragma once
#include <string>
#include <vector>

#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// What follows from how an attempt ended.
struct Retry {
  bool again = false;  ///< the machine failed it, not the benchmark: another attempt is fair
  std::vector<std::string>
      suspected;        ///< nodes that are at fault, as far as anything tells; also if not `again`
  std::string because;  ///< "node failure", in the words of whoever told
};

/// Whether an ended attempt is tried again. Only what the machine did to it is: a node that failed, a
/// launcher that could not start, a job that vanished or was preempted. What the benchmark said of itself
/// never is, be it a wrong result, an exit code, its time limit or too little memory: else an invalid system
/// would be retried until it passes. Neither is what a person stopped.
///
/// `hosts`: the attempt's nodes. `job_state`: of its job, where the scheduler was asked; null: it was not.
/// `suspects`: those of `hosts` that its failure points to, as its launcher reports it; they count against
/// themselves alone, be the attempt tried again or not.
Retry retry_after(const AttemptRecord& attempt, const std::vector<std::string>& hosts,
                  const JobState* job_state, const std::vector<std::string>& suspects = {});

/// Why an attempt that ended for good keeps the stages above its case's from beginning: it left no result, or
/// an invalid one. Empty: it does not.
std::string objection_to_next_stage(const AttemptRecord& attempt, const Case& planned);

}  // namespace shakedown
