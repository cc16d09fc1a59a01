#include "suites/io500/reference/hash.hpp"

namespace io500 {

std::uint32_t hashed(std::string_view text, std::uint32_t hash) {
  for (const char c : text)
    hash = ((hash << 2U) | (hash >> 30U)) + static_cast<std::uint32_t>(static_cast<signed char>(c));
  return hash;
}

void add_pair(std::uint32_t& hash, std::string_view key, std::string_view value) {
  hash ^= hashed(value, hashed(key));
}

}  // namespace io500
