#include "orchestrator/plan/affected_suites.hpp"

#include <algorithm>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

bool depends_on(const SuiteFacts& facts, Resource resource) {
  if (facts.resources.empty()) return false;
  return resource == Resource::node || std::ranges::find(facts.resources, resource) != facts.resources.end();
}

}  // namespace

std::vector<std::string_view> suites_to_run_again(FeatureKind kind) {
  std::vector<std::string_view> suites;
  for (const SuiteFacts* facts : suites_in_order())
    if (depends_on(*facts, resource_of(kind))) suites.push_back(facts->id);
  return suites;
}

std::vector<std::string> suites_to_run_again(const std::vector<Change>& changes) {
  std::vector<std::string> suites;
  for (const SuiteFacts* facts : suites_in_order())
    if (std::ranges::any_of(
            changes, [&](const Change& change) { return depends_on(*facts, resource_of(change.kind)); }))
      suites.emplace_back(facts->id);
  return suites;
}

}  // namespace shakedown
