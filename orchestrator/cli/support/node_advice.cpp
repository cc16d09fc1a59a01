#include "orchestrator/cli/support/node_advice.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

constexpr double worth_saying = 0.01;  // below it the model's own error decides

double rate_per_rank(const Suite& suite, const Case& planned) {
  const Prediction* rate = find_prediction(planned, suite.rate);
  return rate == nullptr ? 0 : rate->value / planned.ranks;
}

}  // namespace

std::string better_node_count(const Suite& suite, const PlanRequest& request, const Case& planned,
                              const std::vector<std::string>& usable) {
  const double own = rate_per_rank(suite, planned);
  if (suite.shape == nullptr || own <= 0 || planned.nodes < 2 || !request.pins.empty()) return {};
  const auto most = static_cast<int>(usable.size());
  const int reach = std::clamp(planned.nodes / 50, 4, 8);
  const Case* best = nullptr;
  std::vector<Case> others;
  others.reserve(2 * static_cast<size_t>(reach));
  for (int step = 1; step <= reach; ++step)
    for (const int nodes : {planned.nodes - step, planned.nodes + step}) {
      if (nodes < 1 || nodes > most) continue;
      PlanRequest other = request;
      other.hosts.assign(usable.begin(), usable.begin() + nodes);
      if (auto plan = suite.plan(other)) others.push_back(*std::move(plan));
    }
  for (const Case& other : others)
    if (best == nullptr || rate_per_rank(suite, other) > rate_per_rank(suite, *best) * (1 + worth_saying / 2))
      best = &other;
  if (best == nullptr) return {};
  const double change = own / rate_per_rank(suite, *best) - 1;
  if (change > -worth_saying) return {};
  return fmt::format("{} nodes give {} ({:+.1f} % per rank by the model); {} give {}", planned.nodes,
                     suite.shape(planned), change * 100, best->nodes, suite.shape(*best));
}

}  // namespace shakedown
