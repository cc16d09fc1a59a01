#pragma once
#include <string>
#include <vector>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// The attempts of a case that failed: begun, ended by nobody's wish, without a result that counts. What a
/// person stopped, and what never began, is none of them.
std::vector<const AttemptRecord*> failed_attempts(const CaseRecord& record);

/// "timed out", "lost", "finished with exit code 3", with the reason of the failure where there is one.
std::string ending(const AttemptRecord& attempt);

}  // namespace shakedown
