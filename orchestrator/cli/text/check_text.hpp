#pragma once
#include <string>

#include "orchestrator/regression/check.hpp"

namespace shakedown {

/// A skipped check for people and as `shakedown.regression/1`.
std::string check_text(const SkippedCheck& skipped);
std::string check_json(const SkippedCheck& skipped);

/// A check's verdict with a line a series, and as `shakedown.regression/1`. `with_changes`: with each change
/// of the baseline.
std::string check_text(const ConcludedCheck& concluded, bool with_changes);
std::string check_json(const ConcludedCheck& concluded);

}  // namespace shakedown
