#include "orchestrator/campaign/screens.hpp"

#include <algorithm>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {

bool is_screen(const Case& planned) {
  return is_screen(planned.suite);
}

int stage_order(const Case& planned) {
  return 2 * planned.stage + (is_screen(planned) ? 0 : 1);
}

int stage_of(int order) {
  return order / 2;
}

void MeasuredScreens::remember(const Case& planned, const AttemptRecord& attempt) {
  if (!is_screen(planned)) return;
  for (const ResultRecord& result : attempt.results) {
    if (!result.parsed.complete || result.validity == Validity::invalid) continue;
    std::erase_if(screens_, [&](const Screen& known) {
      return known.result.suite == result.parsed.suite &&
             known.result.implementation == result.parsed.implementation;
    });
    screens_.push_back({result.parsed, planned.nodes});
  }
}

}  // namespace shakedown
