#include "parsers/io500/command.hpp"

#include "orchestrator/core/text.hpp"

namespace shakedown {

bool io500_has_option(std::string_view command, std::string_view option) {
  for (const std::string_view word : words(command))
    if (word == option) return true;
  return false;
}

bool io500_has_option(std::string_view command, std::string_view option, std::string_view value) {
  const auto pieces = words(command);
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i] == option && i + 1 < pieces.size() && pieces[i + 1] == value) return true;
    if (pieces[i].size() == option.size() + 1 + value.size() && pieces[i].starts_with(option) &&
        pieces[i][option.size()] == '=' && pieces[i].ends_with(value))
      return true;
  }
  return false;
}

std::optional<std::string_view> io500_option_value(std::string_view command, std::string_view option) {
  const auto pieces = words(command);
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i] == option && i + 1 < pieces.size()) return pieces[i + 1];
    if (pieces[i].size() > option.size() + 1 && pieces[i].starts_with(option) &&
        pieces[i][option.size()] == '=')
      return pieces[i].substr(option.size() + 1);
  }
  return std::nullopt;
}

}  // namespace shakedown
