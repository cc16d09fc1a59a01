#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/regression/check_history.hpp"
#include "orchestrator/regression/node_rotation.hpp"
#include "orchestrator/regression/notification.hpp"

namespace shakedown {

/// What the user of `shakedown regress` asks for.
struct CheckOptions {
  std::string config;    ///< file
  std::string metrics;   ///< Prometheus' textfile; empty: none
  bool here = false;     ///< measure this machine though it looks like a login node
  bool abandon = false;  ///< abandon an interrupted check
};

/// A check that was not made.
struct SkippedCheck {
  std::string system;
  std::string because;  ///< a sentence
  CheckLog::Skipped counted;
  std::string alarm;  ///< why those who watch the system must know (`skip_alarm`); empty: they need not
};

/// A check that came to its verdict.
struct ConcludedCheck {
  const CheckNotification& verdict;
  const Coverage& coverage;
  CheckLog::Skipped skipped;
};

/// How a check runs its campaign, and where it shows what it does.
struct CheckOutput {
  std::function<Result<CampaignRun>(const Workspace&, const std::string& id, const CampaignWatch&)> run;
  std::function<void(std::string_view what, const Error&)> warn;  ///< what fails beside the verdict
  std::function<void(const std::string&)> note;                   ///< a line on progress
  std::function<void(const SkippedCheck&)> skipped;
  std::function<void(const ConcludedCheck&)> concluded;
  LockOptions lock;  ///< how the store is taken
};

/// What all of a scheduled check needs.
struct Check {
  const CheckOptions& options;
  const CheckOutput& output;
  Workspace workspace;
  Layout layout;
  Regression regression;
  Inventory inventory;
};

/// Sends the notification if the configuration asks for it; warns if that fails.
void notify_of(const Check& check, const CheckNotification& notification);

/// The name of the scheduler that the check's nodes come from. Fails as `chosen_scheduler`.
Result<std::string> scheduler_of(const Check& check);

/// The nodes of the inventory's largest kind that jobs can get, by the scheduler's answer now; all of them if
/// it gives none.
std::vector<std::string> reachable_now(const Check& check);

/// What is known of the checks of the check's system. Fails where the store can't be read.
Result<CheckHistory> read_check_history(const Check& check);

}  // namespace shakedown
