#include "orchestrator/core/toml_text.hpp"

#include <algorithm>

namespace shakedown {
namespace {

/// The end of the string whose quotes begin at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool several_lines = text.substr(at).starts_with(three);
  const std::string_view closing =
      several_lines ? std::string_view(three) : std::string_view(three).substr(2);
  for (std::size_t i = at + closing.size(); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text.substr(i).starts_with(closing)) {
      i += closing.size();
      while (several_lines && i < text.size() && text[i] == quote) ++i;  // """a""""
      return i;
    }
  }
  return text.size();
}

}  // namespace

std::size_t offset_of(std::string_view text, std::size_t line, std::size_t column) {
  std::size_t at = 0;
  for (; line > 1 && at < text.size(); --line) {
    const std::size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  for (; column > 1 && at < text.size(); --column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
  }
  return at;
}

std::vector<TextRange> toml_comments(std::string_view text) {
  std::vector<TextRange> comments;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"' || text[at] == '\'') {
      at = string_end(text, at);
    } else if (text[at] == '#') {
      const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
      comments.push_back({at, end});
      at = end;
    } else {
      ++at;
    }
  }
  return comments;
}

std::string changed_text(std::string_view text, std::vector<TextChange> changes) {
  std::ranges::sort(changes, {}, &TextChange::begin);
  std::string changed;
  std::size_t at = 0;
  for (const TextChange& each : changes) {
    changed.append(text.substr(at, each.begin - at)).append(each.instead);
    at = each.end;
  }
  return changed.append(text.substr(at));
}

}  // namespace shakedown
