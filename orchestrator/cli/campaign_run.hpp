#pragma once
#include <string>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/progress.hpp"

namespace shakedown {

/// Files that running a campaign writes beside its folder; empty: none.
struct CampaignOutput {
  std::string json_events;  ///< appended to as JSON lines; "-": standard output
  std::string metrics;      ///< Prometheus' textfile
};

/// Prints, before a campaign goes on, the roots of its journal and where that is not whole; where the user
/// wants it quiet only the latter.
void print_roots(const std::filesystem::path& campaign_folder, const CommonOptions& common);

/// How the lock of a campaign or store is taken, with what becomes of a silent holder on standard error.
LockOptions lock_options(const CommonOptions& common);

/// Runs the remaining cases of a campaign, and shows its progress.
Result<CampaignRun> shown_run(const Workspace& workspace, const std::string& id, const CommonOptions& common,
                              Progress& progress, bool break_lock = false, const CampaignWatch& beside = {});

/// Stores the campaign, runs it, reports. The result is the exit code.
Result<int> started_to_the_end(NewCampaign campaign, const CommonOptions& common,
                               const CampaignOutput& output = {});

/// Runs the remaining cases of a campaign, and reports. `break_lock`: though another host's orchestrator is
/// not known to be gone.
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
