#include "orchestrator/plan/placeholders.hpp"

#include <algorithm>

namespace shakedown {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The name of the placeholder that begins with the brace at `at`; empty: none.
std::string_view placeholder_at(std::string_view text, size_t at) {
  if (at > 0 && text[at - 1] == '$') return {};  // a shell's or a script's own variable
  const size_t end = text.find('}', at);
  if (end == std::string_view::npos) return {};
  const std::string_view name = text.substr(at + 1, end - at - 1);
  return std::ranges::all_of(name, is_name_character) ? name : std::string_view();
}

}  // namespace

std::vector<std::string> placeholders(std::string_view text) {
  std::vector<std::string> names;
  for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1))
    if (const std::string_view name = placeholder_at(text, at); !name.empty()) names.emplace_back(name);
  return names;
}

std::string filled(std::string_view text, std::span<const Parameter> values) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const std::string_view name = text[at] == '{' ? placeholder_at(text, at) : std::string_view();
    const Value* value = name.empty() ? nullptr : find_parameter(values, name);
    if (value == nullptr) {
      result += text[at++];
    } else {
      result += value_text(*value);
      at += name.size() + 2;
    }
  }
  return result;
}

}  // namespace shakedown
