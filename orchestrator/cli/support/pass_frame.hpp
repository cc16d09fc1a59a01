#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/pass_history.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/pass_telling.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/regression.hpp"

namespace shakedown {

/// What the user of `shakedown regress` asks for.
struct PassOptions {
  std::string config;    ///< file
  std::string metrics;   ///< Prometheus' textfile; empty: none
  bool here = false;     ///< measure this machine though it looks like a login node
  bool abandon = false;  ///< give up a pass that was cut short
};

/// What all of a scheduled pass needs.
struct PassFrame {
  const PassOptions& options;
  const CommonOptions& common;
  Workspace workspace;
  Layout layout;
  Regression regression;
  Inventory inventory;
};

/// What fails beside the verdict changes none, and is said on standard error.
void complain(std::string_view what, const Error& error);

/// Tells those whom the configuration names; complains where that fails.
void tell_of(const PassFrame& frame, const PassTelling& telling);

/// The name of the scheduler that the pass's nodes come from. Fails as `chosen_scheduler`.
Result<std::string> scheduler_of(const PassFrame& frame);

/// The nodes of the inventory's largest kind that jobs can get, as far as the scheduler says now; all of them
/// where it says nothing.
std::vector<std::string> reachable_now(const PassFrame& frame);

/// What is known of the passes of the frame's system. Fails where the store can't be read.
Result<PassHistory> read_history(const PassFrame& frame);

}  // namespace shakedown
