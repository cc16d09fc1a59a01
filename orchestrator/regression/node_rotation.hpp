#pragma once
#include <span>
#include <string>
#include <vector>

#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/regression/check_history.hpp"

namespace shakedown {

/// How many of a system's nodes the checks have seen.
struct Coverage {
  int nodes = 0;                  ///< of the kind that checks are planned for, and that jobs can get
  int seen = 0;                   ///< within the promised days; without a promise ever
  int days = 0;                   ///< promised; 0: none
  std::string oldest;             ///< the node that was not seen for longest
  double oldest_days = 0;         ///< since then, or since the first check where it never was
  std::vector<std::string> late;  ///< not seen for longer than promised
  [[nodiscard]] std::string text() const;
};
Coverage coverage_of(const Regression& regression, std::span<const std::string> hosts,
                     const CheckHistory& history, double now_s);

/// Of `hosts` those that jobs of this site can get at all: in its partition and its reservation, once
/// `query_limits` has asked. All of them, where the scheduler knows of no such bounds.
std::vector<std::string> reachable_hosts(const Scheduler& scheduler, std::span<const std::string> hosts);

/// The next nodes: of those that are idle, and stay so for as long as a check may take, the ones whose last
/// turn is longest ago, as many as the runs use. A node whose runs failed has had its turn.
std::vector<std::string> next_in_rotation(const Regression& regression,
                                          std::span<const SchedulerNode> known_nodes,
                                          const CheckHistory& history, double now_s);

/// Why the days that are promised are too few for so many nodes, even were all idle always; empty: they are
/// enough, or none are promised.
std::string promise_remark(const Regression& regression, std::size_t nodes);

}  // namespace shakedown
