#include "reports/measure/node_past.hpp"

#include <algorithm>

#include "reports/statistics/median.hpp"

namespace shakedown {

PastRatios past_ratios(const ScreenRuns& runs, const CampaignRecord& campaign, const NodePast& past) {
  PastRatios ratios;
  if (past.series == nullptr) return ratios;
  std::map<std::string, double> since;  // by node: what is older does not speak of it any more
  for (const NodeEvent& event : past.events)
    if (event.at_s <= campaign.created_s) since[event.node] = std::max(since[event.node], event.at_s);
  std::map<std::string, PastRatios> days;  // by campaign, as rates
  const NodeScreen& screen = runs.screen;
  for (const MetricSeries& series : past.series->series) {
    if (series.suite != screen.suite || series.implementation != screen.implementation || series.nodes != 1 ||
        series.node_kind != screen.node_kind || series.parameters != screen.parameters ||
        series.metric != screen.metric || !series.unit.empty())
      continue;
    for (const SeriesPoint& point : series.points) {
      const SeriesRun& run = past.series->runs[point.run];
      const bool counts = run.complete && (run.validity == Validity::valid ||
                                           (runs.unruled && run.validity == Validity::unknown));
      if (!counts || run.campaign == campaign.id || run.at_s >= campaign.created_s) continue;
      if (!(point.value > 0)) continue;
      if (const auto it = since.find(run.hosts); it != since.end() && run.at_s < it->second) continue;
      days[run.campaign][run.hosts].push_back(screen.rate(point.value));
    }
  }
  for (const auto& [id, nodes] : days) {
    if (nodes.size() < fewest_screened) continue;  // too few to tell what that day's level was
    std::vector<double> rates;
    rates.reserve(nodes.size());
    for (const auto& [node, values] : nodes) rates.push_back(median(values));
    const double level = median(rates);
    for (const auto& [node, values] : nodes) ratios[node].push_back(median(values) / level);
  }
  return ratios;
}

}  // namespace shakedown
