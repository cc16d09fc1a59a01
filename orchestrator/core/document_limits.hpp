#pragma once
#include <cstddef>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// How deep the tables, arrays and objects of a document may lie in each other: readers and writers recurse,
/// and no file of ours nests deeper than six.
inline constexpr int deepest_nesting = 64;

inline constexpr std::size_t most_toml_bytes = std::size_t{32} << 20;
inline constexpr std::size_t most_toml_values = 1'000'000;
inline constexpr std::size_t most_json_values = 2'000'000;
/// Of one object: a reader that preserves their order compares each key with all before it. The largest of
/// ours are a case's environment and input files; inventories of many nodes fold their names.
inline constexpr std::size_t most_json_members = 2'000;

/// Whether a reader can take `text` without more stack and memory than its size explains. Fails with the line
/// (`name:14`) where TOML has more than the above of bytes, of keys and elements, or of levels; a dotted key
/// of n parts is n levels. Text that is no TOML may be accepted here: its reader refuses it.
Result<void> toml_within_limits(std::string_view text, std::string_view name);

/// As above, for JSON, with the members of an object besides; its bytes are limited where it is read from a
/// file.
Result<void> json_within_limits(std::string_view text, std::string_view name);

}  // namespace shakedown
