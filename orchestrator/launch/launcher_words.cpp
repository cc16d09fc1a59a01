#include "orchestrator/launch/launcher_words.hpp"

#include <algorithm>

#include "orchestrator/core/units.hpp"

namespace shakedown {

std::optional<int> leading_number(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  constexpr size_t most_digits = 8;
  if (end == 0 || end > most_digits) return std::nullopt;
  return static_cast<int>(*parsed_integer(text.substr(0, end)));
}

std::optional<std::string_view> behind(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + mark.size());
}

std::string_view launcher_part(std::string_view line) {
  const size_t at = std::min(line.find("srun: "), line.find("slurmstepd"));
  return at == std::string_view::npos ? std::string_view() : line.substr(at);
}

std::string first_word(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return std::string(text.substr(0, text.find(' ')));
}

}  // namespace shakedown
