#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
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

/// After how many days the series of one node can alarm by itself, at best, and what judges it until then;
/// empty: each check measures every node.
std::string learning_remark(const Regression& regression, std::size_t nodes);

/// How a system is screened a few nodes at a time.
struct RotationTerms {
  std::size_t nodes = 0;      ///< of the system
  std::size_t per_check = 0;  ///< screened in one check; a check a day
  double busy = 0;            ///< the share of nodes that jobs hold when a check begins
  double still_busy = 0;      ///< the chance that a node held today is held tomorrow as well; 0: as `busy`
  double risk = 1e-6;         ///< that a year of checks breaks the promise
  double checks = 365;        ///< a year's
};

/// The days within which every node is screened again:
///
///     ceil(nodes / (per_check x full)) + 1 + ceil(ln(risk / (per_check x checks)) / ln(still_busy))
///
/// The first term is a round: the node longest not seen comes first. `full` is the share of checks that find
/// `per_check` idle nodes, 1 but for a system nearly all held. The other is how long the node whose turn it
/// is may be held: of all turns of a year, none longer but with the probability `risk`.
///
/// Fails where it can't be promised: no node per check, every node held, shares outside of [0, 1).
Result<std::size_t> promised_days(const RotationTerms& terms);

/// A node at the time of choosing.
struct RotationNode {
  std::string name;
  long covered_day = 0;  ///< when it was screened last, or when it joined the system
  bool idle = true;
  double covered_s = 0;  ///< the moment of it, which orders the nodes of one day
};

/// Tonight's nodes: of the idle ones those longest not covered, by name where equal, `count` at most, as
/// indices.
std::vector<std::size_t> rotation(std::span<const RotationNode> nodes, std::size_t count);

}  // namespace shakedown
