#pragma once
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/regression/check.hpp"
#include "orchestrator/regression/check_judgement.hpp"

namespace shakedown {

/// What a check was planned with.
struct PlannedWith {
  std::vector<std::string> notes;  ///< what was postponed to later checks, and why
  std::vector<std::string> runs;   ///< labels of the configuration's runs that it has
  std::vector<std::string> hosts;  ///< that jobs can get
};

/// Runs a check to its verdict, records, reports, prints and notifies it: each whatever becomes of the
/// others. One that got no node in the queue is no check: it is closed, and skipped. The result is the exit
/// code.
Result<int> concluded_check(const Check& check, const std::string& id, FileLock& lock,
                            const PlannedWith& planned);

/// Records, prints and notifies that there is no check now. The result is the exit code. `because`: a
/// sentence.
Result<int> skipped_check(const Check& check, const std::string& because);

/// Records and notifies that a check ended in an error, which is its end. If it can't be recorded the
/// textfile stays as it was: the workspace's record of its series can't be read, either.
void failed_check(const Check& check, const Error& error);

/// The same before there was a lock, and it may be before anything was known of the system: it is then the
/// one whose checks alone the workspace has, or what the configuration calls it.
tl::unexpected<Error> failed_early(Check& check, Error error);

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
