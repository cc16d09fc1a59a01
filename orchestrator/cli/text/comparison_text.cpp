#include "orchestrator/cli/text/comparison_text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;

Json attempts_json(const AttemptCounts& counts, const Proportion& rate) {
  return {{"started", counts.started},
          {"succeeded", counts.succeeded},
          {"failed", counts.failed},
          {"invalid", counts.invalid},
          {"stopped_by_hand", counts.stopped},
          {"rate", rate.rate},
          {"rate_low", rate.low},
          {"rate_high", rate.high}};
}

Json node_json(const NodeChange& node) {
  Json entry = {{"node", node.node}, {"shift", node.shift}};
  if (const std::optional<BeforeAfter>& runs = node.runs) {
    entry["shift_low"] = runs->low;
    entry["shift_high"] = runs->high;
    entry["coverage"] = runs->coverage;
    entry["p"] = runs->p;
  }
  return entry;
}

Json metric_json(const MetricComparison& comparison) {
  Json entry;
  entry["suite"] = comparison.suite;
  entry["implementation"] = comparison.implementation;
  if (!comparison.benchmark.empty()) entry["benchmark"] = comparison.benchmark;
  entry["nodes"] = comparison.nodes;
  if (!comparison.before_case.empty()) entry["case_before"] = comparison.before_case;
  if (!comparison.after_case.empty()) entry["case_after"] = comparison.after_case;
  if (!comparison.metric.empty()) {
    entry["metric"] = comparison.metric;
    entry["unit"] = comparison.unit.empty() ? metric_unit(comparison.metric) : comparison.unit;
    entry["better"] = comparison.better == Better::higher ? "higher" : "lower";
  }
  entry["leading"] = comparison.leading;
  const auto [n_before, n_after] = counts_of(comparison);
  entry["n_before"] = n_before;
  entry["n_after"] = n_after;
  if (const auto& attempts = comparison.attempts) {
    entry["attempts_before"] = attempts_json(attempts->before, attempts->rates.before);
    entry["attempts_after"] = attempts_json(attempts->after, attempts->rates.after);
    entry["difference"] = attempts->rates.difference;
    entry["difference_low"] = attempts->rates.low;
    entry["difference_high"] = attempts->rates.high;
    entry["p"] = attempts->rates.p;
    entry["change"] = to_string(comparison.change);
    entry["verdict"] = comparison.verdict;
    return entry;
  }
  entry["values_before"] = comparison.before;
  entry["values_after"] = comparison.after;
  if (comparison.median_before) entry["median_before"] = *comparison.median_before;
  if (comparison.median_after) entry["median_after"] = *comparison.median_after;
  if (comparison.shift) entry["shift"] = *comparison.shift;
  if (const std::optional<BeforeAfter>& found = comparison.statistics) {
    entry["shift_low"] = found->low;
    entry["shift_high"] = found->high;
    entry["coverage"] = found->coverage;
    entry["p"] = found->p;
    entry["days"] = found->days ? found->days->days : 0;
    if (const auto& days = found->days) {
      entry["days_independent"] = days->independent;
      entry["day_spread"] = days->deviation;
    }
  }
  for (const NodeChange& node : comparison.by_node) entry["by_node"].push_back(node_json(node));
  entry["change"] = to_string(comparison.change);
  entry["verdict"] = comparison.verdict;
  if (!comparison.note.empty()) entry["note"] = comparison.note;
  return entry;
}

std::string environment_text(const ComparedCampaigns& compared) {
  const std::string unknown =
      compared.known.unknown.empty()
          ? ""
          : fmt::format("Not known of both: {}.\n", joined(compared.known.unknown, "; "));
  if (compared.environment.empty()) {
    if (compared.known.on_both_sides.empty()) return "\nNothing else is known of both. " + unknown;
    return fmt::format("\nNothing else is known to differ. Looked at: {}.\n{}",
                       joined(compared.known.on_both_sides, "; "), unknown);
  }
  std::string text = "\nWhat else differs, and may explain it:\n";
  const auto said = [](const std::string& value) { return value.empty() ? std::string("not there") : value; };
  for (const EnvironmentDifference& each : compared.environment)
    text += fmt::format("  {}{}: {} → {}\n", each.what, each.hosts.empty() ? "" : " on " + each.hosts,
                        said(each.before), said(each.after));
  return text + unknown;
}

/// "a, b, c and 4 more".
std::string shortened(const std::set<std::string>& names) {
  constexpr std::size_t most = 3;
  std::vector<std::string> shown(names.begin(), names.end());
  const std::size_t more = shown.size() - std::min(most, shown.size());
  shown.resize(shown.size() - more);
  return joined(shown, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

std::string comparison_text(const ComparedCampaigns& compared, bool all) {
  std::string text = fmt::format("{} (after) against {} (before): {}\n", compared.after, compared.before,
                                 overall_text(compared.metrics));
  std::string last;
  int hidden = 0;
  std::set<std::string> only_before;
  std::set<std::string> only_after;
  for (const MetricComparison& comparison : compared.metrics) {
    if (!all && comparison.before_case.empty() != comparison.after_case.empty()) {
      (comparison.after_case.empty() ? only_before : only_after).insert(case_text(comparison));
      continue;
    }
    const bool changed =
        comparison.change == ChangeVerdict::worse || comparison.change == ChangeVerdict::better;
    if (!all && !comparison.leading && !changed) {
      ++hidden;
      continue;
    }
    if (const std::string here = case_text(comparison); here != last) {
      text += fmt::format("\n{}  {}\n", benchmark_title(comparison.suite, comparison.implementation), here);
      last = here;
      if (!comparison.note.empty()) text += "  although " + comparison.note + "\n";
    }
    if (comparison.change != ChangeVerdict::not_compared)
      text += fmt::format("  {:<28} {:>16} {:>16} {:>8}  n = {} and {}\n", compared_title(comparison),
                          compared_text(comparison, comparison.median_before),
                          compared_text(comparison, comparison.median_after), shift_text(comparison.shift),
                          counts_of(comparison).first, counts_of(comparison).second);
    else if (!comparison.metric.empty())
      text += fmt::format("  {}\n", compared_title(comparison));
    text += "    " + comparison.verdict + "\n";
  }
  if (hidden > 0)
    text += fmt::format("\n{} further {} without a detectable change (-v shows them).\n", hidden,
                        hidden == 1 ? "metric" : "metrics");
  for (const auto& [cases, side, other] :
       {std::tuple(&only_before, "before", "after"), std::tuple(&only_after, "after", "before")})
    if (!cases->empty())
      text += fmt::format("\n{} {} only, nothing like it was run {}: {} (-v shows each).\n",
                          plural(std::ssize(*cases), "kind of run", "kinds of run"), side, other,
                          shortened(*cases));
  if (const std::string assumed = assumption_text(compared.metrics); !assumed.empty())
    text += "\n" + assumed + "\n";
  return text + environment_text(compared);
}

std::string comparison_json(const ComparedCampaigns& compared) {
  Json document;
  document["schema"] = "shakedown.comparison/1";
  document["before"] = compared.before;
  document["after"] = compared.after;
  document["change"] = to_string(overall_change(compared.metrics));
  document["metrics"] = Json::array();
  for (const MetricComparison& comparison : compared.metrics)
    document["metrics"].push_back(metric_json(comparison));
  document["environment"] = Json::array();
  for (const EnvironmentDifference& each : compared.environment) {
    Json entry = {{"what", each.what}};
    if (!each.hosts.empty()) entry["hosts"] = each.hosts;
    if (!each.before.empty()) entry["before"] = each.before;
    if (!each.after.empty()) entry["after"] = each.after;
    document["environment"].push_back(std::move(entry));
  }
  document["environment_known"] = compared.known.on_both_sides;
  document["environment_unknown"] = compared.known.unknown;
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int comparison_exit_code(const std::vector<MetricComparison>& metrics) {
  switch (overall_change(metrics)) {
    case ChangeVerdict::worse:
      return 1;
    case ChangeVerdict::better:
    case ChangeVerdict::same:
      return 0;
    case ChangeVerdict::undecided:
    case ChangeVerdict::not_compared:
      break;
  }
  return 3;
}

namespace {

using nlohmann::ordered_json;

ordered_json json_value(const Value& value) {
  return std::visit([](const auto& held) { return ordered_json(held); }, value);
}

std::string conditions_text(const BaselineValue& value) {
  std::vector<std::string> words;
  words.reserve(value.conditions.size());
  for (const Parameter& condition : value.conditions)
    words.push_back(fmt::format("{} {}", condition.name, value_text(condition.value)));
  return joined(words, ", ");
}

std::string heading(const BaselineValue& value) {
  const std::string runs = value.runs == "1"         ? "one run"
                           : value.runs == "unknown" ? "number of runs unknown"
                                                     : value.runs + " runs";
  if (value.runs == "1" && value.score_rule.starts_with("one"))
    return fmt::format("\n{} ({})\n", value.title, value.score_rule);
  return fmt::format("\n{} ({}; {})\n", value.title, runs, value.score_rule);
}

/// Nine digits, as many as an exact integer of these tables needs, without trailing zeros.
std::string exact_text(double value) {
  return std::abs(value) < 1e15 && value == std::round(value) ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.9g}", value);
}

/// "holds"; "FAILS" where it contradicts a row that is marked `ok`; else "fails".
std::string_view outcome(const IdentityCheck& check) {
  if (check.holds) return "holds";
  return check.contradicts() ? "FAILS" : "fails";
}

/// Why a failure is no surprise: the row's status, or the identity's own reason.
std::string reason(const IdentityCheck& check) {
  if (check.holds) return "";
  if (!check.explanation.empty()) return "no error: " + check.explanation;
  return fmt::format("the row is marked {}", to_string(check.status));
}

std::string summary(const Baseline& baseline, const std::vector<IdentityCheck>& checks) {
  const auto held =
      std::count_if(checks.begin(), checks.end(), [](const auto& check) { return check.holds; });
  const auto wrong =
      std::count_if(checks.begin(), checks.end(), [](const auto& check) { return check.contradicts(); });
  const auto failing = static_cast<std::ptrdiff_t>(checks.size()) - held;
  return fmt::format("\n{}: {} of {} identities hold; of the {} that fail, {} contradict{} a row marked ok\n",
                     baseline.name, held, checks.size(), failing, wrong == 0 ? "none" : std::to_string(wrong),
                     wrong > 1 ? "" : "s");
}

}  // namespace

std::string baseline_text(const Baseline& baseline) {
  std::string text = fmt::format("{}\n{}\n", baseline.title, baseline.source);
  std::string run;
  for (const BaselineValue& value : baseline.values) {
    if (value.run != run) {
      run = value.run;
      text += heading(value) + "  " + conditions_text(value) + "\n";
    }
    text += fmt::format("  {:<8} {:<32} {:>24}  {:<12}  {}\n", value.suite, value.metric, value.printed,
                        to_string(value.status), value.source);
    if (!value.note.empty()) text += fmt::format("{:>11}{}\n", "", value.note);
  }
  return text;
}

ordered_json baseline_json(const Baseline& baseline) {
  ordered_json document;
  document["schema"] = "shakedown.baseline/1";
  document["name"] = baseline.name;
  document["title"] = baseline.title;
  document["source"] = baseline.source;
  document["sha256"] = baseline.sha256;
  document["values"] = ordered_json::array();
  for (const BaselineValue& value : baseline.values) {
    ordered_json entry;
    entry["id"] = value.id;
    entry["run"] = value.run;
    entry["suite"] = value.suite;
    entry["metric"] = value.metric;
    entry["value"] = value.value;
    entry["unit"] = value.unit;
    entry["printed"] = value.printed;
    entry["runs"] = value.runs == "unknown" ? ordered_json(value.runs)
                                            : ordered_json(parsed_integer(value.runs).value_or(0));
    entry["score_rule"] = value.score_rule;
    entry["conditions"] = ordered_json::object();
    for (const Parameter& condition : value.conditions)
      entry["conditions"][condition.name] = json_value(condition.value);
    entry["source"] = value.source;
    entry["status"] = to_string(value.status);
    if (!value.note.empty()) entry["note"] = value.note;
    document["values"].push_back(entry);
  }
  return document;
}

std::string identities_text(const Baseline& baseline, const std::vector<IdentityCheck>& checks) {
  std::string text = fmt::format("{}\n\n  {:<5}  {:<42} {:>14} {:>14}  {}\n", baseline.title, "", "ROW",
                                 "PUBLISHED", "RECOMPUTED", "IDENTITY, OR BOUND");
  std::string run;
  for (const IdentityCheck& check : checks) {
    const auto row = std::find_if(baseline.values.begin(), baseline.values.end(),
                                  [&](const BaselineValue& value) { return value.id == check.value_id; });
    if (row != baseline.values.end() && row->run != run) {
      run = row->run;
      text += fmt::format("\n{}\n", row->title);
    }
    text += fmt::format("  {}  {:<42} {:>14} {:>14}  {}\n", outcome(check), check.value_id,
                        exact_text(check.published), exact_text(check.recomputed), check.identity);
    if (!check.holds) text += fmt::format("{:>9}{}\n", "", reason(check));
  }
  return text + summary(baseline, checks);
}

ordered_json identity_json(const Baseline& baseline, const IdentityCheck& check) {
  ordered_json entry = {{"baseline", baseline.name},
                        {"suite", check.suite},
                        {"value", check.value_id},
                        {"identity", check.identity},
                        {"published", check.published},
                        {"recomputed", check.recomputed},
                        {"holds", check.holds},
                        {"status", to_string(check.status)},
                        {"contradicts", check.contradicts()}};
  if (!check.explanation.empty()) entry["explanation"] = check.explanation;
  return entry;
}

}  // namespace shakedown
