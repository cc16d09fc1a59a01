#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>

#include "orchestrator/campaign/campaign_progress.hpp"
#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/preflight.hpp"
#include "orchestrator/campaign/record_comparison.hpp"
#include "orchestrator/campaign/works.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/prerequisites.hpp"
#include "orchestrator/cli/text/progress_text.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/parallel.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/database.hpp"
#include "orchestrator/store/store_place.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown::command {
namespace {

/// The nodes that the cases are given out to.
int nodes_of(const CampaignRecord& campaign) {
  SchedulerTraits traits;
  traits.outlives_us = !runs_here(campaign.scheduler);
  return static_cast<int>(node_pool(campaign, traits).size());
}

/// The running cases by id; points into `progress`.
std::unordered_map<std::string_view, const RunningCase*> running_by_id(const CampaignProgress& progress) {
  std::unordered_map<std::string_view, const RunningCase*> all;
  for (const RunningCase& each : progress.running) all.emplace(each.id, &each);
  return all;
}

/// Cases whose last attempt left an invalid result, with what it is called that is only too short;
/// empty: it is invalid.
using InvalidCases = std::map<std::string, std::string>;

/// What became of a case: a program that ended with an error, or a result that is invalid, has not just
/// finished.
std::string shown_state(const CaseStatus& status, const InvalidCases& invalid) {
  const bool finished = status.state == to_string(AttemptState::finished);
  if (finished && status.failed) return "failed";
  const bool interrupted = status.state == to_string(AttemptState::interrupted);
  if (status.state == to_string(AttemptState::cancelled) ||
      (interrupted && status.text.starts_with("stopped ")))
    return "stopped";
  const auto found = invalid.find(status.id);
  return finished && found != invalid.end() && found->second.empty() ? "invalid" : status.state;
}

std::string case_line(const CaseStatus& status, const InvalidCases& invalid, const CaseProgress& each,
                      const RunningCase* running) {
  const std::string state = shown_state(status, invalid);
  std::string line = fmt::format("  {:<11}  {}", state, status.id);
  if (status.attempt > 1) line += fmt::format("  attempt {}", status.attempt);
  if (status.elapsed_s > 0) line += "  " + duration_text(status.elapsed_s);
  if (running != nullptr) {
    if (running->past_s() > 0)
      line += ", " + past_text(*running);
    else if (running->predicted_s > 0)
      line += fmt::format(" of about {}", duration_text(running->expected_s()));
  }
  if (!status.job.empty()) line += fmt::format("  job {} on {}", status.job, status.hosts);
  const bool waits = !each.waits_for.empty() &&
                     (status.text.empty() || status.state == "queued" || status.state == "waiting");
  if (const std::string& why = status.text.empty() ? each.waits_for : status.text; !why.empty())
    line += (waits ? "  waits: " : "  ") + one_line(why);
  if (status.start_s) line += fmt::format(", expected to start at {}", utc_text(*status.start_s));
  if (const auto found = invalid.find(status.id); found != invalid.end() && state == "finished")
    line += "  " + found->second;
  return line + "\n";
}

/// "12 of 60 cases done, 20 running, 28 waiting; node-hours: 1.24 spent, about 2.60 left".
std::string sums(const CampaignProgress& progress) {
  return fmt::format("{}; node-hours: {} spent, {}\n", counts_text(progress),
                     node_hours_number(progress.node_hours.spent), hours_left_text(progress.node_hours));
}

/// Who runs a campaign; how long it has been silent only where that is remarkable.
std::string running_on(const Holder& holder) {
  std::string text = fmt::format("running, by process {} on {}", holder.pid, holder.host);
  if (holder.silent_s > 6 * LockTimes{}.heartbeat_s)
    text += fmt::format(", last heartbeat {} ago", duration_text(holder.silent_s));
  return text;
}

/// A campaign that no process runs.
std::string without_process(const std::vector<CaseStatus>& cases, const CampaignProgress& progress,
                            const std::string& resume) {
  const auto any = [&](std::string_view state) {
    return std::ranges::find(cases, state, &CaseStatus::state) != cases.end();
  };
  if (any("running")) return fmt::format("its jobs run on; `{}` collects them", resume);
  if (any("queued")) return fmt::format("its jobs wait in the queue; `{}` collects them", resume);
  if (any("unknown")) return fmt::format("whether its jobs run on is not known; `{}` collects them", resume);
  if (progress.waiting > 0) return fmt::format("stopped before its end; `{}` continues it", resume);
  return progress.not_run > 0 ? fmt::format("ended, {} not run", plural(progress.not_run, "case")) : "ended";
}

/// Where the report of a campaign that ended is, or what writes it.
std::string report_line(const std::filesystem::path& folder, const std::string& command) {
  std::error_code code;
  const std::filesystem::path report = folder / "report.html";
  return std::filesystem::exists(report, code) ? fmt::format("report   {}\n", report.string())
                                               : fmt::format("`{}` writes its report\n", command);
}

/// What `status` knows of the store.
struct StoreState {
  std::optional<Error> failure;  ///< it can't be read, or differs from the campaign's folder
  std::string note;              ///< why it was not compared, or not wholly; empty: it was
  InvalidCases invalid{};        // NOLINT(readability-redundant-member-init)
};

InvalidCases invalid_cases(const CampaignRecord& stored) {
  InvalidCases found;
  for (const CaseRecord& each : stored.cases) {
    if (each.attempts.empty()) continue;
    for (const ResultRecord& result : each.attempts.back().results)
      if (valid_but_for_length(stored, result))
        found.try_emplace(each.planned.id, correct_but_short(result.parsed.suite));
      else if (result.validity == Validity::invalid)
        found[each.planned.id].clear();
  }
  return found;
}

/// Compares the store with a campaign's folder, as far as that takes no time.
StoreState store_state(const Workspace& workspace, const std::string& id, bool running) {
  std::error_code code;
  if (running) return {};  // what the journal has and the store does not is a matter of moments
  const std::string name = workspace.database().string();
  if (!std::filesystem::exists(std::filesystem::symlink_status(workspace.database(), code)))
    return {
        {},
        fmt::format("{} is not there; `{}` makes it from the run directories", name,
                    command_for("import " + shell_quoted(workspace.campaigns().string()), workspace.folder))};
  if (const auto holder = store_holder(workspace.database()))
    return {
        {},
        fmt::format("{} was not compared with the run directories: it is held by {}", name, holder->text())};
  const auto database = Database::open_existing(workspace.database());
  if (!database) return {database.error(), ""};
  auto stored = database->campaign(id, Excerpts::skip);
  if (!stored) return {stored.error(), ""};
  const auto folder = workspace.campaign(id);
  InvalidCases invalid = invalid_cases(*stored);
  const auto compared = compared_record(*stored, folder, Hashing::changed, /*with_excerpts=*/false);
  if (!compared) return {compared.error(), ""};
  if (compared->differs()) return {compared->failure(id), ""};
  if (const auto breaches = commitment_breaches(*stored, folder, installed_layout()); !breaches.empty())
    return {{}, "the commitment is broken: " + joined(breaches, "; "), std::move(invalid)};
  if (compared->unread.empty()) return {{}, "", std::move(invalid)};
  const std::size_t more = compared->unread.size() - 1;
  return {{},
          fmt::format("{}{} changed since, and {} long: `{}` compares all", compared->unread.front(),
                      more > 0 ? fmt::format(" and {} more", more) : "", more > 0 ? "are" : "is",
                      command_for("report " + id, workspace.folder)),
          std::move(invalid)};
}

/// What is printed beside a status, on stderr.
Result<int> ended_with(const StoreState& store, const CommonOptions& common) {
  if (store.failure) return tl::unexpected<Error>(*store.failure);
  if (!store.note.empty() && !common.quiet) std::cerr << shown("note: " + store.note + "\n");
  return 0;
}

Result<int> show(const std::string& given, const CommonOptions& common) {
  const Workspace workspace{common.workspace};
  const auto id = chosen_campaign(workspace, given);
  if (!id) return failure_of(id);
  const auto folder = workspace.campaign(*id);
  // The plan and the jobs, both as large as the campaign, are read at the same time.
  Result<CampaignRecord> campaign;
  Result<JobBook> jobs;
  for_each_index(2, usable_cpus(), [&](std::size_t i) {
    if (i == 0)
      campaign = read_campaign_folder(folder);
    else
      jobs = known_jobs(settled_folder(folder));
  });
  if (!campaign) return failure_of(campaign);
  const Holder holder = campaign_holder(folder);
  const std::vector<CaseStatus> cases = case_statuses(folder, *campaign, installed_layout(), std::move(jobs));
  const std::vector<CaseProgress> states = case_progress(cases, *campaign, holder.pid != 0);
  const CampaignProgress progress = campaign_progress(states, nodes_of(*campaign));
  const StoreState store = store_state(workspace, *id, holder.pid != 0);
  const auto running_cases = running_by_id(progress);
  const auto running_of = [&](const std::string& case_id) -> const RunningCase* {
    const auto it = running_cases.find(case_id);
    return it == running_cases.end() ? nullptr : it->second;
  };

  if (common.json) {
    nlohmann::ordered_json document;
    document["schema"] = "shakedown.status/1";
    document["campaign"] = *id;
    document["system"] = campaign->system;
    document["running"] = holder.pid != 0;
    if (holder.pid != 0) document["pid"] = holder.pid;
    if (holder.pid != 0) document["host"] = holder.host;
    if (holder.pid != 0) document["silent_s"] = std::max(0.0, holder.silent_s);
    document["progress"] = campaign_progress_json(progress);
    document["cases"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const CaseStatus& status = cases[i];
      nlohmann::ordered_json entry;
      entry["id"] = status.id;
      entry["state"] = status.state;
      if (status.failed) entry["failed"] = true;
      if (const auto found = store.invalid.find(status.id); found != store.invalid.end()) {
        entry["validity"] = to_string(Validity::invalid);
        if (!found->second.empty()) entry["mark"] = found->second;
      }
      if (status.attempt > 0) entry["attempt"] = status.attempt;
      if (status.elapsed_s > 0) entry["elapsed_s"] = status.elapsed_s;
      if (!status.text.empty()) entry["text"] = status.text;
      if (!status.job.empty()) entry["job"] = status.job;
      if (!status.hosts.empty()) entry["hosts"] = status.hosts;
      if (!states[i].waits_for.empty()) entry["waits_for"] = states[i].waits_for;
      if (status.start_s) entry["expected_start"] = utc_text(*status.start_s);
      if (const auto running = running_of(status.id)) {
        if (running->predicted_s > 0) entry["predicted_s"] = running->predicted_s;
        if (running->past_s() > 0) entry["past_prediction_s"] = running->past_s();
      }
      document["cases"].push_back(entry);
    }
    if (store.failure) document["store"] = to_string(*store.failure);
    std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return ended_with(store, common);
  }
  std::cout << *id << "  " << campaign->system << "  "
            << (holder.pid != 0 ? running_on(holder)
                : is_external(*campaign)
                    ? std::string("logs made elsewhere")
                    : without_process(cases, progress, command_for("resume " + *id, workspace.folder)))
            << "\n";
  for (std::size_t i = 0; i < cases.size(); ++i)
    std::cout << shown(case_line(cases[i], store.invalid, states[i], running_of(cases[i].id)));
  if (!is_external(*campaign)) std::cout << shown(sums(progress));
  const auto lacking = std::ranges::count_if(cases, [](const CaseStatus& status) {
    return status.state == "not-run" && status.text.starts_with(prerequisite_mark);
  });
  if (lacking > 0 && holder.pid == 0)
    std::cout << lacking_text(static_cast<std::size_t>(lacking),
                              command_for("resume " + *id, workspace.folder));
  if (holder.pid == 0 && progress.waiting == 0 && progress.running.empty())
    std::cout << shown(report_line(folder, command_for("report " + *id, workspace.folder)));
  if (const auto ids = campaign_ids(workspace); given.empty() && ids.size() > 1)
    std::cout << fmt::format("{} older campaign{} in {}\n", ids.size() - 1, ids.size() == 2 ? "" : "s",
                             workspace.campaigns().string());
  return ended_with(store, common);
}

}  // namespace

extern const Command status;
const Command status = {
    .id = "status",
    .about = "how far a campaign is, case by case",
    .rank = 60,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto campaign = std::make_shared<std::string>();
      app.add_option("campaign", *campaign, "id or its beginning (default: the newest)")
          ->type_name("CAMPAIGN");
      app.footer("Example: shakedown status --json");
      return [campaign, &common] { return show(*campaign, common); };
    },
};

}  // namespace shakedown::command
