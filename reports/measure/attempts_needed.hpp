#pragma once
#include <string>
#include <vector>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Whether an attempt's program ended by itself, with whatever exit code.
bool ended_by_itself(const AttemptRecord& attempt);

/// Whether an attempt went away before it began: its job, say, was taken out of a queue.
bool never_began(const AttemptRecord& attempt);

/// Whether a person ended it. What a batch system took away says so, and is a failure.
bool stopped_by_hand(const AttemptRecord& attempt);

/// The attempts of a case that failed: begun, and without a result that counts, or cut by what is nobody's
/// wish. What a person stopped, and what never began, is none of them.
std::vector<const AttemptRecord*> failed_attempts(const CaseRecord& record);

/// As many as a case needed: those that failed, and the one that did not, if any.
int attempts_needed(const CaseRecord& record);

/// "timed out", "lost", "finished with exit code 3", with the reason of the failure where there is one.
std::string ending(const AttemptRecord& attempt);

}  // namespace shakedown
