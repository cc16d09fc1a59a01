#include "orchestrator/core/printable.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace shakedown {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array<Range, 14> hidden = {{{0x7F, 0x9F},
                                           {0xAD, 0xAD},
                                           {0x600, 0x605},
                                           {0x61C, 0x61C},
                                           {0x6DD, 0x6DD},
                                           {0x70F, 0x70F},
                                           {0x180E, 0x180E},
                                           {0x200B, 0x200B},
                                           {0x200E, 0x200F},
                                           {0x2028, 0x202E},
                                           {0x2060, 0x206F},
                                           {0xFEFF, 0xFEFF},
                                           {0xFFF9, 0xFFFB},
                                           {0xE0000, 0xE0FFF}}};

bool is_hidden(char32_t point) {
  return point < 0x20 || std::ranges::any_of(hidden, [&](const Range& range) {
           return range.first <= point && point <= range.last;
         });
}

bool is_plain(char c) {
  return (c >= ' ' && c <= '~') || c == '\n' || c == '\t';
}

/// A character of UTF-8, and how many bytes it takes; `valid` is false for a byte that is none.
struct Character {
  char32_t point = 0;
  std::size_t bytes = 1;
  bool valid = false;
  bool cut = false;  ///< the text ends within it
};

Character character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1, true, false};
  const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0) return {};
  char32_t point = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (i == text.size()) return {0, i, false, true};
    if ((byte(i) & 0xC0u) != 0x80) return {};
    point = point << 6u | (byte(i) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (point < least.at(length) || surrogate || point > 0x10FFFF) return {};
  return {point, length, true, false};
}

/// As JSON escapes it; beyond 16 bits in two.
std::string escaped(char32_t point) {
  if (point <= 0xFFFF) return fmt::format("\\u{:04x}", static_cast<unsigned>(point));
  const unsigned rest = static_cast<unsigned>(point) - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10u), 0xDC00 + (rest & 0x3FFu));
}

bool has_control_byte(std::string_view bytes) {
  return std::ranges::any_of(bytes, [](unsigned char c) { return c >= 0x80 && c < 0xA0; });
}

}  // namespace

std::size_t append_printable(std::string& shown, std::string_view text, TextEncoding encoding) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_plain);
    const auto plain = static_cast<std::size_t>(end - text.begin()) - at;
    shown.append(text.substr(at, plain));
    at += plain;
    if (at == text.size()) break;
    const Character next = character_at(text.substr(at));
    if (next.cut) break;
    const std::string_view bytes = text.substr(at, next.bytes);
    if (!next.valid)
      shown += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(bytes.front())));
    else if (is_hidden(next.point) || (encoding == TextEncoding::eight_bit && has_control_byte(bytes)))
      shown += escaped(next.point);
    else
      shown += bytes;
    at += next.bytes;
  }
  return at;
}

std::string printable(std::string_view text, TextEncoding encoding) {
  std::string shown;
  shown.reserve(text.size());
  text.remove_prefix(append_printable(shown, text, encoding));
  for (const char c : text)  // a character that the text ends within
    shown += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return shown;
}

std::string printable_line(std::string_view text) {
  std::string line = printable(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

}  // namespace shakedown
