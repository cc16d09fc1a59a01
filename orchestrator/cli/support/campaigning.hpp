#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/progress.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/secret_variable.hpp"
#include "reports/prometheus.hpp"

namespace shakedown {

inline constexpr const char* default_baseline = "sakuraone";  ///< of published values

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
  /// Of its variables, as far as the configuration has their values.
  std::vector<Secret> secrets{};  // NOLINT(readability-redundant-member-init)
};

/// Files that running a campaign writes beside its folder; empty: none.
struct CampaignOutput {
  std::string json_events;  ///< appended to as JSON lines; "-": standard output
  std::string metrics;      ///< Prometheus' textfile
};

/// Writes them so that a collector sees all of the old or all of the new.
Result<void> write_metrics(const std::filesystem::path& file, std::span<const MetricFamily> metrics);

/// Who gets the nodes: whom the site names, else this machine, or Slurm where the nodes are others. The
/// scheduler `local` runs on this machine only: a figure of another machine must not come from here.
Result<std::string> chosen_scheduler(const NewCampaign& wanted);

/// Stores the campaign; its id.
Result<std::string> stored_campaign(NewCampaign campaign, const CommonOptions& common);

/// What goes on beside a campaign while it runs; null: nothing.
struct Beside {
  std::function<void(const Event&)> beat;  ///< every second or so
  std::function<Result<void>()> keep;      ///< of a lock; its failure ends the run, see `EngineOptions`
};

/// How running a campaign ended.
struct CarriedOut {
  PassEnd end;
  bool began = true;  ///< false: the user stopped the look at its nodes, before any case
};

/// Runs what an existing campaign lacks, and tells of it.
Result<CarriedOut> carried_out(const Workspace& workspace, const std::string& id, const CommonOptions& common,
                               Progress& progress, bool break_lock = false, const Beside& beside = {});

/// Stores the campaign, runs it, reports. The result is the exit code.
Result<int> started_to_the_end(NewCampaign campaign, const CommonOptions& common,
                               const CampaignOutput& output = {});

/// Runs what an existing campaign lacks, and reports. `break_lock`: though another host's orchestrator is not
/// known to be gone.
Result<int> run_to_the_end(const Workspace& workspace, const std::string& id, const CommonOptions& common,
                           const CampaignOutput& output = {}, bool break_lock = false);

/// Fails where both --json and --json-events want stdout: each promises one kind of document there.
Result<void> one_document(const CommonOptions& common, const std::string& json_events);

/// The campaign that the user means: the given id (or its unique beginning), else the newest. Fails with the
/// names.
Result<std::string> chosen_campaign(const Workspace& workspace, const std::string& given);

/// The verdict in a few lines for the terminal: the sentence first, a line a criterion.
std::string verdict_text(const Outcome& outcome);

}  // namespace shakedown
