#include "orchestrator/plan/suite_facts.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"

namespace shakedown {

/// All facts in the order of their folders.
std::span<const SuiteFacts* const> all_suite_facts();

std::span<const SuiteFacts* const> suites_in_order() {
  static const std::vector<const SuiteFacts*> ordered = [] {
    std::vector<const SuiteFacts*> all(all_suite_facts().begin(), all_suite_facts().end());
    std::ranges::stable_sort(all, {}, &SuiteFacts::rank);
    return all;
  }();
  return ordered;
}

int reported_place(std::string_view suite) {
  constexpr int behind_all_ranks = 10000;
  if (suite == whole_campaign) return 0;
  const SuiteFacts* facts = suite_facts(suite);
  if (facts == nullptr) return 2 * behind_all_ranks;
  return facts->rank + (facts->screen ? behind_all_ranks : 0);
}

const SuiteFacts* suite_facts(std::string_view id) {
  const auto all = all_suite_facts();
  const auto found = std::ranges::find(all, id, &SuiteFacts::id);
  return found == all.end() ? nullptr : *found;
}

std::string suite_title(std::string_view suite) {
  if (const SuiteFacts* facts = suite_facts(suite)) return std::string(facts->title);
  return suite == whole_campaign ? "All suites" : upper(suite);
}

std::string_view rate_metric(std::string_view suite) {
  const SuiteFacts* facts = suite_facts(suite);
  return facts == nullptr ? std::string_view() : facts->rate;
}

bool is_screen(std::string_view suite) {
  const SuiteFacts* facts = suite_facts(suite);
  return facts != nullptr && facts->screen;
}

const SuiteFacts* screen_of(std::string_view efficiency) {
  const auto all = all_suite_facts();
  const auto found = std::ranges::find_if(all, [&](const SuiteFacts* facts) {
    return facts->yardstick && facts->yardstick->efficiency == efficiency;
  });
  return found == all.end() ? nullptr : *found;
}

const EfficiencyFact* efficiency_fact(std::string_view suite, std::string_view metric) {
  const SuiteFacts* facts = suite_facts(suite);
  if (facts == nullptr) return nullptr;
  const auto found = std::ranges::find(facts->efficiencies, metric, &EfficiencyFact::metric);
  return found == facts->efficiencies.end() ? nullptr : &*found;
}

std::vector<std::string_view> screens_of(std::string_view suite) {
  std::vector<std::string_view> screens;
  const SuiteFacts* facts = suite_facts(suite);
  if (facts == nullptr) return screens;
  for (const Headline& headline : facts->headlines)
    if (const SuiteFacts* screen = screen_of(headline.efficiency)) screens.push_back(screen->id);
  return screens;
}

const MetricFact* metric_fact(std::string_view metric) {
  const MetricFact* fitting = nullptr;
  for (const SuiteFacts* facts : all_suite_facts())
    for (const MetricFact& each : facts->metrics) {
      if (each.key == metric) return &each;
      if (fitting == nullptr && fits(metric, each.key)) fitting = &each;
    }
  return fitting;
}

bool fits(std::string_view text, std::string_view pattern) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  const std::string_view end = pattern.substr(star + 1);
  return text.size() + 1 >= pattern.size() && text.starts_with(pattern.substr(0, star)) &&
         text.ends_with(end);
}

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
