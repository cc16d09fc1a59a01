#include "suites/io500/reference/text.hpp"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace io500 {

std::string text(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string out(length > 0 ? static_cast<size_t>(length) : 0, '\0');
  if (length > 0) std::vsnprintf(out.data(), out.size() + 1, format, again);
  va_end(again);
  return out;
}

std::string system_text(const std::string& what) {
  return what + ": " + std::strerror(errno);
}

std::uint32_t hashed(std::string_view text, std::uint32_t hash) {
  for (const char c : text)
    hash = ((hash << 2U) | (hash >> 30U)) + static_cast<std::uint32_t>(static_cast<signed char>(c));
  return hash;
}

void add_pair(std::uint32_t& hash, std::string_view key, std::string_view value) {
  hash ^= hashed(value, hashed(key));
}

}  // namespace io500
