#pragma once
#include <string>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// What is said in place of a time to train of a training that did not reach its target: "aborted after
/// 3.2 min", "target missed after 3.2 min". Empty where it did reach it, or where the result is none of a
/// training.
[[nodiscard]] std::string ended_without_target(const ResultRecord& result);

}  // namespace shakedown
