#include "orchestrator/campaign/engine.hpp"

#include <algorithm>

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/execution.hpp"
#include "orchestrator/core/command_line.hpp"
#include "orchestrator/launch/process.hpp"

namespace shakedown {

std::string_view to_string(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::case_started:
      return "case_started";
    case Event::Kind::case_running:
      return "case_running";
    case Event::Kind::case_ended:
      return "case_ended";
    case Event::Kind::case_skipped:
      return "case_skipped";
    case Event::Kind::case_again:
      return "case_again";
    case Event::Kind::case_given_up:
      return "case_given_up";
    case Event::Kind::case_replanned:
      return "case_replanned";
    case Event::Kind::job_submitted:
      return "job_submitted";
    case Event::Kind::job_waiting:
      return "job_waiting";
    case Event::Kind::job_refused:
      return "job_refused";
    case Event::Kind::node_excluded:
      return "node_excluded";
    case Event::Kind::node_unavailable:
      return "node_unavailable";
    case Event::Kind::scheduler_silent:
      return "scheduler_silent";
    case Event::Kind::interrupted:
      return "interrupted";
    case Event::Kind::heartbeat:
      return "heartbeat";
  }
  return "case_running";
}

Result<std::string> start_campaign(const Workspace& workspace, CampaignRecord campaign,
                                   const LockOptions& lock) {
  auto database = Database::open(workspace.database(), lock);
  if (!database) return failure_of(database);
  auto id = create_campaign_folder(workspace, campaign);
  if (!id) return id;
  if (auto added = database->add_campaign(campaign); !added) return failure_of(added);
  return id;
}

Result<ExecutionEnd> run_campaign(const Workspace& workspace, const std::string& id,
                                  const EngineOptions& options) {
  const fs::path folder = settled_folder(workspace.campaign(id));
  auto campaign = read_campaign_folder(folder);
  if (!campaign) return failure_of(campaign);
  if (is_external(*campaign))
    return fail(id, "holds logs of runs made elsewhere: there is nothing to run",
                fmt::format("`{}` judges it", command_for("report " + id, workspace.folder)));
  auto lock = CampaignLock::take(folder, options.lock);
  if (!lock) return failure_of(lock);
  auto database = Database::open(workspace.database(), options.lock);
  if (!database) return failure_of(database);
  // The rows may be missing: the folder is written first, and the database can be lost.
  if (auto added = database->add_campaign(*campaign); !added) return failure_of(added);
  auto journal = Journal::open(folder);
  if (!journal) return failure_of(journal);
  const Interrupts interrupts;
  if (program_in_path((options.layout.libexec / "attempt").string()).empty())
    return fail_environment((options.layout.libexec / "attempt").string(),
                            "the wrapper of each job is missing", "install shakedown again, whole");
  auto scheduler = make_scheduler(campaign->scheduler, {campaign->site, options.layout});
  if (!scheduler) return failure_of(scheduler);
  return Execution(
             {*std::move(campaign), folder, *std::move(lock), *std::move(database), *std::move(journal)},
             options, *std::move(scheduler))
      .run();
}

}  // namespace shakedown
