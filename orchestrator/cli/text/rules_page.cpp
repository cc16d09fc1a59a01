#include "orchestrator/cli/text/rules_page.hpp"

#include <fmt/format.h>
#include <set>
#include <vector>

#include "orchestrator/cli/text/completion_values.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "parsers/rules/rule.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

std::string metric_row(std::string_view metric, std::string_view role) {
  const MetricKind kind = metric_kind(metric).value_or(MetricKind{});
  const std::string_view better = !kind.better ? "" : *kind.better == Better::higher ? "higher" : "lower";
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", markdown_cell(metric),
                     markdown_cell(metric_title(metric)), kind.unit, better, role);
}

std::string metrics_of(const SuiteFacts& suite) {
  std::string text = "| Metric | Name | Unit | Better | |\n|---|---|---|---|---|\n";
  std::set<std::string_view> listed;
  const auto add = [&](std::string_view metric, std::string_view role) {
    if (!metric.empty() && listed.insert(metric).second) text += metric_row(metric, role);
  };
  for (const Headline& each : suite.headlines) add(each.metric, "headline");
  for (const Headline& each : suite.short_headlines) add(each.metric, "headline of a short run");
  for (const EfficiencyFact& each : suite.efficiencies) add(each.metric, "efficiency");
  for (const MetricFact& each : suite.metrics) add(each.key, "");
  return text;
}

std::string_view loss(Severity severity) {
  if (severity == Severity::validity) return "the result is invalid";
  return severity == Severity::eligibility ? "not eligible for the list" : "a warning";
}

std::string rules_of(const SuiteFacts& suite) {
  ParsedResult none;
  none.suite = suite.id;
  Evidence evidence;
  evidence.result = &none;
  std::string text = "\n| Rule | Requires | If broken | Source |\n|---|---|---|---|\n";
  bool any = false;
  for (const RuleBook* book : rule_books())
    if (book->suite == suite.id)
      for (const RuleResult& rule : book->judge(evidence)) {
        text += fmt::format("| {} | {} | {} | {} |\n", rule.id, markdown_cell(rule.title),
                            loss(rule.severity), markdown_cell(rule.source));
        any = true;
      }
  return any ? text : "";
}

}  // namespace

std::string rules_page() {
  std::string page =
      "# Metrics and rules of each suite\n\n"
      "Written by `shakedown list --rules`. A `*` stands for any text. Formulas and expected values: "
      "[metrics](metrics.md).\n";
  for (const SuiteFacts* suite : suites_in_order())
    page += fmt::format("\n## {}\n\n{}{}", suite->title, metrics_of(*suite), rules_of(*suite));
  return page;
}

}  // namespace shakedown
