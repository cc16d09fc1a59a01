#pragma once
#include <string>
#include <vector>

#include "orchestrator/cli/support/pass_frame.hpp"
#include "orchestrator/core/file_lock.hpp"

namespace shakedown {

/// What a pass was planned with.
struct PlannedWith {
  std::vector<std::string> notes;  ///< what was left to later passes, and why
  std::vector<std::string> runs;   ///< labels of the configuration's runs that it has
  std::vector<std::string> hosts;  ///< that jobs can get
};

/// Runs a pass to its verdict, keeps that, reports, says and tells it: each whatever becomes of the others.
/// One that got no node in the queue is no pass: it is closed, and skipped. The result is the exit code.
Result<int> ended_pass(const PassFrame& frame, const std::string& id, FileLock& lock,
                       const PlannedWith& planned);

}  // namespace shakedown
