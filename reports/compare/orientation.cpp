#include "reports/compare/orientation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/conditions.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/screening.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// A metric of a suite.
struct MetricName {
  std::string_view suite;
  std::string_view metric;
};

/// A pair of metrics with the suite that states it.
struct RatioOf {
  MetricName over;
  MetricName under;
  std::string_view published_per_gpu;  ///< the row of `over` with the value of `under`; empty: its own
};

bool has_suite(const MeasuredCampaign& campaign, std::string_view suite) {
  return std::any_of(campaign.cases.begin(), campaign.cases.end(),
                     [&](const MeasuredCase& record) { return record.planned.suite == suite; });
}

std::optional<int> count(const BaselineValue& row, std::string_view condition) {
  const Value* value = find_parameter(row.conditions, condition);
  if (value == nullptr || !std::holds_alternative<std::int64_t>(*value)) return std::nullopt;
  return static_cast<int>(std::get<std::int64_t>(*value));
}

std::string text_of(const BaselineValue& row, std::string_view condition) {
  const Value* value = find_parameter(row.conditions, condition);
  return value == nullptr ? "" : value_text(*value);
}

/// The row on the most nodes of each benchmark of a suite: what the whole system gave.
std::vector<const BaselineValue*> largest(const Baseline& baseline, const MetricName& headline) {
  std::vector<const BaselineValue*> found;
  for (const BaselineValue* row : baseline.rows(headline.suite, headline.metric)) {
    const auto same = std::find_if(found.begin(), found.end(), [&](const BaselineValue* other) {
      return text_of(*other, "benchmark") == text_of(*row, "benchmark");
    });
    if (same == found.end())
      found.push_back(row);
    else if (count(*row, "nodes").value_or(0) > count(**same, "nodes").value_or(0))
      *same = row;
  }
  return found;
}

PublishedValue orientation_value(const BaselineValue& row) {
  return {.suite = row.suite,
          .benchmark = text_of(row, "benchmark"),
          .metric = row.metric,
          .value = row.value,
          .unit = row.unit,
          .precision = upper(text_of(row, "precision")),
          .nodes = count(row, "nodes"),
          .gpus = count(row, "gpus"),
          .bound_by = row.bound_by,
          .source = row.source,
          .status = row.status};
}

/// A suite's value of this campaign, per node: the median of its runs on the most nodes.
struct Here {
  std::optional<double> per_node;
  std::string missing;  ///< why there is none
  int nodes = 0;
  std::string precision;
  bool gpus = false;
  std::vector<std::string> cases;  ///< whose runs went in
};

Here here(const MeasuredCampaign& campaign, const MetricName& headline, const Comparability& comparability) {
  Here found;
  found.missing = fmt::format("no valid {} result here", suite_title(headline.suite));
  std::vector<double> points;
  for (const MeasuredCase& record : campaign.cases) {
    if (record.planned.suite != headline.suite || record.planned.confirms) continue;
    if (record.planned.nodes < 1) {  // a log made elsewhere
      found.missing = fmt::format("on how many nodes {} ran is not known", suite_title(headline.suite));
      continue;
    }
    for (const CountedResult& counted : record.own) {
      const Metric* metric = counted.result->parsed.metric(headline.metric);
      if (metric == nullptr || !usable(*counted.result) || record.planned.nodes < found.nodes) continue;
      if (record.planned.nodes > found.nodes) {
        points.clear();
        found.cases.clear();
      }
      found.nodes = record.planned.nodes;
      if (found.cases.empty() || found.cases.back() != record.planned.id)
        found.cases.push_back(record.planned.id);
      points.push_back(metric->value / record.planned.nodes);
    }
    found.gpus = found.gpus || comparability.on_gpus(record.planned.implementation);
    if (const auto precision = condition_of("precision", campaign, record, comparability))
      found.precision = upper(value_text(*precision));
  }
  if (!points.empty()) found.per_node = median(points);
  return found;
}

/// "FP32 over FP64", "FP64".
std::string precisions(const std::string& over, const std::string& under) {
  if (over.empty() || under.empty()) return over + under;
  return over == under ? over : fmt::format("{} over {}", over, under);
}

std::string nodes_text(int nodes) {
  return fmt::format("{} {}", nodes, nodes == 1 ? "node" : "nodes");
}

void put_here(OrientationRatio& ratio, const RatioOf& pair, const MeasuredCampaign& campaign,
              const Comparability& comparability) {
  const Here over = here(campaign, pair.over, comparability);
  const Here under = here(campaign, pair.under, comparability);
  if (!over.per_node || !under.per_node || !(*under.per_node > 0)) {
    ratio.here_on = over.per_node ? under.missing : over.missing;
    return;
  }
  // A screen runs on each node alone: its rate per node is that of any number of them.
  const SuiteFacts* below = suite_facts(pair.under.suite);
  const bool screened = below != nullptr && below->screen;
  if (over.nodes != under.nodes && !screened) {
    ratio.here_on = fmt::format("no ratio: {} ran on {}, {} on {}", suite_title(pair.over.suite),
                                nodes_text(over.nodes), suite_title(pair.under.suite), under.nodes);
    return;
  }
  ratio.here = *over.per_node / *under.per_node;
  ratio.cases = over.cases;
  ratio.references = under.cases;
  ratio.here_on = fmt::format(
      "{}, {} {}{}", precisions(over.precision, under.precision), nodes_text(over.nodes),
      over.gpus ? "with GPUs" : "without GPU",
      over.nodes == under.nodes
          ? ""
          : fmt::format("; {} on {}, per node", suite_title(pair.under.suite), nodes_text(under.nodes)));
}

/// The values of published rows; of one that is published per GPU that of the best GPU.
void put_there(OrientationRatio& ratio, const RatioOf& pair, const Baseline& baseline) {
  const BaselineValue* over = baseline.find(pair.over.suite, pair.over.metric);
  const bool of_one_gpu = !pair.published_per_gpu.empty();
  const BaselineValue* under = of_one_gpu ? baseline.find(pair.over.suite, pair.published_per_gpu)
                                          : baseline.find(pair.under.suite, pair.under.metric);
  if (over == nullptr || under == nullptr || under->value == 0) return;
  const auto over_gpus = count(*over, "gpus");
  const auto under_gpus = of_one_gpu ? std::optional(1) : count(*under, "gpus");
  const std::string of = precisions(upper(text_of(*over, "precision")), upper(text_of(*under, "precision")));
  const auto nodes = count(*over, "nodes");
  const std::string on = nodes ? fmt::format("{}, {}", of, nodes_text(*nodes)) : of;
  if (over_gpus && under_gpus && *over_gpus > 0 && *under_gpus > 0) {
    ratio.there = (over->value / *over_gpus) / (under->value / *under_gpus);
    const std::string gpu = text_of(*over, "gpu");
    ratio.there_on =
        *over_gpus == *under_gpus ? fmt::format("{}, {} GPUs ({})", on, *over_gpus, gpu)
        : of_one_gpu              ? fmt::format("{}, {} GPUs ({}), of the best GPU", on, *over_gpus, gpu)
                     : fmt::format("{}, per GPU: {} and {} of them ({})", on, *over_gpus, *under_gpus, gpu);
    return;
  }
  ratio.there = over->value / under->value;
  ratio.there_on = on;
}

/// The published rows that the comparisons set beside cases, by the id of the case.
std::unordered_map<std::string_view, const BaselineValue*> rows_beside(
    const Baseline& baseline, std::string_view metric, const std::vector<Comparison>& comparisons) {
  std::unordered_map<std::string_view, const BaselineValue*> rows;
  for (const Comparison& each : comparisons) {
    if (each.metric != metric || each.normalisation != "absolute" || each.baseline_id.empty()) continue;
    const auto row = std::ranges::find(baseline.values, each.baseline_id, &BaselineValue::id);
    if (row != baseline.values.end()) rows.try_emplace(each.case_id, &*row);
  }
  return rows;
}

using SizeBeside = std::pair<const MeasuredCase*, const BaselineValue*>;

/// A suite's cases that the comparisons set a published value of `metric` beside, one of each workload and
/// number of nodes, the most nodes first.
std::vector<SizeBeside> sizes_beside(const MeasuredCampaign& campaign, const Baseline& baseline,
                                     const PublishedValue& value,
                                     const std::vector<Comparison>& comparisons) {
  const auto rows = rows_beside(baseline, value.metric, comparisons);
  std::map<std::pair<int, std::string_view>, SizeBeside> sizes;
  for (const MeasuredCase& record : campaign.cases)
    if (record.planned.suite == value.suite)
      if (const auto row = rows.find(record.planned.id); row != rows.end())
        sizes.try_emplace({-record.planned.nodes, record.benchmark}, &record, row->second);
  std::vector<SizeBeside> found;
  found.reserve(sizes.size());
  for (const auto& [size, beside] : sizes) found.push_back(beside);
  return found;
}

/// A condition of a published value that differs from that of sizes here.
struct DifferingCondition {
  const BaselineValue* row = nullptr;
  OrientationCondition condition;
  std::vector<std::pair<std::string, int>> here;  ///< what it is here, on how many nodes
};

/// "1024 on 128 nodes; 8 on 1 node"; what all `sizes` here have in common without them.
std::string here_text(const DifferingCondition& of, std::size_t sizes) {
  const bool alike = of.here.size() == sizes && std::ranges::all_of(of.here, [&](const auto& each) {
                       return each.first == of.here.front().first;
                     });
  if (alike) return of.here.front().first;
  std::vector<std::string> texts;
  texts.reserve(of.here.size());
  for (const auto& [text, nodes] : of.here)
    texts.push_back(of.condition.condition == "nodes" || nodes < 1
                        ? text
                        : fmt::format("{} on {}", text, nodes_text(nodes)));
  return joined(texts, "; ");
}

/// The conditions of the published values that differ from those of the campaign's cases, a row for each
/// published value: of several sizes here each is named.
std::vector<OrientationCondition> differing_conditions(const MeasuredCampaign& campaign,
                                                       const PublishedValue& value,
                                                       const std::vector<SizeBeside>& beside,
                                                       const Comparability& comparability) {
  const auto rule = std::ranges::find_if(comparability.rules, [&](const ComparisonRule& each) {
    return each.suite == value.suite && each.metric == value.metric && each.normalisation == "absolute";
  });
  if (rule == comparability.rules.end()) return {};
  std::map<const BaselineValue*, std::vector<std::string>> sizes;  // here, of each published value
  std::vector<DifferingCondition> differing;
  for (const auto& [record, row] : beside) {
    sizes[row].push_back(record->planned.nodes < 1 ? "not known" : std::to_string(record->planned.nodes));
    for (const std::string& name : rule->must_match) {
      const Value* there = find_parameter(row->conditions, name);
      const auto here = condition_of(name, campaign, *record, comparability);
      if (there != nullptr && here && same_condition(name, *there, *here)) continue;
      auto known = std::ranges::find_if(differing, [&, there_row = row](const DifferingCondition& each) {
        return each.row == there_row && each.condition.condition == name;
      });
      if (known == differing.end())
        known = differing.insert(known, {row,
                                         {value.suite, "", name,
                                          there == nullptr ? "not stated" : bare_condition_text(name, *there),
                                          "", there != nullptr && here.has_value()},
                                         {}});
      known->here.emplace_back(here ? bare_condition_text(name, *here) : "not known from the log or the plan",
                               record->planned.nodes);
    }
  }
  std::vector<OrientationCondition> found;
  found.reserve(differing.size());
  for (DifferingCondition& each : differing) {
    if (sizes.size() > 1) {
      const std::string benchmark = text_of(*each.row, "benchmark");
      const auto nodes = count(*each.row, "nodes");
      each.condition.of =
          fmt::format("{}{}nodes: {} here, {} there", benchmark, benchmark.empty() ? "" : ", ",
                      joined(sizes[each.row], ", "), nodes ? std::to_string(*nodes) : "not stated");
    }
    each.condition.here = here_text(each, sizes[each.row].size());
    found.push_back(std::move(each.condition));
  }
  return found;
}

/// Why nothing is compared.
std::string why(const Baseline& baseline, const std::vector<PublishedValue>& values) {
  const bool gpus =
      std::ranges::any_of(values, [](const PublishedValue& each) { return each.gpus.value_or(0) > 0; });
  return fmt::format(
      "The published values of {} were measured under conditions that differ or are not known{}. No result "
      "here is divided "
      "by one of them; a criterion whose limit comes from them says so in its row.",
      upper(baseline.name),
      gpus ? ". Totals depend on the number of GPUs; a rate per GPU needs the same GPU and as large a "
             "problem for it, and the network's share is unknown"
           : "");
}

/// Whether a comparison counts: with one that does, a campaign needs no orientation.
bool counts(const Comparison& comparison, const CampaignRecord& campaign) {
  if (!comparison.comparable && !comparison.information) return false;
  return !(is_screening(campaign) && comparison.normalisation.starts_with("efficiency"));
}

}  // namespace

std::optional<Orientation> orientation(const MeasuredCampaign& campaign, const Baseline& baseline,
                                       const Comparability& comparability,
                                       const std::vector<Comparison>& comparisons) {
  if (std::any_of(comparisons.begin(), comparisons.end(),
                  [&](const Comparison& each) { return counts(each, campaign.record); }))
    return std::nullopt;
  Orientation found;
  for (const SuiteFacts* facts : suites_in_order())
    if (!facts->screen && !facts->headlines.empty() && has_suite(campaign, facts->id))
      for (const BaselineValue* row : largest(baseline, {facts->id, facts->headlines.front().metric}))
        found.values.push_back(orientation_value(*row));
  if (found.values.empty()) return std::nullopt;
  for (const SuiteFacts* facts : suites_in_order())
    for (const MetricPair& pair : facts->pairs) {
      if (!has_suite(campaign, facts->id)) continue;
      OrientationRatio ratio;
      ratio.name = pair.name;
      ratio.says = pair.says;
      ratio.share = pair.share;
      ratio.most = pair.most;
      const RatioOf both = {
          {facts->id, pair.metric}, {pair.suite, pair.metric_below}, pair.published_per_gpu};
      put_here(ratio, both, campaign, comparability);
      put_there(ratio, both, baseline);
      if (ratio.here || ratio.there) found.ratios.push_back(std::move(ratio));
    }
  found.why = why(baseline, found.values);
  const PublishedValue first = found.values.front();
  const std::vector<SizeBeside> beside = sizes_beside(campaign, baseline, first, comparisons);
  for (const auto& [record, row] : beside)
    if (std::ranges::none_of(found.values, [published = row](const PublishedValue& each) {
          return each.suite == published->suite && each.benchmark == text_of(*published, "benchmark") &&
                 each.nodes == count(*published, "nodes");
        }))
      found.values.push_back(orientation_value(*row));
  found.conditions = differing_conditions(campaign, first, beside, comparability);
  return found;
}

}  // namespace shakedown
