#pragma once
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// SHA-256 of `data` as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view data);

/// A hash in groups of eight digits, as people compare it by eye and by telephone:
/// "1751017f 107626e8 2d492292 ...".
std::string in_groups(std::string_view hash);

/// SHA-256 of a file's content, or of its first `bytes`, read in pieces.
Result<std::string> sha256_of_file(const std::filesystem::path& path,
                                   std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace shakedown
