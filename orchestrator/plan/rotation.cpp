#include "orchestrator/plan/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace shakedown {
namespace {

bool is_share(double value) {
  return value >= 0 && value < 1;
}

/// The share of checks that find as many idle nodes, were nodes held independently: normal approximation.
double share_of_full_checks(const RotationTerms& terms) {
  const double nodes = static_cast<double>(terms.nodes);
  const double idle = nodes * (1 - terms.busy);
  const double deviation = std::sqrt(idle * terms.busy);
  const double off = static_cast<double>(terms.per_check) - 0.5 - idle;
  if (!(deviation > 0)) return 1;
  return 0.5 * std::erfc(off / deviation / std::sqrt(2.0));
}

}  // namespace

Result<std::size_t> promised_days(const RotationTerms& terms) {
  if (terms.nodes == 0 || terms.per_check == 0)
    return fail("", fmt::format("{} of {} nodes a check cover none", terms.per_check, terms.nodes),
                "measure at least one node per check");
  if (!is_share(terms.busy) || !is_share(terms.still_busy) || !(terms.risk > 0) || !(terms.risk < 1) ||
      !(terms.checks >= 1))
    return fail("",
                fmt::format("no promise with {} of the nodes held, {} of them the next day too", terms.busy,
                            terms.still_busy),
                "shares below 1, a risk above 0: a node that is always held is never measured");
  const double still = terms.still_busy > 0 ? terms.still_busy : terms.busy;
  const double per_check = static_cast<double>(std::min(terms.per_check, terms.nodes));
  const double full = share_of_full_checks(terms);
  if (!(full > 0.5))
    return fail("",
                fmt::format("fewer than {} of {} nodes are idle on most days with {} of them held",
                            terms.per_check, terms.nodes, terms.busy),
                "measure fewer nodes per check, or reserve some");
  const double round = std::ceil(static_cast<double>(terms.nodes) / (per_check * full));
  const double held =
      still > 0 ? std::ceil(std::log(terms.risk / (per_check * terms.checks)) / std::log(still)) : 0;
  return static_cast<std::size_t>(round + (still > 0 ? 1 : 0) + held);
}

std::vector<std::size_t> rotation(std::span<const RotationNode> nodes, std::size_t count) {
  std::vector<std::size_t> order(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) order[i] = i;
  std::erase_if(order, [&](std::size_t i) { return !nodes[i].idle; });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (nodes[a].covered_day != nodes[b].covered_day) return nodes[a].covered_day < nodes[b].covered_day;
    if (nodes[a].covered_s != nodes[b].covered_s) return nodes[a].covered_s < nodes[b].covered_s;
    return nodes[a].name < nodes[b].name;
  });
  order.resize(std::min(count, order.size()));
  return order;
}

}  // namespace shakedown
