#include <fmt/format.h>

#include "reports/judge/criteria_check.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

/// Where among the sorted runs the figure of a clause lies: 0 the lowest, 1 the highest.
double position(const Criterion& clause) {
  const Aggregation& how = clause.aggregation;
  const bool more_is_better = clause.direction == ">=";
  double from_worst = 0.5;
  if (how.kind == "every") from_worst = 0;
  if (how.kind == "lower_confidence") from_worst = 0.25;  // somewhere between the worst and the median
  if (how.kind == "best_of" && how.n > 1)
    from_worst = static_cast<double>(how.n - how.k) / static_cast<double>(how.n - 1);
  return more_is_better ? from_worst : 1 - from_worst;
}

template <class T>
bool may_be_one(const T& a, const T& b, bool is_open) {
  return is_open || a == b;
}

/// Whether two clauses can speak of one case.
bool meet(const Criterion& a, const Criterion& b) {
  return a.suite == b.suite && a.metric == b.metric && a.limit && b.limit &&
         may_be_one(a.benchmark, b.benchmark, a.benchmark.empty() || b.benchmark.empty()) &&
         may_be_one(a.nodes, b.nodes, !a.nodes || !b.nodes) &&
         may_be_one(a.each_node, b.each_node, !a.each_node || !b.each_node);
}

bool same_figure(const Aggregation& a, const Aggregation& b) {
  return a.kind == b.kind && a.confidence == b.confidence && a.k == b.k && a.n == b.n;
}

std::string demand(const Criterion& clause) {
  return fmt::format("{} {} {}", clause.aggregation.text(clause.direction), clause.direction,
                     metric_text(clause.metric, clause.limit.value_or(0), 2));
}

/// Why two clauses get in each other's way; empty: they don't.
std::string conflict(const Criterion& a, const Criterion& b) {
  const double first = a.limit.value_or(0);
  const double second = b.limit.value_or(0);
  if (a.direction == b.direction) {
    const bool twice = a.severity == b.severity && same_figure(a.aggregation, b.aggregation) &&
                       a.nodes == b.nodes && a.benchmark == b.benchmark && a.each_node == b.each_node &&
                       a.nodes_required == b.nodes_required;
    if (!twice || first == second) return "";
    return fmt::format("both demand the same with different limits, {} and {}: the stricter alone decides",
                       demand(a), demand(b));
  }
  const Criterion& floor = a.direction == ">=" ? a : b;
  const Criterion& ceiling = a.direction == ">=" ? b : a;
  if (floor.limit.value_or(0) <= ceiling.limit.value_or(0) || position(floor) > position(ceiling)) return "";
  return fmt::format("no runs meet both {} and {}", demand(floor), demand(ceiling));
}

}  // namespace

std::vector<ClauseConflict> conflicts_between(const std::vector<Criterion>& clauses) {
  std::vector<ClauseConflict> found;
  for (std::size_t i = 0; i < clauses.size(); ++i)
    for (std::size_t k = i + 1; k < clauses.size(); ++k) {
      if (!meet(clauses[i], clauses[k])) continue;
      if (std::string why = conflict(clauses[i], clauses[k]); !why.empty())
        found.push_back({clauses[i].id, clauses[k].id, std::move(why)});
    }
  return found;
}

}  // namespace shakedown
