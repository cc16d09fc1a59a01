#include "orchestrator/cli/support/pass_resumption.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/cli/support/pass_conclusion.hpp"
#include "orchestrator/cli/support/pass_plan.hpp"
#include "orchestrator/cli/support/pass_textfile.hpp"
#include "orchestrator/cli/support/pass_without_verdict.hpp"
#include "orchestrator/cli/support/terminal.hpp"
#include "orchestrator/cli/support/unfinished_pass.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {
namespace {

/// Whether a case is of a run, as far as its configuration says.
bool is_of(const Case& planned, const AcceptanceRun& run) {
  return planned.suite == run.suite &&
         (run.implementation.empty() || planned.implementation == run.implementation) &&
         (run.benchmark.empty() || planned.benchmark == run.benchmark) &&
         (!run.each_node || planned.nodes == 1) && (run.nodes.empty() || planned.nodes == run.nodes.front());
}

/// The runs of the configuration that a campaign has cases of.
std::vector<std::string> labels_of(const Regression& regression, const CampaignRecord& campaign) {
  std::vector<std::string> labels;
  for (const AcceptanceRun& run : regression.facts.runs)
    if (std::ranges::any_of(campaign.cases,
                            [&](const CaseRecord& record) { return is_of(record.planned, run); }))
      labels.push_back(run_label(run));
  return labels;
}

/// A pass that was given up, for people, and those who want to be told.
Result<void> given_up(const PassFrame& frame, const CampaignRecord& campaign, const std::string& because,
                      const StopNote& note) {
  auto verdict = closed_pass(frame.workspace, campaign, Closed::given_up, because, note, frame.layout);
  if (!verdict) return pass_on(verdict);
  remove_secrets(frame.workspace.campaign(campaign.id));
  std::cerr << shown(fmt::format("the pass {} is given up: {}\n", campaign.id, because));
  PassMetrics metrics = PassMetrics::kept(frame.workspace);
  metrics.put_verdict(campaign.system, campaign.created_s, *verdict, all_hosts(frame.inventory));
  keep_and_put_textfile(frame, std::move(metrics));
  tell_of(frame, {campaign.system, campaign.id, frame.regression.facts.title, {}, *std::move(verdict)});
  return {};
}

}  // namespace

std::string unfinished_pass(const PassFrame& frame, const PassHistory& history) {
  if (history.passes.empty()) return "";
  const std::string& id = history.passes.back().id;
  std::error_code code;
  const fs::path folder = frame.workspace.campaign(id);
  return fs::exists(folder, code) && !fs::exists(folder / pass_verdict_file, code) ? id : "";
}

Result<std::optional<int>> finished_pass(PassFrame frame, const std::string& id, FileLock& lock) {
  const std::string remedy = "run `shakedown regress` as that user, or move this folder out of the workspace";
  if (auto owned = check_owner(frame.workspace.campaign(id), remedy); !owned) return pass_on(owned);
  auto campaign = read_campaign_folder(frame.workspace.campaign(id));
  std::string unreadable;
  if (!campaign &&
      campaign.error().fault == Fault::input) {  // one of another version: the store knows it, too
    unreadable = to_string(campaign.error());
    const auto database = Database::open(frame.workspace.database());
    if (!database) return pass_on(database);
    campaign = database->campaign(id);
  }
  if (!campaign) return pass_on(campaign);
  const auto give_up_by = [&](const StopNote& note,
                              const std::string& because) -> Result<std::optional<int>> {
    if (auto done = given_up(frame, *campaign, because, note); !done) return pass_on(done);
    return std::nullopt;
  };
  const auto give_up = [&](const std::string& because) {
    return give_up_by(stop_note_of_pass("the pass is given up"), because);
  };
  if (frame.options.abandon)
    return give_up_by(stop_note("shakedown regress --abandon"),
                      "its user had no more use for it (--abandon)");
  if (!unreadable.empty()) return give_up("it can't be read: " + unreadable);
  auto regression = regression_from_toml(campaign->config_text, id + "/regression.toml");
  if (!regression) return give_up("its configuration can't be read: " + to_string(regression.error()));
  const auto taken = nodes_taken(frame.workspace, *campaign, frame.layout);
  if (!taken) return pass_on(taken);
  if (is_outdated(*regression, campaign->created_s, now_s())) {
    const std::string cut = "it was cut short on " + utc_text(campaign->created_s);
    if (!taken->empty()) return give_up(cut + ", and its nodes are still taken: " + *taken);
    if (lacks_runs(frame.workspace, *campaign, frame.layout))
      return give_up(cut + ", two more passes were due since, and what it lacks would be of another time");
  }
  if (!taken->empty())
    return skipped_pass(
        frame, fmt::format("the pass {} was cut short and waits for its nodes: {} (`shakedown regress "
                           "--abandon` gives it up)",
                           id, *taken));
  regression->notice = frame.regression.notice;  // whom it names now
  frame.regression = *std::move(regression);
  if (!frame.common.quiet) std::cerr << "going on with the pass " << id << ", which was cut short\n";
  return ended_pass(frame, id, lock, {{}, labels_of(frame.regression, *campaign), reachable_now(frame)});
}

}  // namespace shakedown
