#pragma once
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "orchestrator/planning/wanted.hpp"

namespace shakedown {

/// What the screens of a plan are chosen by.
struct ScreenChoice {
  const PlanOptions& options;
  std::span<const Implementation> implementations;
  const Inventory& inventory;
  const NodeGroup& group;
  const Layout& layout;
};

/// Gives each screen the devices of the suites that refer to it: of GPUs beside programs of GPUs, of
/// processor cores beside others, of both beside both. A screen that is planned alone is by the hardware, or
/// by the implementation that the options name. One that has no implementation for those devices is left out,
/// with a sentence in `warnings`.
void place_screens(std::vector<Wanted>& all, const ScreenChoice& choice, std::vector<std::string>& warnings);

/// Takes the suites out that nobody named and that nodes with GPUs would run on processor cores, though they
/// have programs for GPUs; each is listed as refused. On this machine they stay: they can run at once.
void leave_out_cores(std::vector<Wanted>& all, const ScreenChoice& choice, std::vector<Refusal>& refused);

}  // namespace shakedown
