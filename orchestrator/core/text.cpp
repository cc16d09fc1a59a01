#include "orchestrator/core/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace shakedown {
namespace {

/// As the C locale's isspace: blank, tab, line feed, vertical tab, form feed, carriage return.
bool is_white(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Optimal string alignment distance: insertions, deletions, substitutions, adjacent letters swapped.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string in_single_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

/// A text with characters that no terminal may be given: the shell makes them, from their octal numbers.
std::string in_pieces(std::string_view text) {
  std::string quoted;
  const auto is_visible = [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; };
  while (!text.empty()) {
    const auto visible = static_cast<size_t>(std::ranges::find_if_not(text, is_visible) - text.begin());
    if (visible > 0) quoted += in_single_quotes(text.substr(0, visible));
    text.remove_prefix(visible);
    const auto hidden = static_cast<size_t>(std::ranges::find_if(text, is_visible) - text.begin());
    if (hidden > 0) quoted += "\"$(printf '";
    for (const char c : text.substr(0, hidden))
      quoted += fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    if (hidden > 0) quoted += "')\"";
    text.remove_prefix(hidden);
  }
  return quoted;
}

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

constexpr auto is_plain = [](char c) {
  const bool visible = c >= ' ' && c <= '~';
  return visible | (c == '\n') | (c == '\t');
};

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

std::string_view trimmed(std::string_view text) {
  size_t first = 0;
  size_t end = text.size();
  while (first < end && is_white(text[first])) ++first;
  while (end > first && is_white(text[end - 1])) --end;
  return first == end ? std::string_view() : text.substr(first, end - first);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const size_t at = text.find(separator);
    pieces.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return pieces;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> pieces;
  constexpr std::size_t usual = 8;
  pieces.reserve(usual);
  size_t at = 0;
  while (true) {
    while (at < text.size() && is_white(text[at])) ++at;
    if (at == text.size()) return pieces;
    const size_t first = at;
    while (at < text.size() && !is_white(text[at])) ++at;
    pieces.push_back(text.substr(first, at - first));
  }
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

std::string upper(std::string_view text) {
  std::string large(text);
  for (char& c : large)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return large;
}

std::string on_one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

std::string plural(std::int64_t number, std::string_view one, std::string_view many) {
  if (number == 1 || many.empty()) return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
  return fmt::format("{} {}", number, many);
}

std::string joined(std::span<const std::string> pieces, std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) text += separator;
    text += pieces[i];
  }
  return text;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  size_t best = std::max<size_t>(1, name.size() / 3) + 1;
  const std::string* nearest = nullptr;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
  }
  return nearest == nullptr ? "" : fmt::format(" (did you mean '{}'?)", *nearest);
}

std::string shell_quoted(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  return printable(text) == text ? in_single_quotes(text) : in_pieces(text);
}

std::string shell_command(std::string_view word) {
  std::string quoted = shell_quoted(word);
  static constexpr std::array<std::string_view, 17> reserved = {
      "if",    "then",  "else", "elif", "fi",   "do",     "done",     "case",  "esac",
      "while", "until", "for",  "in",   "time", "select", "function", "coproc"};
  const bool special =
      std::ranges::find(reserved, word) != reserved.end() || word.find('=') != std::string_view::npos;
  return special && quoted == word ? in_single_quotes(word) : quoted;
}

std::string shell_line(std::span<const std::string> argv) {
  std::string line;
  for (const std::string& word : argv) line += line.empty() ? shell_command(word) : " " + shell_quoted(word);
  return line;
}

std::string command_for(std::string_view words, const std::filesystem::path& workspace) {
  std::string line = fmt::format("shakedown {}", words);
  if (workspace != default_workspace) line += " -w " + shell_quoted(workspace.string());
  return line;
}

std::size_t append_printable(std::string& shown, std::string_view text, TextEncoding encoding) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t plain = prefix_size(text.substr(at), is_plain);
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
