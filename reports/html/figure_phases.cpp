#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "orchestrator/core/units.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/plots.hpp"

namespace shakedown {

std::vector<Figure> phase_figures(const ReportInput& input, std::string_view suite) {
  for (const MeasuredCase& each : input.measured.cases) {
    if (each.planned.suite != suite || each.own.empty() || each.own.back().result->parsed.phases.empty())
      continue;
    const ResultRecord& last = *each.own.back().result;
    const ParsedResult& result = last.parsed;
    std::map<std::string, std::vector<Bar>> by_unit;
    for (const Phase& phase : result.phases) {
      if (!phase.scored) continue;
      const bool cached = std::ranges::any_of(
          result.facts, [&](const Fact& fact) { return fact.name == "cached" && fact.value == phase.name; });
      const std::string_view remark = !phase.valid ? ", marked [INVALID]" : cached ? ", from the cache" : "";
      by_unit[phase.unit].push_back({phase.name, phase.value,
                                     fmt::format("{} {}{}", number(phase.value), phase.unit, remark),
                                     !phase.valid || cached});
    }
    const bool maybe_cached =
        std::ranges::any_of(last.rules,
                            [](const RuleResult& rule) {
                              return rule.id == "IO5-09" && rule.status == RuleStatus::not_applicable;
                            }) &&
        std::ranges::any_of(result.phases, [](const Phase& phase) { return phase.scored && !phase.valid; });
    std::vector<Figure> figures;
    for (const auto& [unit, bars] : by_unit) {
      const bool outlined = std::ranges::any_of(bars, &Bar::marked);
      Figure figure{
          .title = fmt::format("Phases in {}", unit),
          .caption = fmt::format(
              "{}, last result{}{}", each.planned.id,
              outlined ? "; outlines are marked [INVALID] by the log or come from the cache" : "",
              maybe_cached ? "; after writes that are too short, reads, stats and find may come from a "
                             "cache: of several clients IO5-09 can't tell"
                           : ""),
          .drawn = bar_chart(bars, fmt::format("phases in {}", unit)),
          .columns = {"Phase", "Rate"},
          .rows = {}};
      for (const Bar& bar : bars) figure.rows.push_back({bar.name, bar.shown});
      figures.push_back(std::move(figure));
    }
    return figures;
  }
  return {};
}

}  // namespace shakedown
