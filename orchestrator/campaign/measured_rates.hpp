#pragma once
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {

/// What the screens of one node measured on the processors and GPUs of the nodes of each kind, by the store:
/// the median of the nodes in the oldest campaign of the system that has valid results, with the inventory as
/// it is now (what differs must not make the screen worth running again). The oldest, so that problem sizes
/// that follow from it stay the same from run to run.
///
/// Nothing where the workspace has no store, or one that can't be read: plans need none.
KindRates measured_rates(const Workspace& workspace, const Inventory& inventory);

}  // namespace shakedown
