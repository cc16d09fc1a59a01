#include "reports/measure/replacements.hpp"

#include <algorithm>

#include "reports/measure/measurement.hpp"

namespace shakedown {

Replacements::Replacements(const CampaignRecord& campaign) {
  for (const CaseRecord& record : campaign.cases)
    if (!record.planned.stands_for.empty()) next_[record.planned.stands_for] = &record;
  if (next_.empty()) return;
  for (const CaseRecord& record : campaign.cases)
    if (next_.contains(record.planned.id)) by_id_[record.planned.id] = &record;
}

const CaseRecord* Replacements::of(const CaseRecord& record) const {
  const CaseRecord* last = nullptr;
  std::string_view id = record.planned.id;
  // As often as there are replacements: a record that was tampered with may name a circle.
  for (std::size_t steps = 0; steps < next_.size(); ++steps) {
    const auto it = next_.find(id);
    if (it == next_.end()) break;
    last = it->second;
    id = last->planned.id;
  }
  return last;
}

std::vector<const CaseRecord*> Replacements::before(const CaseRecord& record) const {
  std::vector<const CaseRecord*> chain;
  const CaseRecord* at = &record;
  while (chain.size() < next_.size() && !at->planned.stands_for.empty()) {
    const auto it = by_id_.find(at->planned.stands_for);
    if (it == by_id_.end()) break;
    at = it->second;
    chain.push_back(at);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

int Replacements::planned_nodes(const CaseRecord& record) const {
  const auto chain = before(record);
  return chain.empty() ? record.planned.nodes : chain.front()->planned.nodes;
}

bool Replacements::replaced(const CaseRecord& record) const {
  return next_.contains(record.planned.id) && counted_results(record).empty();
}

}  // namespace shakedown
