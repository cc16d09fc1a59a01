#pragma once
#include <span>
#include <string>

namespace shakedown {

/// A command as job.sh has it: each word quoted for sh, `{run}` in it as the folder that the shell is in.
std::string script_line(std::span<const std::string> words);

}  // namespace shakedown
