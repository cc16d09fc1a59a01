#include "orchestrator/cli/text/criteria_notes.hpp"

#include <iostream>

#include "orchestrator/cli/text/terminal.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/criteria_reach.hpp"
#include "reports/judge/measurable.hpp"

namespace shakedown {

void note_criteria(const std::string& criteria, std::string_view name, std::span<const Case> cases,
                   const CommonOptions& common) {
  if (common.quiet || criteria.empty()) return;
  const auto read = read_criteria(criteria, std::string(name));
  if (!read) return;
  for (const Criterion& criterion : read->criteria)
    if (const std::string why = why_unmeasurable(criterion.suite, criterion.metric); !why.empty())
      std::cerr << shown(
          fmt::format("note: {}: criterion {} can't be decided: {}\n", name, criterion.id, why));
  for (const std::string& doubt : criteria_doubts(read->criteria, cases))
    std::cerr << shown(fmt::format("note: {}: {}\n", name, doubt));
}

}  // namespace shakedown
