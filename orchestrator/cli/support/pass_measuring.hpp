#pragma once
#include <optional>
#include <string>

#include "orchestrator/cli/support/pass_frame.hpp"
#include "orchestrator/cli/support/pass_judgement.hpp"
#include "orchestrator/core/file_lock.hpp"

namespace shakedown {

/// A pass that has run as far as it could.
struct MeasuredPass {
  PassStanding standing;
  std::string waited;  ///< why it has no more: its jobs never began; empty: it has all
};

/// Runs what a pass lacks, and the repeats that its suspicions ask for; where it is outdated (`is_outdated`)
/// these stay open. Nothing: interrupted by `signal`.
Result<std::optional<MeasuredPass>> measured_pass(const PassFrame& frame, const std::string& id,
                                                  FileLock& lock, int& signal);

}  // namespace shakedown
