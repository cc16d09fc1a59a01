#pragma once
#include <optional>
#include <string>

#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/regression/check.hpp"

namespace shakedown {

/// The check that was begun and never came to its verdict: a power loss, a kill. The newest counts. Its id;
/// empty: there is none.
std::string unfinished_check(const Check& check, const CheckHistory& history);

/// A check that was cut short goes on by the configuration that it began with, and is told to those whom the
/// configuration names now. Nothing: it was given up.
Result<std::optional<int>> resumed_check(Check check, const std::string& id, FileLock& lock);

}  // namespace shakedown
