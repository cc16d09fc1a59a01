#pragma once
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// The hosts of a hostlist in Slurm's notation: "cn[001-098,100],login1" -> 100 names, in order. Widths of
/// zero-padded numbers are preserved; several brackets in one name multiply. Fails with the position of the
/// first wrong character, on a range that runs backwards, on doubled hosts and on more than 1,000,000 hosts.
Result<std::vector<std::string>> expanded_hostlist(std::string_view text);

/// The shortest hostlist of `hosts` in the same notation; order of first appearance by prefix, numbers
/// ascending.
std::string folded_hostlist(std::span<const std::string> hosts);

/// The most digits that are read as one number of a host name: it fits 64 bits with room.
inline constexpr size_t most_digits = 15;

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The value of at most 15 digits.
constexpr std::uint64_t value_of(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

/// The width of a zero-padded number; 0 for any other number.
constexpr size_t padding_of(std::string_view digits) {
  return digits.size() > 1 && digits[0] == '0' ? digits.size() : 0;
}

/// Appends the number, with zeros before it up to `width` digits.
inline void append_padded(std::string& text, std::uint64_t value, size_t width) {
  char digits[20];  // of the largest 64-bit number
  const auto size = static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr - digits);
  if (size < width) text.append(width - size, '0');
  text.append(digits, size);
}

inline std::string padded(std::uint64_t value, size_t width) {
  std::string text;
  append_padded(text, value, width);
  return text;
}

/// A host name around its last number: the text before it, its digits, the text after it.
struct LastNumber {
  std::string_view before;
  std::string_view digits;  ///< empty: the name has no number, all of it is in `before`
  std::string_view after;
};

constexpr LastNumber last_number(std::string_view name) {
  size_t end = name.size();
  while (end > 0 && !is_digit(name[end - 1])) --end;
  if (end == 0) return {name, {}, {}};
  size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1]) && end - begin < most_digits) --begin;
  return {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
}

}  // namespace shakedown
