#include "orchestrator/planning/node_advice.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

constexpr double worth_saying = 0.01;  // below it the model's own error decides

double rate_per_rank(const Suite& suite, const Case& planned) {
  const Prediction* rate = find_prediction(planned, rate_metric(suite.id));
  return rate == nullptr ? 0 : rate->value / planned.ranks;
}

}  // namespace

std::string better_node_count(const Suite& suite, const PlanRequest& request, const Case& planned,
                              std::span<const std::string> usable) {
  const double own = rate_per_rank(suite, planned);
  if (suite.shape == nullptr || own <= 0 || planned.nodes < 2 || !request.pins.empty()) return {};
  const auto most = static_cast<int>(usable.size());
  const int reach = std::clamp(planned.nodes / 50, 4, 8);
  PlanRequest other = request;
  // A rate per rank changes with the size of the machine, too. Only where it lies below the best on both
  // sides is the number itself to blame.
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
          best ? rate_per_rank(suite, *best) * (1 + worth_saying / 2) : 0;  // else the nearest
      if (plan && rate_per_rank(suite, *plan) > better) best = *std::move(plan);
    }
    return best;
  };
  const auto fewer = best_towards(-1);
  if (!fewer) return {};
  const auto more = best_towards(+1);
  const double left = rate_per_rank(suite, *fewer);
  const double change = own / (more ? std::min(left, rate_per_rank(suite, *more)) : left) - 1;
  if (change > -worth_saying) return {};
  return fmt::format("{} nodes give {} ({:+.1f} % per rank by the model); {} give {}", planned.nodes,
                     suite.shape(planned), (own / left - 1) * 100, fewer->nodes, suite.shape(*fewer));
}

}  // namespace shakedown
