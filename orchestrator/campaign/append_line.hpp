#pragma once
#include <filesystem>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Adds a line, a JSON document without its newline, to a file that is only ever appended to, and is the
/// truth: it survives a power loss when this returns, writers exclude each other, and a line that was cut
/// before goes; one that lacks just its newline stays. Makes the file and its folder. Fails (environment)
/// where it can't be written or locked.
Result<void> append_line(const std::filesystem::path& path, std::string_view line);

}  // namespace shakedown
