#include "reports/html/key_values.hpp"

#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/other_cases.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// "HPL-like program (shakedown), N = 9 792, 4.5 s, 3 % of memory", "HPL Rmax, nvidia": whose program
/// measured a rate, and on how large a problem where it is not the official one.
std::string metric_label(const CampaignRecord& campaign, const CaseRecord& record) {
  const Case& planned = record.planned;
  const std::string title = suite_title(planned.suite);
  const std::string metric = metric_title(rate_metric(planned.suite));
  if (planned.implementation != "reference")
    return fmt::format("{} {}, {}", title, metric, planned.implementation);
  const Value* order = find_parameter(planned.parameters, "N");
  if (order == nullptr) return fmt::format("{} {}, shakedown’s program", title, metric);
  std::string label =
      fmt::format("{}-like program (shakedown), N = {}", title, grouped(value_number(*order)));
  for (const CountedResult& counted : counted_results(record))
    if (const Metric* time = counted.result->parsed.metric("time_s")) {
      label += ", " + metric_text(time->name, time->value);
      break;
    }
  const NodeGroup* group = node_group(campaign.inventory, planned);
  if (group != nullptr && group->memory_bytes > 0 && planned.nodes > 0) {
    const double memory = static_cast<double>(group->memory_bytes) * planned.nodes;
    const double share = 8 * value_number(*order) * value_number(*order) / memory;
    label += fmt::format(", {} of memory", share < 0.01 ? "< 1 %" : percent_text(share, 0));
  }
  return label;
}

/// The median rate of a case, or of its repetitions, as a value for the verdict's side; nothing if it has
/// none.
std::optional<Fields> key_value(const CampaignRecord& campaign, const CaseRecord& record,
                                std::span<const CaseRecord* const> repetitions) {
  const std::string_view metric = rate_metric(record.planned.suite);
  std::vector<double> points;
  for (const CaseRecord* each : repetitions)
    for (const CountedResult& counted : counted_results(*each))
      if (const Metric* rate = counted.result->parsed.metric(metric);
          rate != nullptr && usable(*counted.result))
        points.push_back(rate->value);
  if (points.empty()) return std::nullopt;
  return Fields()
      .text("value", metric_text(metric, median(points)))
      .text("label", metric_label(campaign, record) +
                         (repetitions.size() > 1 ? fmt::format(", median of {} runs", points.size()) : ""));
}

/// Whether the headline metric of a suite is its rate.
bool counts_by_rate(std::string_view suite) {
  const SuiteFacts* facts = suite_facts(suite);
  return facts != nullptr && !facts->headlines.empty() && facts->headlines.front().metric == facts->rate;
}

}  // namespace

std::vector<Fields> key_values(const CampaignRecord& campaign) {
  static constexpr size_t most = 4;
  std::vector<Fields> values;
  std::set<size_t> represented;                                  // by others like them
  std::map<size_t, std::vector<const CaseRecord*>> repetitions;  // by the first of them
  for (const LikeNodes& group : like_nodes(campaign)) {
    represented.insert(group.cases.begin() + 1, group.cases.end());
    for (const size_t i : group.cases)
      if (group.repeated) repetitions[group.cases.front()].push_back(&campaign.cases[i]);
  }
  for (const bool screens : {false, true})
    for (size_t i = 0; i < campaign.cases.size(); ++i) {
      const CaseRecord& record = campaign.cases[i];
      if (represented.contains(i) || record.planned.confirms) continue;
      if (is_screen(record.planned.suite) != screens || !counts_by_rate(record.planned.suite)) continue;
      const auto all = repetitions.try_emplace(i, std::vector{&record}).first;
      if (auto value = key_value(campaign, record, all->second); value && values.size() < most)
        values.push_back(std::move(*value));
    }
  return values;
}

}  // namespace shakedown
