#pragma once
#include <optional>
#include <string>

#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/regression/check.hpp"
#include "orchestrator/regression/check_judgement.hpp"

namespace shakedown {

/// A check that has run as far as it could.
struct MeasuredCheck {
  CheckState standing;
  std::string waited;  ///< why it has no more: its jobs never began; empty: it has all
};

/// Runs the remaining runs of a check, and the repeats that its suspicions ask for; if it is outdated
/// (`is_outdated`) these stay open. Nothing: interrupted by `signal`.
Result<std::optional<MeasuredCheck>> measured_check(const Check& check, const std::string& id, FileLock& lock,
                                                    int& signal);

}  // namespace shakedown
