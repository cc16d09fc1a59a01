#include "orchestrator/plan/identities.hpp"

#include <algorithm>
#include <cmath>

namespace shakedown {

const BaselineValue* PublishedRun::value(std::string_view metric) const {
  const auto it = std::find_if(values.begin(), values.end(),
                               [&](const BaselineValue* value) { return value->metric == metric; });
  return it == values.end() ? nullptr : *it;
}

double PublishedRun::condition(std::string_view name) const {
  const Value* found = find_parameter(values.front()->conditions, name);
  return found == nullptr ? std::nan("") : value_number(*found);
}

std::string PublishedRun::word(std::string_view name) const {
  const Value* found = find_parameter(values.front()->conditions, name);
  return found == nullptr ? "" : value_text(*found);
}

std::vector<PublishedRun> published_runs(const Baseline& baseline) {
  std::vector<PublishedRun> runs;
  for (const BaselineValue& value : baseline.values) {
    if (runs.empty() || runs.back().id != value.run) runs.push_back({value.run, value.suite, {}});
    runs.back().values.push_back(&value);
  }
  return runs;
}

void IdentityList::put(const BaselineValue& row, std::string identity, IdentityCheck check) {
  if (std::isnan(check.recomputed) || std::isnan(check.published)) return;
  check.suite = row.suite;
  check.value_id = row.id;
  check.status = row.status;
  check.identity = std::move(identity);
  entries_.push_back(std::move(check));
}

void IdentityList::row(const BaselineValue& row, std::string identity, const Interval& recomputed) {
  demand(row, std::move(identity), printed_interval(row).meets(recomputed), row.value, recomputed.middle());
}

void IdentityList::equal(const BaselineValue& row, std::string identity, double published,
                         double recomputed) {
  demand(row, std::move(identity), published == recomputed, published, recomputed);
}

void IdentityList::demand(const BaselineValue& row, std::string identity, bool holds, double published,
                          double recomputed) {
  IdentityCheck check;
  check.published = published;
  check.recomputed = recomputed;
  check.holds = holds;
  put(row, std::move(identity), std::move(check));
}

void IdentityList::explain(std::string explanation) {
  if (!entries_.empty()) entries_.back().explanation = std::move(explanation);
}

}  // namespace shakedown
