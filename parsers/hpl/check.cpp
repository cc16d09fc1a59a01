#include "parsers/hpl/check.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"

namespace shakedown {

std::optional<HplCheck> hpl_check(std::string_view line) {
  constexpr std::string_view norm = "||Ax-b||_oo";
  const size_t start = line.find(norm);
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view quotient = trimmed(line.substr(start + norm.size()));
  if (!quotient.starts_with('/')) return std::nullopt;
  const size_t equals = quotient.find('=');
  if (equals == std::string_view::npos) return std::nullopt;

  HplCheck check;
  const std::string_view formula = quotient.substr(0, equals);
  if (formula.find("eps") == std::string_view::npos) return std::nullopt;
  check.one_of_three = formula.find("||b||") == std::string_view::npos;
  const std::string_view value = quotient.substr(equals + 1);
  const size_t dots = value.find("......");
  if (dots == std::string_view::npos) return check;
  check.residual = trimmed(value.substr(0, dots));
  const std::string_view word =
      trimmed(value.substr(std::min(value.find_first_not_of('.', dots), value.size())));
  for (const std::string_view verdict : {"PASSED", "FAILED"})
    if (word == verdict || word.starts_with(std::string(verdict) + ' ')) check.verdict = verdict;
  return check;
}

}  // namespace shakedown
