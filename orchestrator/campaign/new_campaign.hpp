#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/secret_variable.hpp"
#include "orchestrator/plan/site.hpp"

namespace shakedown {

inline constexpr const char* default_baseline = "sakuraone";  ///< of published values

/// A campaign to be started: what `quick` and `run` have in hand.
struct NewCampaign {
  Plan plan;
  Inventory inventory;
  std::string kind;           ///< "screening" or "acceptance"
  std::string criteria_name;  ///< file name; empty: none
  std::string criteria_text;
  std::string baseline;     ///< "sakuraone"; empty: none
  std::string config_text;  ///< the configuration that the plan comes from; empty: none
  Site site;                ///< what that states of the site
  std::string planned_by;   ///< the options of the plan (`plan_options_json`); empty: it was given
  /// Of its variables, as far as the configuration has their values.
  std::vector<Secret> secrets{};  // NOLINT(readability-redundant-member-init)
};

/// Who gets the nodes: whom the site names, else this machine, or Slurm where the nodes are others. The
/// scheduler `local` runs on this machine only: a figure of another machine must not come from here.
Result<std::string> chosen_scheduler(const NewCampaign& wanted);

/// Stores the campaign in the workspace, with its secrets; its id. `lock`: how the store is taken.
Result<std::string> stored_campaign(NewCampaign campaign, const Workspace& workspace,
                                    const LockOptions& lock);

}  // namespace shakedown
