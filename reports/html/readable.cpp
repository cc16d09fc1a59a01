#include <cstdint>

#include "reports/html/template.hpp"

namespace shakedown {
namespace {

constexpr std::string_view replacement = "\uFFFD";

/// Length of the UTF-8 character that starts `text`, or 0 where none does (RFC 3629: shortest form, no
/// surrogates, at most U+10FFFF).
size_t character_length(std::string_view text) {
  const auto at = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto tail = [&](size_t i) { return (at(i) & 0xC0U) == 0x80U; };
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool shortest = lead != 0xE0 || at(1) >= 0xA0;
    const bool no_surrogate = lead != 0xED || at(1) < 0xA0;
    return tail(1) && tail(2) && shortest && no_surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool in_range = (lead != 0xF0 || at(1) >= 0x90) && (lead != 0xF4 || at(1) < 0x90);
    return tail(1) && tail(2) && tail(3) && in_range ? 4 : 0;
  }
  return 0;
}

/// Length of a terminal's colour code (`ESC [ ... m` and its kin) that starts `text`, or 0.
size_t escape_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const size_t end = text.find_first_not_of("0123456789;?", 2);
  return end == std::string_view::npos ? text.size() : end + 1;
}

}  // namespace

std::string readable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (const size_t code = escape_length(text); code > 0) {
      text.remove_prefix(code);
      continue;
    }
    const size_t length = character_length(text);
    const auto lead = static_cast<unsigned char>(text.front());
    if (length == 0)
      out += replacement;
    else if (lead >= 0x20 ? lead != 0x7F : lead == '\n' || lead == '\t')
      out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace shakedown
