#include "parsers/lines.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

constexpr char escape = '\x1b';
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Of a host's name, by the character's number: every line's first word is looked through.
constexpr auto of_label = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

/// Length of the escape sequence at the start of `text`; an unfinished one is as long as the text.
size_t sequence_length(std::string_view text) {
  if (text.size() < 2) return text.size();
  if (text[1] == '[') {
    size_t at = 2;
    while (at < text.size() && (text[at] < '@' || text[at] > '~')) ++at;
    return std::min(at + 1, text.size());
  }
  if (text[1] == ']') {  // up to BEL or ESC backslash
    const size_t end = text.find_first_of("\a\x1b", 2);
    if (end == std::string_view::npos) return text.size();
    return std::min(end + (text[end] == escape ? 2 : 1), text.size());
  }
  return 2;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view without_one_blank(std::string_view text) {
  if (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

/// "[1,0]<stdout>:", "[prterun-n1-7@1,0]<stdout>: ", "[0] ", "[2025-06-08 23:23:45] ". Empty: no such prefix.
size_t bracket_prefix(std::string_view text) {
  const size_t close = text.find(']');
  if (close == std::string_view::npos || close < 2 || close > 80) return 0;
  std::string_view inside = text.substr(1, close - 1);
  const size_t at = inside.find('@');
  if (at != std::string_view::npos) inside.remove_prefix(at + 1);
  if (inside.empty() || !is_digit(inside.front())) return 0;
  if (inside.find_first_not_of("0123456789,:.-+/ TZ") != std::string_view::npos) return 0;
  size_t end = close + 1;
  for (const std::string_view stream : {"<stdout>", "<stderr>", "<stddiag>"})
    if (text.substr(end).starts_with(stream)) end += stream.size();
  if (end < text.size() && text[end] == ':') return end + 1;
  if (end == close + 1 && end < text.size() && text[end] != ' ') return 0;  // "[0]x" is no prefix
  return end;
}

/// "0:", "cn001:" before a blank or the line's end. `text` starts with a letter or a digit.
size_t label_prefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && of_label[static_cast<unsigned char>(text[at])]) ++at;
  if (at >= text.size() || text[at] != ':') return 0;
  if (std::none_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), is_digit)) return 0;
  if (at + 1 < text.size() && text[at + 1] != ' ' && text[at + 1] != '\t') return 0;
  return at + 1;
}

/// "2025-06-08T23:23:45.123Z", "2025-06-08 23:23:45.123", "23:23:45.123".
size_t time_prefix(std::string_view text) {
  const auto shaped = [](std::string_view piece, std::string_view shape) {
    if (piece.size() < shape.size()) return false;
    for (size_t i = 0; i < shape.size(); ++i)
      if (shape[i] == '0' ? !is_digit(piece[i]) : shape[i] != piece[i]) return false;
    return true;
  };
  size_t at = 0;
  if (shaped(text, "0000-00-00") && text.size() > 10 && (text[10] == 'T' || text[10] == ' ')) at = 11;
  if (!shaped(text.substr(at), "00:00:00")) return 0;
  at += 8;
  while (at < text.size() &&
         (is_digit(text[at]) || std::string_view(".,Z+-:").find(text[at]) != std::string_view::npos))
    ++at;
  return at == text.size() || text[at] == ' ' || text[at] == '\t' ? at : 0;
}

/// Open MPI's --timestamp-output: "Fri Mar  1 12:00:00 2024" right before "[1,0]<stdout>:" or "<stdout>:".
size_t ctime_prefix(std::string_view text) {
  constexpr std::string_view shape = "Aaa Aaa 00 00:00:00 0000";
  if (text.size() <= shape.size() || text[3] != ' ' || text[7] != ' ') return 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool fits = shape[i] == 'A'   ? text[i] >= 'A' && text[i] <= 'Z'
                      : shape[i] == 'a' ? text[i] >= 'a' && text[i] <= 'z'
                      : shape[i] == '0' ? is_digit(text[i]) || (i == 8 && text[i] == ' ')
                                        : text[i] == shape[i];
    if (!fits) return 0;
  }
  const std::string_view rest = text.substr(shape.size());
  if (rest.front() == '[' && bracket_prefix(rest) != 0) return shape.size();
  for (const std::string_view stream : {"<stdout>:", "<stderr>:"})
    if (rest.starts_with(stream)) return shape.size() + stream.size();
  return 0;
}

constexpr std::string_view banner = "HPLinpack ";

/// The text before HPL's banner on its line, where a launcher may have put it before every line: it ends with
/// a blank or a colon and has a letter or a digit, which quotation marks have not. Nothing: the line has no
/// banner.
std::optional<std::string_view> before_banner(std::string_view text) {
  constexpr size_t longest = 120;
  const size_t at = text.find(banner);
  if (at == std::string_view::npos || text.find("  --  ", at) == std::string_view::npos) return std::nullopt;
  const std::string_view prefix = text.substr(0, at);
  const bool word =
      std::any_of(prefix.begin(), prefix.end(), [](char c) { return is_digit(c) || is_letter(c); });
  const bool ends = prefix.ends_with(' ') || prefix.ends_with('\t') || prefix.ends_with(':');
  return word && ends && at <= longest ? prefix : std::string_view{};
}

/// `text` without time stamp and rank prefix; the stamp that was taken off is put into `stamp`.
std::string_view unprefixed(std::string_view text, std::string_view& stamp) {
  // A launcher's label around another's, or a time stamp before a label: never more than three.
  for (int round = 0; round < 3; ++round) {
    std::string_view rest = text;
    while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
    if (rest.empty()) return text;
    const char first = rest.front();
    size_t length = 0;
    if (first == '[') {
      length = bracket_prefix(rest);
    } else if (is_letter(first)) {
      length = ctime_prefix(rest);
    } else if (is_digit(first)) {
      length = time_prefix(rest);
      if (length != 0) stamp = rest.substr(0, length);
    } else {
      return text;
    }
    if (length == 0 && first != '[') length = label_prefix(rest);
    if (length == 0) return text;
    rest.remove_prefix(length);
    text = without_one_blank(rest);
  }
  return text;
}

}  // namespace

std::string_view without_terminal_codes(std::string_view text, std::string& buffer) {
  size_t at = text.find(escape);
  if (at == std::string_view::npos) return text;
  buffer.assign(text.substr(0, at));
  while (at < text.size()) {
    at += sequence_length(text.substr(at));
    const size_t next = std::min(text.find(escape, at), text.size());
    if (at < next) buffer.append(text.substr(at, next - at));
    at = next;
  }
  return buffer;
}

std::string_view without_rank_prefix(std::string_view text) {
  std::string_view stamp;
  return unprefixed(text, stamp);
}

void LogLines::feed(std::string_view piece, bool last) {
  // A hole within a line: what stood there is not known, so what is left of it are words apart.
  if (piece.find('\0') != std::string_view::npos) {
    whole_.assign(piece);
    for (size_t at = whole_.find('\0'); at != std::string::npos; at = whole_.find('\0', at)) {
      const bool starts = at == 0 || whole_[at - 1] == '\n';
      const size_t end = std::min(whole_.find_first_not_of('\0', at), whole_.size());
      if (!starts)
        std::fill(whole_.begin() + static_cast<std::ptrdiff_t>(at),
                  whole_.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      at = end;
    }
    piece = whole_;
  }
  rest_ = piece;
  last_ = last;
  plain_ = piece.find('\r') == std::string_view::npos && piece.find(escape) == std::string_view::npos;
  banner_ = piece.find(banner) != std::string_view::npos;
}

std::optional<LogLine> LogLines::next() {
  std::optional<LogLine> found;
  if (rest_.empty()) return found;
  // Filled where the caller reads it: a copy of what was just written member by member stalls the processor.
  LogLine& line = found.emplace();
  if (!within_) ++number_;
  line.number = number_;
  const size_t feed = std::min(rest_.find('\n'), rest_.size());
  std::string_view text = rest_.substr(0, feed);
  size_t next = feed;  // of the line's next text, behind a carriage return
  if (!plain_) {
    const size_t end = std::min(text.find('\r'), feed);
    next = std::min(text.find_first_not_of('\r', end), feed);
    text = text.substr(0, end);
  }
  const bool more = next < feed;
  line.terminated = more || feed < rest_.size();
  within_ = more || (feed == rest_.size() && !last_);
  rest_.remove_prefix(std::min(more ? next : feed + 1, rest_.size()));
  // Zero bytes that a crash wrote: a hole in a file.
  if (text.starts_with('\0')) text.remove_prefix(std::min(text.find_first_not_of('\0'), text.size()));
  if (text.starts_with(byte_order_mark.front()) && text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  const std::string_view clean = plain_ ? text : without_terminal_codes(text, buffer_);
  text = unprefixed(clean, line.stamp);
  if (banner_)
    if (const auto before = before_banner(text)) learned_ = *before;
  if (!learned_.empty() && text.starts_with(learned_))
    text.remove_prefix(learned_.size());
  else if (!learned_.empty() && trimmed(learned_) == text)
    text = {};
  line.text = text;
  line.prefix = {clean.data(), clean.size() - text.size()};
  return found;
}

std::string_view take_word(std::string_view& text) {
  constexpr std::string_view blanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

std::string_view value_after(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + label.size());
  return take_word(text);
}

std::optional<long long> count_of(std::string_view text) {
  const auto value = parsed_integer(text);
  if (!value || *value < 0) return std::nullopt;
  return *value;
}

}  // namespace shakedown
