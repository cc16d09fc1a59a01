#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "orchestrator/core/file.hpp"

namespace shakedown {

/// The largest file that `file_content` reads: 256 MiB.
inline constexpr std::size_t largest_content = std::size_t{256} << 20;

/// As `file_content`, for at most `most` bytes. Both fail (environment) with the system's reason, and, at
/// once and unread, for anything else that may lie in a folder of others: a folder, a pipe, a device, a
/// socket, a larger file (input).
Result<std::string> file_content_within(const fs::path& path, std::size_t most);

/// The most that is read of a pipe or a device, whose size nobody knows before: 64 MiB.
inline constexpr std::size_t largest_stream = std::size_t{64} << 20;

/// As `file_content`, for what the user named: a pipe that somebody writes to (`<(command)`) and a device are
/// read too, up to `largest_stream`.
Result<std::string> named_file_content(const fs::path& path);

/// As `write_file`, for a path that the user named: a pipe and a device (/dev/stdout) are written to, also
/// through a link.
Result<void> write_named_file(const fs::path& path, std::string_view content);

/// What stands at `path` where it is neither a regular file nor a folder: "a pipe", "a device", "a socket";
/// empty otherwise. Links are followed.
std::string_view special_file(const fs::path& path);

}  // namespace shakedown
