#include "orchestrator/core/objections.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_shown = 20;

/// The number of the line in "file:14" or "file:14: what"; 0: there is none.
std::int64_t line_of(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    const std::string_view rest = text.substr(colon + 1);
    const std::string_view digits = rest.substr(0, rest.find_first_not_of("0123456789"));
    const std::string_view behind = rest.substr(digits.size());
    if (!digits.empty() && (behind.empty() || behind.starts_with(": ")))
      return parsed_integer(digits).value_or(0);
  }
  return 0;
}

/// "file:14: what; remedy".
std::string line_text(const Error& error) {
  const std::string text = error.where.empty() ? error.what : fmt::format("{}: {}", error.where, error.what);
  return error.hint.empty() ? text : fmt::format("{}; {}", text, error.hint);
}

}  // namespace

Result<void> all_objections(const std::vector<Error>& objections) {
  std::vector<std::string> lines;
  for (const Error& each : objections) {
    const std::string text = line_text(each);
    for (const std::string_view line : split(text, '\n'))
      if (std::ranges::find(lines, line) == lines.end()) lines.emplace_back(line);
  }
  if (lines.empty()) return {};
  if (lines.size() == 1) return tl::unexpected<Error>(objections.front());
  std::ranges::stable_sort(lines, {}, line_of);
  if (lines.size() > most_shown) {
    const std::size_t more = lines.size() - most_shown;
    lines.resize(most_shown);
    lines.push_back(fmt::format("and {} more", more));
  }
  return fail("", joined(lines, "\n"));
}

}  // namespace shakedown
