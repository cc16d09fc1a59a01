#pragma once
#include <optional>
#include <string>

#include "orchestrator/cli/support/pass_frame.hpp"
#include "orchestrator/core/file_lock.hpp"

namespace shakedown {

/// The pass that was begun and never came to its verdict: a power loss, a kill. The newest counts. Its id;
/// empty: there is none.
std::string unfinished_pass(const PassFrame& frame, const PassHistory& history);

/// A pass that was cut short goes on by the configuration that it began with, and is told to those whom the
/// configuration names now. Nothing: it was given up.
Result<std::optional<int>> finished_pass(PassFrame frame, const std::string& id, FileLock& lock);

}  // namespace shakedown
