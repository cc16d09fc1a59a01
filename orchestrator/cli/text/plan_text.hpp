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

/// How long a case is predicted to take, from start to end: "18m 59s (13m 57s to 22m 04s)"; where its
/// start-up makes that range too wide, the benchmark's own time: "25.9 s (22.4 s to 30.9 s) + up to 3m 00s of
/// start"; else "not predicted, limit 10m 00s".
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
