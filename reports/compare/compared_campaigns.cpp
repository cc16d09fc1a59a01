#include "reports/compare/compared_campaigns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {

ComparedCampaigns compared_campaigns(const MeasuredCampaign& before, const MeasuredCampaign& after,
                                     const Comparability& comparability, const SystemSeries* past) {
  return {before.record.id, after.record.id, campaign_comparison(before, after, comparability, {}, past),
          environment_differences(before.record, after.record),
          environment_known(before.record, after.record)};
}

std::string compared_text(const MetricComparison& comparison, const std::optional<double>& value) {
  if (!value) return std::string(dash);
  return comparison.unit.empty() ? metric_text(comparison.metric, *value)
                                 : fmt::format("{} {}", number(*value, 4), comparison.unit);
}

std::string shift_text(const std::optional<double>& shift) {
  if (!shift) return std::string(dash);
  return (*shift > 0 ? "+" : "") + percent_text(*shift);
}

std::string case_text(const MetricComparison& comparison) {
  if (comparison.before_case.empty() || comparison.before_case == comparison.after_case)
    return comparison.after_case;
  if (comparison.after_case.empty()) return comparison.before_case;
  return comparison.before_case + " / " + comparison.after_case;
}

std::string compared_title(const MetricComparison& comparison) {
  return comparison.unit.empty() ? metric_title(comparison.metric) : comparison.metric;
}

std::pair<std::size_t, std::size_t> counts_of(const MetricComparison& comparison) {
  if (const auto& attempts = comparison.attempts)
    return {static_cast<std::size_t>(attempts->before.started),
            static_cast<std::size_t>(attempts->after.started)};
  return {comparison.before.size(), comparison.after.size()};
}

std::string overall_text(const std::vector<MetricComparison>& metrics) {
  const ChangeVerdict overall = overall_change(metrics);
  if (overall == ChangeVerdict::not_compared) return "nothing here can be compared";
  std::string counts;
  const auto leading = std::ranges::count_if(metrics, &MetricComparison::leading);
  for (const ChangeVerdict change : {ChangeVerdict::worse, ChangeVerdict::better, ChangeVerdict::same,
                                     ChangeVerdict::undecided, ChangeVerdict::not_compared}) {
    const auto n = std::ranges::count_if(metrics, [&](const MetricComparison& comparison) {
      return comparison.leading && comparison.change == change;
    });
    if (n > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, to_string(change));
  }
  return fmt::format("{}: of {} leading {} {}", to_string(overall), leading,
                     leading == 1 ? "metric" : "metrics", counts);
}

std::string assumption_text(const std::vector<MetricComparison>& metrics) {
  const bool of_two_days = std::ranges::any_of(metrics, [](const MetricComparison& comparison) {
    return comparison.statistics && !comparison.statistics->days;
  });
  if (!of_two_days) return "";
  return fmt::format(
      "Intervals and p without earlier days assume that days do not differ by themselves. {} earlier "
      "campaigns or checks of the same runs show by how much they do, if they lie as far apart as these two "
      "({} days are enough).",
      fewest_days, week_days);
}

}  // namespace shakedown
