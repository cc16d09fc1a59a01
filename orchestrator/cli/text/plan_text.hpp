#pragma once
#include <optional>
#include <span>
#include <string>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The plan for people: a table of suites, whose node-hours sum to the cost; with `explain` each number's
/// derivation below.
std::string plan_text(const Plan& plan, const Inventory& inventory, bool explain);

/// How long a case is predicted to take, from start to end, which is what the cost counts: "39m 00s (31m 24s
/// to 1h 04m)"; where the benchmark's own time is predicted, that and what lies around it: "4m 52s: 52.4 s
/// (49.9 s to 55.1 s) + 4m 00s of start and end (at most 13m 00s)"; else "not predicted, limit 10m 00s".
std::string expected_time_text(const Case& planned);

/// Cases whose time is not predicted, in a plan's cost.
struct UnpredictedTime {
  int cases = 0;
  double node_hours = 0;            ///< that the cost counts of them
  std::optional<double> limit = 0;  ///< their node-hours by their time limits; nothing: one has no limit
};

/// Those of which there is a rough estimate alone, whose range is no prediction: the cost counts it.
UnpredictedTime roughly_estimated(std::span<const Case> cases);

/// Those of which there is none: the cost counts nothing.
UnpredictedTime not_estimated(std::span<const Case> cases);

}  // namespace shakedown
