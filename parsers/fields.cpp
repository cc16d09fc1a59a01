#include "parsers/fields.hpp"

#include <algorithm>

#include "orchestrator/core/units.hpp"

namespace shakedown {

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
