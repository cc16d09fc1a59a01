#pragma once
#include <optional>
#include <string>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

inline constexpr const char* tool_version = SHAKEDOWN_VERSION;

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
};

/// Who gets the nodes: whom the site names, else this machine, or Slurm where the nodes are others. The
/// scheduler `local` runs on this machine only: a figure of another machine must not come from here.
Result<std::string> chosen_scheduler(const NewCampaign& wanted);

/// Stores the campaign, runs it, reports. The result is the exit code.
Result<int> started_to_the_end(NewCampaign campaign, const CommonOptions& common,
                               const std::string& json_events);

/// Runs what an existing campaign lacks, and reports. `break_lock`: though another host's orchestrator is not
/// known to be gone.
Result<int> run_to_the_end(const Workspace& workspace, const std::string& id, const CommonOptions& common,
                           const std::string& json_events, bool break_lock = false);

/// Fails where both --json and --json-events want stdout: each promises one kind of document there.
Result<void> one_document(const CommonOptions& common, const std::string& json_events);

/// The campaign that the user means: the given id (or its unique beginning), else the newest. Fails with the
/// names.
Result<std::string> chosen_campaign(const Workspace& workspace, const std::string& given);

/// The verdict in a few lines for the terminal: the sentence first, a line a criterion.
std::string verdict_text(const Outcome& outcome);

}  // namespace shakedown
