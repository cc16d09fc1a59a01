#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace io500 {

/// A value, or one sentence on what is wrong and where.
template <class Value>
using Result = tl::expected<Value, std::string>;

/// As printf.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

/// "what: No space left on device", by errno.
std::string system_text(const std::string& what);

/// IO500's hash of a text. Source: IO500, src/util.c, u_hash_update().
std::uint32_t hashed(std::string_view text, std::uint32_t hash = 0);

/// Adds a pair to a hash that does not depend on their order. Source: u_hash_update_key_val().
void add_pair(std::uint32_t& hash, std::string_view key, std::string_view value);

}  // namespace io500
