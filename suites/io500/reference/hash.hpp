#pragma once

#include <cstdint>
#include <string_view>

namespace io500 {

/// IO500's hash of a text. Source: IO500, src/util.c, u_hash_update().
std::uint32_t hashed(std::string_view text, std::uint32_t hash = 0);

/// Adds a pair to a hash that does not depend on their order. Source: u_hash_update_key_val().
void add_pair(std::uint32_t& hash, std::string_view key, std::string_view value);

}  // namespace io500
