#include "reports/compare/day_history.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "orchestrator/core/time.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_days = 30;  // independent ones

/// The values of a day, by node.
using DayValues = std::map<std::string_view, std::vector<double>>;

long date_of(double at_s) {
  return static_cast<long>(std::floor(at_s / day_s));
}

/// What each node usually gives: the median of its days.
std::map<std::string_view, double> usual(const std::map<long, DayValues>& days) {
  std::map<std::string_view, std::vector<double>> all;
  for (const auto& [date, nodes] : days)
    for (const auto& [node, values] : nodes) all[node].push_back(median(values));
  std::map<std::string_view, double> found;
  for (const auto& [node, values] : all) found[node] = median(values);
  return found;
}

void keep_newest(std::map<long, DayValues>& days, long apart) {
  std::vector<long> dates;
  dates.reserve(days.size());
  for (const auto& [date, nodes] : days) dates.push_back(date);
  const std::vector<long> independent = independent_dates(dates, apart);
  if (independent.size() > most_days) days.erase(days.begin(), days.lower_bound(independent[most_days - 1]));
}

std::optional<DaySpread> spread_of(std::map<long, DayValues> days, long apart) {
  keep_newest(days, apart);
  const auto of_node = usual(days);
  std::vector<MeasuredDay> levels;
  for (const auto& [date, nodes] : days) {
    if (2 * nodes.size() < of_node.size()) continue;  // too few nodes show no level of all
    std::vector<double>& values = levels.emplace_back(MeasuredDay{date, {}}).values;
    for (const auto& [node, runs] : nodes)
      for (const double run : runs) values.push_back(run / of_node.at(node));
  }
  return day_spread(levels, apart);
}

}  // namespace

DayHistory::DayHistory(const SystemSeries* past, const LikeRuns& before, const LikeRuns& after)
    : past_(past) {
  if (past == nullptr) return;
  std::set<std::pair<std::string_view, std::string_view>> own;
  for (const LikeRuns* side : {&before, &after})
    for (const MeasuredCase* record : side->cases)
      own.emplace(side->campaign().record.id, record->planned.id);
  const CampaignRecord& old = before.campaign().record;
  const CampaignRecord& fresh = after.campaign().record;
  for (const SeriesRun& run : past->runs) {
    is_own_.push_back(own.contains({run.campaign, run.case_id}));
    of_campaign_.push_back(run.campaign == old.id || run.campaign == fresh.id);
  }
  first_s_ = std::min(old.created_s, fresh.created_s);
  last_s_ = std::max(old.created_s, fresh.created_s);
  apart_ = std::clamp(date_of(last_s_) - date_of(first_s_), 1L, week_days);
}

std::optional<DaySpread> DayHistory::spread(const LikeMetric& metric,
                                            std::span<const std::string> nodes) const {
  if (past_ == nullptr) return std::nullopt;
  std::map<long, DayValues> before_both;
  std::map<long, DayValues> before_last;
  for (const MetricSeries& series : past_->series) {
    if (series.metric != metric.name || series.unit != metric.unit ||
        std::ranges::none_of(series.points, [&](const SeriesPoint& point) { return is_own_[point.run]; }))
      continue;
    for (const SeriesPoint& point : series.points) {
      const SeriesRun& run = past_->runs[point.run];
      if (of_campaign_[point.run] || !run.complete || run.validity == Validity::invalid || !(point.value > 0))
        continue;
      if (!nodes.empty() && std::ranges::find(nodes, run.hosts) == nodes.end()) continue;
      const std::string_view node = nodes.empty() ? std::string_view() : run.hosts;
      const long date = date_of(run.at_s);
      if (date >= date_of(last_s_) || date == date_of(first_s_)) continue;
      before_last[date][node].push_back(point.value);
      if (date < date_of(first_s_)) before_both[date][node].push_back(point.value);
    }
  }
  if (auto found = spread_of(std::move(before_both), apart_)) return found;
  return spread_of(std::move(before_last), apart_);
}

}  // namespace shakedown
