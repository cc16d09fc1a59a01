#include "reports/judge/criteria_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/compare/campaign_comparison.hpp"
#include "reports/judge/judged_criterion.hpp"
#include "reports/judge/measurable.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"
#include "reports/measure/reliability.hpp"
#include "reports/statistics/distributions.hpp"
#include "reports/statistics/order_interval.hpp"
#include "reports/statistics/proportion.hpp"

namespace shakedown {
namespace {

/// The runs of a configuration that a criterion is judged on.
struct Match {
  std::vector<const AcceptanceRun*> runs;
  bool any_suite = false;  ///< no runs are stated: all suites on all nodes
  int repetitions = 1;     ///< the fewest of them
};

bool planned_on(const AcceptanceRun& run, int nodes, std::optional<int> system_nodes) {
  if (run.each_node) return nodes == 1;
  if (run.nodes.empty()) return !system_nodes || *system_nodes == nodes;
  return std::ranges::find(run.nodes, nodes) != run.nodes.end();
}

/// The most nodes that a run is planned on; nothing where it is not known.
std::optional<int> widest(const AcceptanceRun& run, std::optional<int> system_nodes) {
  if (run.each_node || run.nodes.empty()) return system_nodes;
  return std::ranges::max(run.nodes);
}

/// A criterion that asks for so many nodes is judged on the cases that were planned for as many, where there
/// are such; those that measure one node each stay.
void keep_wide(std::vector<const AcceptanceRun*>& runs, const Criterion& criterion, const CheckScene& scene) {
  const auto& required = criterion.nodes_required;
  if (!required) return;
  const auto wide = [&](const AcceptanceRun* run) {
    return !run->each_node && widest(*run, scene.system_nodes).value_or(*required) >= *required;
  };
  if (std::ranges::any_of(runs, wide))
    std::erase_if(runs, [&](const AcceptanceRun* run) { return !run->each_node && !wide(run); });
}

Match match(const Criterion& criterion, const CheckScene& scene) {
  Match found;
  found.any_suite = scene.planned->runs.empty();
  for (const AcceptanceRun& run : scene.planned->runs) {
    if (run.suite != criterion.suite && criterion.suite != whole_campaign) continue;
    if (!criterion.benchmark.empty() && !run.benchmark.empty() && run.benchmark != criterion.benchmark)
      continue;
    if (criterion.each_node && *criterion.each_node != run.each_node) continue;
    if (criterion.nodes && !planned_on(run, *criterion.nodes, scene.system_nodes)) continue;
    found.runs.push_back(&run);
  }
  keep_wide(found.runs, criterion, scene);
  if (!found.runs.empty())
    found.repetitions = std::ranges::min(found.runs, {}, &AcceptanceRun::repetitions)->repetitions;
  return found;
}

bool plans(const CheckScene& scene, std::string_view suite) {
  return scene.planned->runs.empty() ||
         std::ranges::find(scene.planned->runs, suite, &AcceptanceRun::suite) != scene.planned->runs.end();
}

/// What a published value needs of the plan for its limit to hold.
void check_published(CriterionCheck& check, const Match& planned, const Comparability& comparability,
                     const CheckScene& scene) {
  const Criterion& criterion = *check.criterion;
  if (criterion.limit_of != ReferenceKind::published || !criterion.published) return;
  const BaselineValue& row = *criterion.published;
  const ComparisonRule* rule = comparability.criterion_rule(criterion.suite, criterion.metric);
  if (rule == nullptr || !rule->never.empty() || rule->information()) {
    check.undecidable.push_back(fmt::format("no comparison of {} {} with a published value is defined",
                                            suite_title(criterion.suite), criterion.metric));
    return;
  }
  const bool counts = std::ranges::find(rule->must_match, "nodes") != rule->must_match.end();
  const Value* nodes = find_parameter(row.conditions, "nodes");
  if (!counts || nodes == nullptr || scene.planned == nullptr || planned.runs.empty()) return;
  const int there = static_cast<int>(value_number(*nodes));
  for (const AcceptanceRun* run : planned.runs)
    if (planned_on(*run, there, scene.system_nodes)) return;
  check.undecidable.push_back(fmt::format(
      "{} was published on {} nodes, and no run of it is planned on as many: not comparable", row.id, there));
}

/// The numbers of nodes that a criterion is judged on; empty: not known.
std::set<int> judged_scales(const Criterion& criterion, const Match& planned, const CheckScene& scene) {
  std::set<int> scales;
  for (const AcceptanceRun* run : planned.runs) {
    if (run->each_node) scales.insert(1);
    scales.insert(run->nodes.begin(), run->nodes.end());
    if (run->nodes.empty() && !run->each_node && scene.system_nodes) scales.insert(*scene.system_nodes);
  }
  if (criterion.nodes) std::erase_if(scales, [&](int nodes) { return nodes != *criterion.nodes; });
  if (criterion.nodes_required && !scales.empty()) {
    // Runs on each node are judged by themselves, however many nodes are asked for.
    const bool alone =
        std::ranges::any_of(planned.runs, [](const AcceptanceRun* run) { return run->each_node; });
    const int least = std::min(*scales.rbegin(), *criterion.nodes_required);
    std::erase_if(scales, [&](int nodes) { return nodes < least && (nodes != 1 || !alone); });
  }
  return scales;
}

/// A value of one scale beside criteria that are judged on others, too.
void check_scales(CriterionCheck& check, const Match& planned, const Comparability& comparability,
                  const CheckScene& scene) {
  const Criterion& criterion = *check.criterion;
  if (criterion.limit_of != ReferenceKind::published || !criterion.published) return;
  const ComparisonRule* rule = comparability.criterion_rule(criterion.suite, criterion.metric);
  const Value* nodes = find_parameter(criterion.published->conditions, "nodes");
  if (rule == nullptr || nodes == nullptr ||
      std::ranges::find(rule->must_match, "nodes") == rule->must_match.end())
    return;
  const int there = static_cast<int>(value_number(*nodes));
  std::set<int> others = judged_scales(criterion, planned, scene);
  if (others.erase(there) == 0 || others.empty()) return;  // a plan without it is reported elsewhere
  check.undecidable.push_back(
      fmt::format("{} was published on {} nodes, and the criterion is judged on {} too, where it is not "
                  "comparable: nodes = {} selects them",
                  criterion.published->id, there, fmt::join(others, ", "), there));
}

void check_nodes(CriterionCheck& check, const Match& planned, const CheckScene& scene) {
  const auto& required = check.criterion->nodes_required;
  if (const auto& exactly = check.criterion->nodes; required && exactly && *exactly < *required) {
    check.undecidable.push_back(
        fmt::format("it is of cases on {} nodes, and asks for results from {}", *exactly, *required));
    return;
  }
  if (!required || planned.runs.empty()) return;
  int most = 0;
  for (const AcceptanceRun* run : planned.runs) {
    const auto nodes = widest(*run, scene.system_nodes);
    if (!nodes) return;  // it may be enough
    most = std::max(most, *nodes);
  }
  if (most < *required)
    check.undecidable.push_back(
        fmt::format("it asks for {} nodes, and no more than {} are planned", *required, most));
}

void check_runs(CriterionCheck& check, const Match& planned) {
  const int fewest = check.criterion->fewest_runs();
  if (planned.repetitions < fewest && check.criterion->metric != "reliability")
    check.undecidable.push_back(fmt::format("it takes {} runs, and {} {} planned", fewest,
                                            planned.repetitions, planned.repetitions == 1 ? "is" : "are"));
}

/// A success rate that not even success throughout would prove.
void check_attempts(CriterionCheck& check, const Match& planned, const CheckScene& scene) {
  const Criterion& criterion = *check.criterion;
  if (criterion.metric != "reliability" ||
      criterion.aggregation.kind != Aggregation::Kind::lower_confidence || !criterion.limit)
    return;
  std::size_t attempts = 0;
  for (const AcceptanceRun* run : planned.runs) {
    const std::size_t places = run->each_node ? static_cast<std::size_t>(scene.system_nodes.value_or(0))
                                              : std::max<std::size_t>(1, run->nodes.size());
    if (places == 0) return;  // as many as the system has nodes
    attempts += places * static_cast<std::size_t>(run->repetitions);
  }
  if (attempts == 0 || criterion.direction != Direction::at_least) return;
  const auto best = exact_interval(attempts, attempts, 2 * criterion.aggregation.confidence - 1);
  if (best && best->low < *criterion.limit)
    check.undecidable.push_back(fmt::format("even {} successes of {} attempts have a lower limit of {} only",
                                            attempts, attempts, percent_text(best->low)));
}

void check_plan(CriterionCheck& check, const Comparability& comparability, const CheckScene& scene) {
  const Criterion& criterion = *check.criterion;
  Match planned;
  planned.repetitions = scene.runs;
  if (scene.planned != nullptr) {
    planned = match(criterion, scene);
    if (planned.runs.empty() && !planned.any_suite) {
      if (!criterion.if_planned)
        check.undecidable.push_back(fmt::format("no run of {} is planned", scope_text(criterion)));
      return;
    }
    check_runs(check, planned);
    check_nodes(check, planned, scene);
    check_attempts(check, planned, scene);
    if (const SuiteFacts* screen = screen_of(criterion.metric);
        screen != nullptr && !plans(scene, screen->id))
      check.undecidable.push_back(
          fmt::format("its denominator is measured by {}, which is not planned", screen->title));
  }
  check_published(check, planned, comparability, scene);
  if (scene.planned != nullptr) check_scales(check, planned, comparability, scene);
}

/// The nodes that must each pass a criterion.
int machines(const Criterion& criterion, const CheckScene& scene, const Match& planned) {
  const bool each = criterion.each_node.value_or(!planned.runs.empty() && planned.runs.front()->each_node);
  return each ? std::max({1, criterion.nodes_required.value_or(1), scene.system_nodes.value_or(1)}) : 1;
}

void weigh(CriterionCheck& check, const CheckScene& scene) {
  const Criterion& criterion = *check.criterion;
  if (criterion.metric == "validity" || criterion.metric == "reliability") {
    check.no_risk = criterion.metric == "validity" ? "rules decide, not the spread of runs"
                                                   : "attempts are counted, not measured";
    return;
  }
  Match planned;
  planned.repetitions = scene.runs;
  if (scene.planned != nullptr && !scene.planned->runs.empty()) planned = match(criterion, scene);
  const int runs = std::max(planned.repetitions, criterion.fewest_runs());
  auto risk = criterion_risk(criterion.aggregation, runs, machines(criterion, scene, planned), scene.cov);
  if (risk)
    check.risk = *risk;
  else
    check.no_risk = risk.error().what;
}

}  // namespace

bool CriteriaCheck::sound() const {
  return conflicts.empty() &&
         std::ranges::all_of(criteria, [](const CriterionCheck& each) { return each.undecidable.empty(); });
}

CriteriaCheck checked_criteria(const Criteria& criteria, const Comparability& comparability,
                               const CheckScene& scene) {
  CriteriaCheck all;
  for (const Criterion& criterion : criteria.criteria) {
    CriterionCheck& check = all.criteria.emplace_back();
    check.criterion = &criterion;
    if (criterion.relative_kind() == ReferenceKind::last_accepted && !criterion.limit)
      check.undecidable.push_back(fmt::format("it is relative to the last accepted campaign, and {}",
                                              !scene.knows_accepted ? "which system that is of is not known"
                                              : criterion.without_last_accepted.empty()
                                                  ? "none of this system was accepted"
                                                  : criterion.without_last_accepted));
    if (std::string why = why_unmeasurable(criterion.suite, criterion.metric); !why.empty())
      check.undecidable.push_back(fmt::format("{}: {}", criterion.metric_place, why));
    check_plan(check, comparability, scene);
    weigh(check, scene);
    if (const auto unknown = unknown_suite(criterion.suite))
      all.remarks.push_back(fmt::format("{} is {}", criterion.id, *unknown));
  }
  for (std::string& doubt : criteria_doubts(criteria.criteria, scene.cases))
    all.remarks.push_back(std::move(doubt));
  all.predicted = predicted_limits(criteria.criteria);
  all.unjudged = unjudged_work(criteria.criteria, scene.cases);
  all.conflicts = conflicts_between(criteria.criteria);
  for (const Waiver& waiver : criteria.waivers)
    if (waiver.expired(scene.now_s))
      all.remarks.push_back(fmt::format("the waiver of {} by {} held until {}: it does nothing any more",
                                        waiver.criterion, waiver.approver, waiver.expires));
  return all;
}

namespace {

constexpr double middle_probability = 0.5;
constexpr double usually = 0.95;
constexpr double rarely = 0.05;

/// The rank of n runs that is a lower limit of the median.
Result<std::size_t> rank_of_limit(const Aggregation& how, int runs) {
  std::vector<double> ranks(static_cast<std::size_t>(runs));
  std::iota(ranks.begin(), ranks.end(), 1.0);
  const auto limit = quantile_lower_limit(ranks, middle_probability, how.confidence);
  if (!limit) return failure_of(limit);
  return limit->low_rank;
}

}  // namespace

Result<double> pass_probability(const Aggregation& how, int runs, double sigmas) {
  if (runs < how.fewest_runs())
    return fail("", fmt::format("{} runs make no {}", runs, how.text(Direction::at_least)),
                fmt::format("{} would", how.fewest_runs()));
  const double meets = normal_tail(-sigmas);
  const auto n = static_cast<std::size_t>(runs);
  if (how.kind == Aggregation::Kind::every) return std::pow(meets, runs);
  if (how.kind == Aggregation::Kind::best_of)
    return chance_of_k_of_n(static_cast<std::size_t>(how.k), static_cast<std::size_t>(how.n), meets);
  if (how.kind == Aggregation::Kind::lower_confidence) {
    const auto rank = rank_of_limit(how, runs);
    if (!rank) return failure_of(rank);
    return chance_of_k_of_n(n + 1 - *rank, n, meets);
  }
  if (how.kind != Aggregation::Kind::median)
    return fail("", fmt::format("no chance follows from '{}'", to_string(how.kind)),
                "it is not computed from runs");
  if (runs % 2 == 0) return normal_even_median_tail(-sigmas, n / 2);
  return chance_of_k_of_n((n + 1) / 2, n, meets);
}

Result<double> sigmas_for(const Aggregation& how, int runs, double probability) {
  double low = -12;
  double high = 12;
  constexpr int halvings = 60;  // to the last digit of a double
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::midpoint(low, high);
    const auto passes = pass_probability(how, runs, middle);
    if (!passes) return failure_of(passes);
    (*passes < probability ? low : high) = middle;
  }
  return std::midpoint(low, high);
}

Result<CriterionRisk> criterion_risk(const Aggregation& how, int runs, int machines, double cov) {
  CriterionRisk risk;
  risk.runs = runs;
  risk.machines = machines;
  const auto good = pass_probability(how, runs, 1);
  const auto even = pass_probability(how, runs, 0);
  const auto bad = pass_probability(how, runs, -1);
  const auto sure = sigmas_for(how, runs, std::pow(usually, 1.0 / machines));
  const auto lucky = sigmas_for(how, runs, std::pow(rarely, 1.0 / machines));
  for (const auto* each : {&good, &even, &bad, &sure, &lucky})
    if (!*each) return failure_of(*each);
  risk.vendor = 1 - std::pow(*good, machines);
  risk.even = std::pow(*even, machines);
  risk.customer = std::pow(*bad, machines);
  risk.vendor_margin = *sure * cov;
  risk.customer_margin = *lucky * cov;
  return risk;
}

namespace {

/// Where among the sorted runs the value of a criterion lies: 0 the lowest, 1 the highest.
double position(const Criterion& criterion) {
  const Aggregation& how = criterion.aggregation;
  const bool more_is_better = criterion.direction == Direction::at_least;
  double from_worst = 0.5;
  if (how.kind == Aggregation::Kind::every) from_worst = 0;
  if (how.kind == Aggregation::Kind::lower_confidence)
    from_worst = 0.25;  // somewhere between the worst and the median
  if (how.kind == Aggregation::Kind::best_of && how.n > 1)
    from_worst = static_cast<double>(how.n - how.k) / static_cast<double>(how.n - 1);
  return more_is_better ? from_worst : 1 - from_worst;
}

template <class T>
bool may_be_one(const T& a, const T& b, bool is_open) {
  return is_open || a == b;
}

/// Whether two criteria can apply to one case.
bool meet(const Criterion& a, const Criterion& b) {
  return a.suite == b.suite && a.metric == b.metric && a.limit && b.limit &&
         may_be_one(a.benchmark, b.benchmark, a.benchmark.empty() || b.benchmark.empty()) &&
         may_be_one(a.nodes, b.nodes, !a.nodes || !b.nodes) &&
         may_be_one(a.each_node, b.each_node, !a.each_node || !b.each_node);
}

bool same_metric(const Aggregation& a, const Aggregation& b) {
  return a.kind == b.kind && a.confidence == b.confidence && a.k == b.k && a.n == b.n;
}

std::string requirement(const Criterion& criterion) {
  return fmt::format("{} {} {}", criterion.aggregation.text(criterion.direction),
                     to_string(criterion.direction),
                     metric_text(criterion.metric, criterion.limit.value_or(0), 2));
}

/// Why two criteria get in each other's way; empty: they don't.
std::string conflict(const Criterion& a, const Criterion& b) {
  const double first = a.limit.value_or(0);
  const double second = b.limit.value_or(0);
  if (a.direction == b.direction) {
    const bool twice = a.severity == b.severity && same_metric(a.aggregation, b.aggregation) &&
                       a.nodes == b.nodes && a.benchmark == b.benchmark && a.each_node == b.each_node &&
                       a.nodes_required == b.nodes_required;
    if (!twice || first == second) return "";
    return fmt::format("both set a limit on the same metric, {} and {}: only the stricter one decides",
                       requirement(a), requirement(b));
  }
  const Criterion& floor = a.direction == Direction::at_least ? a : b;
  const Criterion& ceiling = a.direction == Direction::at_least ? b : a;
  if (floor.limit.value_or(0) <= ceiling.limit.value_or(0) || position(floor) > position(ceiling)) return "";
  return fmt::format("no runs meet both {} and {}", requirement(floor), requirement(ceiling));
}

}  // namespace

std::vector<CriteriaConflict> conflicts_between(const std::vector<Criterion>& criteria) {
  std::vector<CriteriaConflict> found;
  for (std::size_t i = 0; i < criteria.size(); ++i)
    for (std::size_t k = i + 1; k < criteria.size(); ++k) {
      if (!meet(criteria[i], criteria[k])) continue;
      if (std::string why = conflict(criteria[i], criteria[k]); !why.empty())
        found.push_back({criteria[i].id, criteria[k].id, std::move(why)});
    }
  return found;
}

}  // namespace shakedown
