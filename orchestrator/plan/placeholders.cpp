#include "orchestrator/plan/placeholders.hpp"

#include <fmt/core.h>
#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

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

std::optional<Parameter> free_parameter(TomlTable& table, const std::string& key) {
  const auto scalar = table.scalar(key);
  if (!scalar) {
    table.reject(key, fmt::format("'{}' must be a number or a string", key));
    return std::nullopt;
  }
  if (scalar->type == "integer") return Parameter{key, parsed_integer(scalar->text).value_or(0)};
  if (scalar->type == "float") return Parameter{key, parsed_number(scalar->text).value_or(0)};
  return Parameter{key, scalar->text};
}

std::vector<Parameter> free_parameters(TomlTable table) {
  std::vector<Parameter> parameters;
  for (const std::string& key : table.keys())
    if (auto parameter = free_parameter(table, key)) parameters.push_back(*std::move(parameter));
  return parameters;
}

}  // namespace shakedown
