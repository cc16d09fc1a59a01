#include "reports/judge/screen_rules.hpp"

#include <algorithm>
#include <vector>

#include "orchestrator/plan/suite_facts.hpp"
#include "parsers/rules/rule.hpp"

namespace shakedown {
namespace {

std::vector<Screen> screens_that_count(const CampaignRecord& campaign) {
  std::vector<Screen> screens;
  for (const CaseRecord& record : campaign.cases) {
    if (!is_screen(record.planned.suite)) continue;
    for (const AttemptRecord& attempt : record.attempts)
      for (const ResultRecord& result : attempt.results) {
        if (!attempt.set_aside.empty() || !result.parsed.complete || result.validity == Validity::invalid)
          continue;
        std::erase_if(screens, [&](const Screen& known) {
          return known.result.suite == result.parsed.suite &&
                 known.result.implementation == result.parsed.implementation;
        });
        screens.push_back({result.parsed, record.planned.nodes});
      }
  }
  return screens;
}

}  // namespace

void judge_by_screens(CampaignRecord& campaign) {
  if (is_external(campaign)) return;
  const std::vector<Screen> screens = screens_that_count(campaign);
  for (CaseRecord& record : campaign.cases)
    for (AttemptRecord& attempt : record.attempts)
      for (ResultRecord& result : attempt.results) {
        const RuleBook* book = rule_book(result.parsed.suite);
        if (book == nullptr || book->by_screens.empty()) continue;
        for (RuleResult& judged : book->judge({.result = &result.parsed,
                                  .planned = &record.planned,
                                  .inventory = &campaign.inventory,
                                  .screens = screens},
                                              {})) {
          if (std::ranges::find(book->by_screens, judged.id) == book->by_screens.end()) continue;
          const auto known = std::ranges::find(result.rules, judged.id, &RuleResult::id);
          if (known != result.rules.end()) *known = std::move(judged);
        }
      }
}

}  // namespace shakedown
