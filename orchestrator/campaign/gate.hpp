#pragma once
#include <string>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Why an attempt that ended for good keeps the stages above its case's from beginning: it left no result, or
/// an invalid one. Empty: it does not.
std::string objection_to_next_stage(const AttemptRecord& attempt, const Case& planned);

}  // namespace shakedown
