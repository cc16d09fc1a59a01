#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// This process's environment with others ("NAME=value") instead of or beside it, and the end; the strings of
/// `more` stay the caller's.
std::vector<char*> environment_with(const std::vector<std::string>& more);

/// Starts a program in `folder`, in a session of its own, with its streams at /dev/null and every signal as
/// it is by default. `environment`: "NAME=value" beside or instead of ours. `descriptor`: one of ours that it
/// gets as 3; -1: it gets none. Returns its pid, a child of ours. Fails (environment) when it can't be
/// started.
Result<int> spawned(const std::vector<std::string>& argv, const std::filesystem::path& folder,
                    const std::vector<std::string>& environment, int descriptor = -1);

}  // namespace shakedown
