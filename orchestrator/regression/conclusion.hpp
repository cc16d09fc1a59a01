#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/regression/check.hpp"

namespace shakedown {

/// What a check was planned with.
struct PlannedWith {
  std::vector<std::string> notes;  ///< what was left to later checks, and why
  std::vector<std::string> runs;   ///< labels of the configuration's runs that it has
  std::vector<std::string> hosts;  ///< that jobs can get
};

/// Runs a check to its verdict, keeps that, reports, says and tells it: each whatever becomes of the others.
/// One that got no node in the queue is no check: it is closed, and skipped. The result is the exit code.
Result<int> concluded_check(const Check& check, const std::string& id, FileLock& lock,
                            const PlannedWith& planned);

}  // namespace shakedown
