#include "reports/judge/criteria_reach.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <map>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/each_node.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"

namespace shakedown {
namespace {

constexpr double highest_share = 5;  ///< HPCG over STREAM may exceed 1; above 4 its problem lay in the caches
constexpr double seconds_an_hour = 3600;

std::string_view planned_benchmark(const Case& planned) {
  if (!planned.benchmark.empty()) return planned.benchmark;
  const Value* named = find_parameter(planned.parameters, "benchmark");
  const auto* text = named == nullptr ? nullptr : std::get_if<std::string>(named);
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

double planned_node_hours(const Case& planned) {
  const Prediction* time = predicted_wall_time(planned);
  return time == nullptr ? 0 : node_count(planned) * planned.nodes * time->value / seconds_an_hour;
}

/// A metric that grows with the nodes, or falls.
bool is_of_a_scale(std::string_view metric) {
  return metric != "validity" && metric != "reliability" && !is_efficiency(metric) &&
         !metric.ends_with(per_gpu_ending) && !metric.ends_with("_pct");
}

/// "2, 4, 8 nodes".
std::string nodes_text(const std::set<int>& scales) {
  return fmt::format("{} node{}", fmt::join(scales, ", "), scales == std::set<int>{1} ? "" : "s");
}

std::string wide_reach(const Criterion& criterion, const std::vector<const Case*>& judged) {
  std::set<int> together;
  std::size_t alone = 0;
  for (const Case* each : judged) {
    if (each->bound)
      alone += static_cast<std::size_t>(node_count(*each));
    else
      together.insert(each->nodes);
  }
  if (criterion.nodes_required && !criterion.each_node && alone > 0 && !together.empty())
    return fmt::format(
        "{} asks for {} nodes, and single nodes meet that together: it is judged on {} of single nodes as "
        "well as on {}; each_node = false leaves the former out, each_node = true the latter",
        criterion.id, *criterion.nodes_required, plural(static_cast<std::int64_t>(alone), "run"),
        nodes_text(together));
  if (!criterion.limit || !is_of_a_scale(criterion.metric)) return "";
  if (alone > 0) together.insert(1);
  if (together.size() < 2) return "";
  return fmt::format("{} holds one limit on {} against runs on {}: nodes = N selects those of one size",
                     criterion.id, criterion.metric, nodes_text(together));
}

/// "hpl-rmax asks for >= 34 TFLOP/s on 98 nodes, and 34 PFLOP/s are predicted".
std::string off_prediction(const Criterion& criterion, const std::vector<const Case*>& judged) {
  if (!criterion.limit || !(*criterion.limit > 0)) return "";
  for (const Case* each : judged) {
    const Prediction* predicted = find_prediction(*each, criterion.metric);
    if (predicted == nullptr || !is_useful(*predicted)) continue;
    const double ratio = *criterion.limit / predicted->value;
    if (ratio < limit_far_off && ratio > 1 / limit_far_off) continue;
    return fmt::format(
        "{} asks for {} {} on {}, and {} is predicted: {} times {}; a limit without `unit` is in {}",
        criterion.id, to_string(criterion.direction), metric_text(criterion.metric, *criterion.limit),
        plural(each->nodes, "node"), metric_text(criterion.metric, predicted->value),
        number(ratio > 1 ? ratio : 1 / ratio, 2), ratio > 1 ? "as much" : "less",
        metric_unit(criterion.metric).empty() ? "the metric's unit" : metric_unit(criterion.metric));
  }
  return "";
}

/// "a asks for >= 78 of efficiency_gemm, which is a share: 1 is 100 %; 78 % is 0.78, or limit = 78 with
/// unit".
std::string percents_of_share(const Criterion& criterion) {
  const bool share = is_efficiency(criterion.metric) || criterion.metric == "reliability";
  if (!share || !criterion.limit || *criterion.limit < highest_share) return "";
  return fmt::format("{} asks for {} {} of {}, a share that is 1 at 100 %: state limit = {}, or unit = \"%\"",
                     criterion.id, to_string(criterion.direction), number(*criterion.limit, 3),
                     criterion.metric, number(*criterion.limit / 100, 3));
}

}  // namespace

std::string wrong_side(const Criterion& criterion) {
  const auto better = direction_of(criterion.metric);
  if (!better || criterion.metric == "validity") return "";
  if ((*better == Better::higher) != (criterion.direction == Direction::at_least))
    return fmt::format(
        "{} asks for {} of {}, where {} is better", criterion.id,
        criterion.direction == Direction::at_least ? "at least its limit" : "at most its limit",
        criterion.metric, *better == Better::higher ? "more" : "less");
  if (criterion.limit && *criterion.limit == 0 && criterion.direction == Direction::at_least)
    return fmt::format("{} asks for at least 0 of {}: every valid run has that", criterion.id,
                       criterion.metric);
  return "";
}

std::vector<const Case*> judged_cases(const Criterion& criterion, std::span<const Case> cases) {
  std::vector<const Case*> judged;
  int widest = 0;
  for (const Case& planned : cases) {
    if (planned.suite != criterion.suite || planned.confirms) continue;
    if (!criterion.benchmark.empty() && planned_benchmark(planned) != criterion.benchmark) continue;
    if (criterion.each_node && *criterion.each_node != planned.bound) continue;
    if (criterion.nodes && planned.nodes != *criterion.nodes) continue;
    judged.push_back(&planned);
    if (!planned.bound) widest = std::max(widest, planned.nodes);
  }
  if (criterion.nodes_required) {
    const int least = std::min(widest, *criterion.nodes_required);
    std::erase_if(judged, [&](const Case* each) { return !each->bound && each->nodes < least; });
  }
  return judged;
}

std::vector<UnjudgedWork> unjudged_work(std::span<const Criterion> criteria, std::span<const Case> cases) {
  std::set<const Case*> decides;
  std::set<std::string_view> denominators;
  for (const Criterion& criterion : criteria) {
    for (const Case* each : judged_cases(criterion, cases)) decides.insert(each);
    if (const SuiteFacts* screen = screen_of(criterion.metric)) denominators.insert(screen->id);
  }
  struct Kind {
    UnjudgedWork work;
    std::set<int> scales;
    bool bound = false;
    int stage = 0;
  };
  std::vector<Kind> kinds;
  std::map<std::string, std::size_t> places;
  for (const Case& planned : cases) {
    if (decides.contains(&planned) || denominators.contains(planned.suite)) continue;
    std::string name = fmt::format("{} ({}{}{})", suite_title(planned.suite), planned.implementation,
                                   planned.benchmark.empty() ? "" : ", ", planned.benchmark);
    const auto [at, is_new] =
        places.emplace(fmt::format("{} {} {}", name, planned.bound, planned.stage), kinds.size());
    if (is_new) kinds.push_back({{std::move(name)}, {}, planned.bound, planned.stage});
    Kind& kind = kinds[at->second];
    kind.work.cases += node_count(planned);
    kind.work.node_hours += planned_node_hours(planned);
    kind.scales.insert(planned.nodes);
  }
  std::vector<UnjudgedWork> all;
  for (Kind& kind : kinds) {
    kind.work.what += kind.bound ? std::string(" on each node") : " on " + nodes_text(kind.scales);
    if (kind.stage > 0) kind.work.what += fmt::format(", stage {}", kind.stage);
    all.push_back(std::move(kind.work));
  }
  return all;
}

std::vector<std::string> criteria_doubts(std::span<const Criterion> criteria, std::span<const Case> cases) {
  std::vector<std::string> doubts;
  for (const Criterion& criterion : criteria) {
    const std::vector<const Case*> judged = judged_cases(criterion, cases);
    for (std::string doubt : {wrong_side(criterion), percents_of_share(criterion),
                              wide_reach(criterion, judged), off_prediction(criterion, judged)})
      if (!doubt.empty()) doubts.push_back(std::move(doubt));
  }
  return doubts;
}

bool is_only_predicted(const Criterion& criterion) {
  return criterion.contract && criterion.contract->source == predicted_source &&
         (criterion.relative_kind() == ReferenceKind::contract ||
          criterion.limit_of == ReferenceKind::contract);  // frozen
}

std::vector<std::string> predicted_limits(std::span<const Criterion> criteria) {
  std::vector<std::string> ids;
  for (const Criterion& each : criteria)
    if (each.severity == CriterionSeverity::mandatory && is_only_predicted(each)) ids.push_back(each.id);
  return ids;
}

}  // namespace shakedown
