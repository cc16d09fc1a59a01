#include "reports/judge/measurable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "parsers/parser.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

/// The grammars of a suite's logs.
std::vector<const Parser*> own_grammars(std::string_view suite) {
  std::vector<const Parser*> own;
  for (const Parser* parser : parsers())
    if (parser->suite == suite) own.push_back(parser);
  return own;
}

/// The same; all where it has none of its own.
std::vector<const Parser*> grammars_for(std::string_view suite) {
  std::vector<const Parser*> own = own_grammars(suite);
  if (own.empty()) own.assign(parsers().begin(), parsers().end());
  return own;
}

bool given(std::span<const Parser* const> grammars, std::string_view metric) {
  if (metric.ends_with("b_s") && !unit_ending(metric).ends_with("b_s"))
    return false;  // bytes of no known size
  return std::ranges::any_of(grammars, [&](const Parser* each) { return can_give(*each, metric); });
}

bool measurable_by(std::span<const Parser* const> grammars, std::string_view metric) {
  if (metric == "validity" || metric == "reliability") return true;
  if (is_efficiency(metric))
    return std::ranges::any_of(grammars, [&](const Parser* each) {
      const std::string_view numerator = efficiency_numerator(metric, each->suite);
      return !numerator.empty() && can_give(*each, numerator);
    });
  if (metric.ends_with(per_gpu_ending)) {
    metric.remove_suffix(per_gpu_ending.size());
    if (direction_of(metric) != Better::higher) return false;
  }
  return given(grammars, metric) || (metric == "tokens_per_s" && given(grammars, "samples_per_s"));
}

/// The names of what can be measured, but for those that only a log makes.
std::vector<std::string> names_of(std::span<const Parser* const> grammars) {
  std::vector<std::string> names = {"validity", "reliability"};
  for (const Parser* each : grammars)
    for (const std::string_view name : each->metrics) {
      if (name.find('*') != std::string_view::npos) continue;
      names.emplace_back(name);
      if (direction_of(name) == Better::higher && !name.ends_with(per_gpu_ending))
        names.push_back(fmt::format("{}{}", name, per_gpu_ending));
    }
  for (const std::string_view derived : {"tokens_per_s", "tokens_per_s_per_gpu"})
    if (measurable_by(grammars, derived)) names.emplace_back(derived);
  for (const SuiteFacts* facts : suites_in_order())
    for (const EfficiencyFact& efficiency : facts->efficiencies)
      if (measurable_by(grammars, efficiency.metric) && std::ranges::count(names, efficiency.metric) == 0)
        names.emplace_back(efficiency.metric);
  return names;
}

/// " (it is a metric of hpl, hpl-mxp)"; empty: no suite is known to have it.
std::string whose(std::string_view metric) {
  std::set<std::string> suites;
  for (const Parser* each : parsers()) {
    const auto names = names_of(std::array{each});
    if (std::ranges::find(names, metric) != names.end()) suites.emplace(each->suite);
  }
  if (suites.empty()) return "";
  return fmt::format(" (it is a metric of {})",
                     joined(std::vector<std::string>(suites.begin(), suites.end()), ", "));
}

}  // namespace

bool measurable(std::string_view suite, std::string_view metric) {
  // An efficiency is one of a suite whose rate is known.
  if (is_efficiency(metric) && own_grammars(suite).empty()) return false;
  return measurable_by(grammars_for(suite), metric);
}

std::string why_unmeasurable(std::string_view suite, std::string_view metric) {
  if (measurable(suite, metric)) return "";
  std::string near = whose(metric);
  if (near.empty()) near = did_you_mean(metric, names_of(grammars_for(suite)));
  const std::string of = own_grammars(suite).empty() ? "" : fmt::format(" of {}", suite_title(suite));
  return fmt::format("no result{} can have a metric '{}'{}", of, metric, near);
}

std::optional<std::string> unknown_suite(std::string_view suite) {
  std::vector<std::string> known;
  for (const Parser* each : parsers()) known.emplace_back(each->suite);
  if (suite == whole_campaign || std::ranges::find(known, suite) != known.end()) return std::nullopt;
  return fmt::format("of a suite '{}', whose logs are not known{}", suite, did_you_mean(suite, known));
}

}  // namespace shakedown
