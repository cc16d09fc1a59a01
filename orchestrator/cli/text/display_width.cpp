#include "orchestrator/cli/text/display_width.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/printable.hpp"

namespace shakedown {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array<Range, 8> narrowless = {{{0x0300, 0x036F},
                                              {0x1AB0, 0x1AFF},
                                              {0x1DC0, 0x1DFF},
                                              {0x200B, 0x200F},
                                              {0x2060, 0x2064},
                                              {0x20D0, 0x20FF},
                                              {0xFE00, 0xFE0F},
                                              {0xFE20, 0xFE2F}}};

constexpr std::array<Range, 9> wide = {{{0x1100, 0x115F},
                                        {0x2E80, 0x303E},
                                        {0x3041, 0xA4CF},
                                        {0xAC00, 0xD7A3},
                                        {0xF900, 0xFAFF},
                                        {0xFE30, 0xFE6F},
                                        {0xFF00, 0xFF60},
                                        {0x1F300, 0x1FAFF},
                                        {0x20000, 0x3FFFD}}};

template <std::size_t n>
bool holds(const std::array<Range, n>& ranges, char32_t point) {
  return std::ranges::any_of(ranges,
                             [&](const Range& range) { return range.first <= point && point <= range.last; });
}

/// A sign and how many bytes it takes.
struct Sign {
  std::size_t bytes = 1;
  int columns = 1;
};

Sign sign_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 1;
  if (length == 1 || at + length > text.size()) return {};
  char32_t point = lead & (0x7Fu >> length);
  for (std::size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80) return {};
    point = point << 6u | (byte(i) & 0x3Fu);
  }
  return {length, holds(narrowless, point) ? 0 : holds(wide, point) ? 2 : 1};
}

}  // namespace

int display_width(std::string_view text) {
  int columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Sign sign = sign_at(text, at);
    columns += sign.columns;
    at += sign.bytes;
  }
  return columns;
}

std::string cut_to(std::string_view text, int columns, std::string_view mark) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns <= 0) return "";
  int width = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const Sign sign = sign_at(text, at);
    if (width + sign.columns > columns - 1) break;
    width += sign.columns;
    at += sign.bytes;
  }
  return std::string(text.substr(0, at)) + std::string(mark);
}

std::string padded_to(std::string text, int columns) {
  const int missing = columns - display_width(text);
  if (missing > 0) text.append(static_cast<std::size_t>(missing), ' ');
  return text;
}

std::string one_line(std::string_view text) {
  return printable_line(text);
}

}  // namespace shakedown
