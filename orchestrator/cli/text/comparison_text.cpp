#include "orchestrator/cli/text/comparison_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/measure/attempts_needed.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;

std::string compared_text(const FigureComparison& figure, const std::optional<double>& value) {
  if (!value) return "–";
  return figure.unit.empty() ? metric_text(figure.metric, *value)
                             : fmt::format("{} {}", number(*value, 4), figure.unit);
}

std::string shift_text(const std::optional<double>& shift) {
  if (!shift) return "–";
  return (*shift > 0 ? "+" : "") + percent_text(*shift);
}

/// "hpl-reference-1n", or both where they differ.
std::string case_text(const FigureComparison& figure) {
  if (figure.before_case.empty() || figure.before_case == figure.after_case) return figure.after_case;
  if (figure.after_case.empty()) return figure.before_case;
  return figure.before_case + " / " + figure.after_case;
}

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

/// How many values each side of a row stands for.
std::pair<std::size_t, std::size_t> counts_of(const FigureComparison& figure) {
  if (const auto& attempts = figure.attempts)
    return {static_cast<std::size_t>(attempts->before.started),
            static_cast<std::size_t>(attempts->after.started)};
  return {figure.before.size(), figure.after.size()};
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

Json figure_json(const FigureComparison& figure) {
  Json entry;
  entry["suite"] = figure.suite;
  entry["implementation"] = figure.implementation;
  if (!figure.benchmark.empty()) entry["benchmark"] = figure.benchmark;
  entry["nodes"] = figure.nodes;
  if (!figure.before_case.empty()) entry["case_before"] = figure.before_case;
  if (!figure.after_case.empty()) entry["case_after"] = figure.after_case;
  if (!figure.metric.empty()) {
    entry["metric"] = figure.metric;
    entry["unit"] = figure.unit.empty() ? metric_unit(figure.metric) : figure.unit;
    entry["better"] = figure.better == Better::higher ? "higher" : "lower";
  }
  entry["leading"] = figure.leading;
  const auto [n_before, n_after] = counts_of(figure);
  entry["n_before"] = n_before;
  entry["n_after"] = n_after;
  if (const auto& attempts = figure.attempts) {
    entry["attempts_before"] = attempts_json(attempts->before, attempts->rates.before);
    entry["attempts_after"] = attempts_json(attempts->after, attempts->rates.after);
    entry["difference"] = attempts->rates.difference;
    entry["difference_low"] = attempts->rates.low;
    entry["difference_high"] = attempts->rates.high;
    entry["p"] = attempts->rates.p;
    entry["standing"] = to_string(figure.standing);
    entry["verdict"] = figure.verdict;
    return entry;
  }
  entry["values_before"] = figure.before;
  entry["values_after"] = figure.after;
  if (figure.median_before) entry["median_before"] = *figure.median_before;
  if (figure.median_after) entry["median_after"] = *figure.median_after;
  if (figure.shift) entry["shift"] = *figure.shift;
  if (const std::optional<BeforeAfter>& found = figure.statistics) {
    entry["shift_low"] = found->low;
    entry["shift_high"] = found->high;
    entry["coverage"] = found->coverage;
    entry["p"] = found->p;
    if (const auto& least = found->detectable) entry["detectable"] = *least;
  }
  for (const NodeChange& node : figure.by_node) entry["by_node"].push_back(node_json(node));
  entry["standing"] = to_string(figure.standing);
  entry["verdict"] = figure.verdict;
  if (!figure.note.empty()) entry["note"] = figure.note;
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

/// "worse: of 4 leading figures 1 worse, 3 same".
std::string overall_text(const std::vector<FigureComparison>& figures) {
  const Standing overall = overall_standing(figures);
  if (overall == Standing::not_compared) return "nothing here can be compared";
  std::string counts;
  const auto leading = std::ranges::count_if(figures, &FigureComparison::leading);
  for (const Standing standing :
       {Standing::worse, Standing::better, Standing::same, Standing::undecided, Standing::not_compared}) {
    const auto n = std::ranges::count_if(figures, [&](const FigureComparison& figure) {
      return figure.leading && figure.standing == standing;
    });
    if (n > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, to_string(standing));
  }
  return fmt::format("{}: of {} leading {} {}", to_string(overall), leading,
                     leading == 1 ? "figure" : "figures", counts);
}

}  // namespace

std::string comparison_text(const ComparedCampaigns& compared, bool all) {
  std::string text = fmt::format("{} (after) against {} (before): {}\n", compared.after, compared.before,
                                 overall_text(compared.figures));
  std::string last;
  int hidden = 0;
  for (const FigureComparison& figure : compared.figures) {
    const bool changed = figure.standing == Standing::worse || figure.standing == Standing::better;
    if (!all && !figure.leading && !changed) {
      ++hidden;
      continue;
    }
    if (const std::string here = case_text(figure); here != last) {
      text += fmt::format("\n{}  {}\n", suite_title(figure.suite), here);
      last = here;
      if (!figure.note.empty()) text += "  although " + figure.note + "\n";
    }
    if (figure.standing != Standing::not_compared)
      text +=
          fmt::format("  {:<28} {:>16} {:>16} {:>8}  n = {} and {}\n",
                      figure.unit.empty() ? metric_title(figure.metric) : figure.metric,
                      compared_text(figure, figure.median_before), compared_text(figure, figure.median_after),
                      shift_text(figure.shift), counts_of(figure).first, counts_of(figure).second);
    else if (!figure.metric.empty())
      text += fmt::format("  {}\n", figure.unit.empty() ? metric_title(figure.metric) : figure.metric);
    text += "    " + figure.verdict + "\n";
  }
  if (hidden > 0)
    text += fmt::format("\n{} further {} without a change that can be told (-v shows them).\n", hidden,
                        hidden == 1 ? "figure" : "figures");
  return text + environment_text(compared);
}

std::string comparison_json(const ComparedCampaigns& compared) {
  Json document;
  document["schema"] = "shakedown.comparison/1";
  document["before"] = compared.before;
  document["after"] = compared.after;
  document["standing"] = to_string(overall_standing(compared.figures));
  document["figures"] = Json::array();
  for (const FigureComparison& figure : compared.figures) document["figures"].push_back(figure_json(figure));
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

int comparison_exit_code(const std::vector<FigureComparison>& figures) {
  switch (overall_standing(figures)) {
    case Standing::worse:
      return 1;
    case Standing::better:
    case Standing::same:
      return 0;
    case Standing::undecided:
    case Standing::not_compared:
      break;
  }
  return 3;
}

}  // namespace shakedown
