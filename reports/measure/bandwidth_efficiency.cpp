#include "reports/measure/bandwidth_efficiency.hpp"

#include "orchestrator/core/units.hpp"
#include "reports/statistics/median.hpp"

namespace shakedown {
namespace {

/// The rates of a metric in GB/s, of which `unit` is one unit, over `gb_s`.
Measurement over(const CaseRecord& record, const char* metric, double unit, double gb_s) {
  Measurement measurement;
  for (const CountedResult& counted : counted_results(record))
    if (const Metric* rate = counted.result->parsed.metric(metric)) {
      measurement.points.push_back(rate->value * unit / gb_s);
      measurement.attempts.push_back(counted.attempt);
    }
  return measurement;
}

Measurement without(std::string why) {
  Measurement measurement;
  measurement.missing = std::move(why);
  return measurement;
}

}  // namespace

Measurement stream_efficiency(const CampaignRecord& campaign, const CaseRecord& record,
                              const Comparability& comparability) {
  if (record.planned.nodes < 1) return without(nodes_not_told);
  if (comparability.on_gpus(record.planned.implementation))
    return without("STREAM was measured on other devices than those that ran the case");
  std::vector<double> per_node;
  std::vector<std::string> screens;
  for (const CaseRecord& screen : campaign.cases) {
    if (screen.planned.suite != "stream" || screen.planned.nodes < 1 || screen.planned.confirms) continue;
    if (comparability.on_gpus(screen.planned.implementation)) continue;
    for (const CountedResult& counted : counted_results(screen))
      if (const Metric* rate = counted.result->parsed.metric(stream_triad); rate && usable(*counted.result))
        per_node.push_back(rate->value / 1000 / screen.planned.nodes);
    screens.push_back(screen.planned.id);
  }
  const double sustained = per_node.empty() ? 0 : median(per_node) * record.planned.nodes;
  if (!(sustained > 0)) return without("no STREAM rate was measured in this campaign");
  Measurement measurement = over(record, hpcg_bandwidth, 1, sustained);
  measurement.basis = fmt::format("of {} GB/s measured STREAM Triad", number(sustained, 4));
  measurement.screens = std::move(screens);
  return measurement;
}

Measurement memory_efficiency(const CampaignRecord& campaign, const CaseRecord& record) {
  if (record.planned.nodes < 1) return without(nodes_not_told);
  const NodeGroup* group = node_group(campaign.inventory, record.planned);
  if (group == nullptr) return without("the inventory does not hold the case's nodes");
  const double peak = group->memory_bandwidth_gb_s.value_or(0) * record.planned.nodes;
  if (!(peak > 0)) return without("the theoretical bandwidth of the memory is not known");
  Measurement measurement = over(record, stream_triad, 1e-3, peak);
  measurement.basis = fmt::format("of {} GB/s, the memory channels' theoretical rate", number(peak, 4));
  return measurement;
}

}  // namespace shakedown
