#include "orchestrator/planning/node_counts.hpp"

#include <algorithm>
#include <optional>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

constexpr double worth_reporting = 0.01;  // below it the model's own error decides

double rate_per_rank(const Suite& suite, const Case& planned) {
  const Prediction* rate = find_prediction(planned, rate_metric(suite.id));
  return rate == nullptr ? 0 : rate->value / planned.ranks;
}

/// How many nodes more or fewer are looked at.
int reach_of(int nodes) {
  return std::clamp(nodes / 50, 4, 8);
}

}  // namespace

std::string better_node_count(const Suite& suite, const PlanRequest& request, const Case& planned,
                              std::span<const std::string> usable) {
  const double own = rate_per_rank(suite, planned);
  if (suite.shape == nullptr || own <= 0 || planned.nodes < 2 || !request.pins.empty()) return {};
  const auto most = static_cast<int>(usable.size());
  const int reach = reach_of(planned.nodes);
  PlanRequest other = request;
  // A rate per rank changes with the size of the machine, too. Only if it is below the best on both sides is
  // the number of nodes the cause.
  const auto best_towards = [&](int direction) {
    std::optional<Case> best;
    other.hosts.assign(usable.begin(), usable.begin() + planned.nodes);
    for (int step = 1; step <= reach; ++step) {
      const int nodes = planned.nodes + direction * step;
      if (nodes < 2 || nodes > most) break;
      if (direction < 0)
        other.hosts.pop_back();
      else
        other.hosts.push_back(usable[other.hosts.size()]);
      auto plan = suite.plan(other);
      const double better =
          best ? rate_per_rank(suite, *best) * (1 + worth_reporting / 2) : 0;  // else the nearest
      if (plan && rate_per_rank(suite, *plan) > better) best = *std::move(plan);
    }
    return best;
  };
  const auto fewer = best_towards(-1);
  if (!fewer) return {};
  const auto more = best_towards(+1);
  const double left = rate_per_rank(suite, *fewer);
  const double change = own / (more ? std::min(left, rate_per_rank(suite, *more)) : left) - 1;
  if (change > -worth_reporting) return {};
  return fmt::format(
      "{} nodes, arranged as {}, are expected to give {:.1f} % less per rank than {} nodes, arranged as {}",
      planned.nodes, suite.shape(planned), (1 - own / left) * 100, fewer->nodes, suite.shape(*fewer));
}

std::string why_fewer_nodes(const Wanted& wanted, const PlanRequest& request, const Case& planned,
                            std::span<const std::string> usable) {
  const auto all = static_cast<int>(usable.size());
  if (planned.nodes >= all) return {};
  std::string because = fmt::format("as {} states", wanted.place.empty() ? "--nodes" : wanted.place);
  if (request.pins.empty()) {
    PlanRequest whole = request;
    whole.hosts.assign(usable.begin(), usable.end());
    const auto plan = wanted.suite->plan(whole);
    const double own = rate_per_rank(*wanted.suite, planned);
    if (!plan)
      because += fmt::format("; all {} are refused by {}", all, plan.error().where);
    else if (wanted.suite->shape != nullptr && all - planned.nodes <= reach_of(all) &&
             rate_per_rank(*wanted.suite, *plan) < own * (1 - worth_reporting))
      because +=
          fmt::format("; all {}, arranged as {}, give {:.1f} % less per rank", all,
                      wanted.suite->shape(*plan), (1 - rate_per_rank(*wanted.suite, *plan) / own) * 100);
  }
  return fmt::format("{} of {} nodes: {}", planned.nodes, all, because);
}

}  // namespace shakedown
