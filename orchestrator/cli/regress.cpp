#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "orchestrator/campaign/more_runs.hpp"
#include "orchestrator/cli/support/campaigning.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/login_node.hpp"
#include "orchestrator/cli/support/notification.hpp"
#include "orchestrator/cli/support/pass_judgement.hpp"
#include "orchestrator/cli/support/pass_plan.hpp"
#include "orchestrator/cli/support/replanning.hpp"
#include "orchestrator/cli/support/terminal.hpp"
#include "orchestrator/core/command_line.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/display.hpp"

namespace shakedown::command {
namespace {

using nlohmann::ordered_json;

constexpr int exit_skipped = 75;  // EX_TEMPFAIL of sysexits.h: try again later

struct Options {
  std::string config;
  std::string metrics;
  bool here = false;
};

/// What all of a pass needs.
struct Frame {
  const Options& options;
  const CommonOptions& common;
  Workspace workspace;
  Layout layout;
  Regression regression;
  Inventory inventory;
};

std::string skipped_text(const PassLog::Skipped& skipped) {
  return fmt::format("skipped: {} pass{} of this system so far, {} since the last one made", skipped.all,
                     skipped.all == 1 ? "" : "es", skipped.since_last_pass);
}

/// Notes and says that there is no pass now.
Result<int> skip(const Frame& frame, const std::string& because) {
  const std::string& system = frame.inventory.system;
  if (auto logged = log_skip(frame.workspace, {system, now_s(), because}); !logged) return pass_on(logged);
  const auto log = read_pass_log(frame.workspace);
  if (!log) return pass_on(log);
  const PassLog::Skipped counted = log->skipped(system);
  if (frame.common.json) {
    const ordered_json document = {{"schema", "shakedown.regression/1"},
                                   {"system", system},
                                   {"skipped", true},
                                   {"because", because},
                                   {"skipped_passes", counted.all},
                                   {"skipped_since_last_pass", counted.since_last_pass},
                                   {"exit_code", exit_skipped}};
    std::cout << document.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
  } else {
    std::cout << shown(fmt::format("skipped  {}\n         {}\n", because, skipped_text(counted)));
  }
  return exit_skipped;
}

/// Why another pass's lock is left to it, and what becomes of it where that one is gone.
std::string under_way_text(const fs::path& lock, const LockHolder& holder, const LockTimes& times) {
  return fmt::format(
      "another pass is under way ({}, by {}); a pass that gives no sign of life for {} is taken over by the "
      "next",
      holder.text(), lock.string(), duration_text(times.stale_s));
}

/// The pass that was begun and never came to its verdict: a power loss, a kill. The newest counts.
std::string unfinished_pass(const Frame& frame, const PassHistory& history) {
  if (history.passes.empty()) return "";
  const std::string& id = history.passes.back().id;
  std::error_code code;
  const fs::path folder = frame.workspace.campaign(id);
  return fs::exists(folder, code) && !fs::exists(folder / pass_verdict_file, code) ? id : "";
}

/// Of several series of one case those runs that satisfy all.
std::vector<MoreRuns> more_runs(const std::vector<WantedRepeats>& wanted) {
  std::vector<MoreRuns> more;
  for (const WantedRepeats& each : wanted) {
    const auto same = std::ranges::find(more, each.case_id, &MoreRuns::case_id);
    if (same == more.end())
      more.push_back({each.case_id, each.count});
    else
      same->count = std::max(same->count, each.count);
  }
  return more;
}

/// Runs what a pass lacks, and the repeats that its suspicions ask for. Nothing: interrupted by `signal`.
Result<std::optional<PassStanding>> measured_pass(const Frame& frame, const std::string& id, FileLock& lock,
                                                  int& signal) {
  std::vector<WantedRepeats> asked;
  while (true) {
    Progress progress(frame.common, "");
    const auto carried = carried_out(frame.workspace, id, frame.common, progress, /*break_lock=*/false,
                                     [&] { static_cast<void>(lock.keep()); });
    if (!carried) return pass_on(carried);
    if (auto kept = lock.keep(); !kept) return pass_on(kept);  // else two would judge, and tell
    if (carried->end.interrupted) {
      signal = carried->end.signal;
      return std::nullopt;
    }
    auto standing = pass_standing(frame.workspace, id, frame.regression, frame.layout, asked);
    if (!standing) return pass_on(standing);
    if (standing->wanted.empty()) return std::optional(*std::move(standing));
    asked = standing->wanted;
    const std::vector<MoreRuns> more = more_runs(asked);
    int count = 0;
    for (const MoreRuns& each : more) count += each.count;
    if (!frame.common.quiet) std::cerr << fmt::format("suspicion: {} more runs decide\n", count);
    if (auto added = add_runs(frame.workspace, id, more); !added) return pass_on(added);
  }
}

ordered_json notification(const Frame& frame, const PassStanding& standing, const fs::path& report) {
  ordered_json document = {{"schema", "shakedown.notification/1"},    {"system", standing.history.system},
                           {"campaign", standing.campaign.id},        {"at", utc_text(now_s())},
                           {"exit_code", standing.verdict.exit_code}, {"sentence", standing.verdict.sentence},
                           {"title", frame.regression.facts.title},   {"report", report.string()},
                           {"series", ordered_json::array()}};
  for (const JudgedSeries& each : standing.verdict.series) {
    if (!each.alarm() && !each.watched.below_floor) continue;
    ordered_json series = {
        {"name", series_text(each.series.name)}, {"state", each.state()},     {"value", each.value},
        {"expected", each.watched.expected},     {"loss", each.watched.loss}, {"text", each.watched.text}};
    if (each.series.floor) series["floor"] = *each.series.floor;
    document["series"].push_back(std::move(series));
  }
  return document;
}

/// Tells whom the configuration names. That this fails changes no verdict, and is said.
void tell(const Frame& frame, const PassStanding& standing, const fs::path& report) {
  const RegressionNotice& notice = frame.regression.notice;
  if (notice.command.empty() && notice.url.empty()) return;
  if (standing.verdict.exit_code == 0 && !notice.always) return;
  const fs::path payload = frame.workspace.campaign(standing.campaign.id) / "notification.json";
  const std::string text =
      notification(frame, standing, report).dump(2, ' ', false, ordered_json::error_handler_t::replace) +
      "\n";
  auto told = write_file(payload, text);
  if (told) told = notified(notice, payload);
  if (!told) std::cerr << "not notified: " << shown(to_string(told.error())) << "\n";
}

std::string pass_text(const PassVerdict& verdict) {
  std::string text = fmt::format("verdict  {}\n", verdict.sentence);
  for (const JudgedSeries& each : verdict.series)
    text += fmt::format("  {}  {}  {}\n        {}\n", series_text(each.series.name),
                        metric_text(each.series.name.metric, each.value), each.state(), each.watched.text);
  for (const MissingSeries& missing : verdict.missing)
    text += fmt::format("  {}  not measured: {}\n", missing.what, missing.because);
  for (const std::string& note : verdict.notes) text += "  ! " + note + "\n";
  return text;
}

/// The nodes that a campaign was planned for.
std::vector<std::string> nodes_of(const CampaignRecord& campaign) {
  std::set<std::string> nodes;
  for (const CaseRecord& record : campaign.cases)
    if (const auto hosts = expanded_hostlist(record.planned.hosts))
      nodes.insert(hosts->begin(), hosts->end());
  return {nodes.begin(), nodes.end()};
}

/// Keeps the verdict, reports, tells. `hosts`: those that jobs can get.
Result<int> concluded(const Frame& frame, PassStanding standing, const std::vector<std::string>& runs,
                      const std::vector<std::string>& hosts) {
  const std::string& id = standing.campaign.id;
  const std::string& system = standing.history.system;
  PassVerdict& verdict = standing.verdict;
  const Coverage seen = coverage_of(frame.regression, hosts, standing.history, now_s());
  const auto log = read_pass_log(frame.workspace);  // as it was before this pass
  if (!log) return pass_on(log);
  const PassLog::Skipped skipped = log->skipped(system);
  verdict.notes.push_back(seen.text());
  if (std::string remark = promise_remark(frame.regression, hosts.size()); !remark.empty())
    verdict.notes.push_back(std::move(remark));
  if (skipped.all > 0) verdict.notes.push_back(skipped_text(skipped));
  LoggedPass logged{
      system,           id, standing.campaign.created_s, verdict.exit_code, runs, nodes_of(standing.campaign),
      standing.left_out};
  if (auto noted = log_pass(frame.workspace, logged); !noted) return pass_on(noted);
  const fs::path folder = frame.workspace.campaign(id);
  if (auto written =
          write_file(folder / pass_verdict_file, pass_verdict_json(verdict), Durability::power_loss);
      !written)
    return pass_on(written);
  const auto reported = reported_campaign(frame.workspace, id, frame.layout, folder, {"html", "json"});
  if (!reported) return pass_on(reported);
  const fs::path& report = reported->written.front();
  if (frame.common.json) {
    ordered_json document = ordered_json::parse(pass_verdict_json(verdict));
    document["system"] = system;
    document["campaign"] = id;
    document["skipped"] = false;
    document["coverage"] = {{"nodes", seen.nodes},   {"seen", seen.seen},
                            {"days", seen.days},     {"late", seen.late},
                            {"oldest", seen.oldest}, {"oldest_days", seen.oldest_days}};
    document["skipped_passes"] = skipped.all;
    document["report"] = report.string();
    std::cout << document.dump(2) << "\n";
  } else {
    std::cout << shown(pass_text(verdict)) << "report   " << report.string() << "\n";
  }
  tell(frame, standing, report);
  if (!frame.options.metrics.empty()) {
    std::vector<MetricFamily> metrics = pass_metrics(standing, skipped);
    for (const auto& [name, help, value] :
         {std::tuple("shakedown_coverage_nodes", "Nodes that passes are planned for.", double(seen.nodes)),
          std::tuple("shakedown_coverage_seen_nodes", "Of them seen within the promised days.",
                     double(seen.seen)),
          std::tuple("shakedown_coverage_oldest_seconds", "Since the node longest not seen was.",
                     seen.oldest_days * 86'400)})
      metrics.push_back({name, help, false, {{{{"system", system}}, value}}});
    if (auto written = write_metrics(frame.options.metrics, metrics); !written) return pass_on(written);
  }
  return verdict.exit_code;
}

/// The scheduler that the pass's nodes come from.
Result<std::string> scheduler_of(const Frame& frame) {
  const auto kind = largest_kind(frame.inventory);
  if (!kind) return pass_on(kind);
  NewCampaign imagined;
  imagined.inventory = frame.inventory;
  imagined.site = frame.regression.facts.site;
  for (const std::string& host : kind->hosts) {
    Case planned;
    planned.id = frame.options.config;
    planned.hosts = host;
    imagined.plan.cases.push_back(std::move(planned));
  }
  return chosen_scheduler(imagined);
}

Result<int> new_pass(const Frame& frame, const PassHistory& history, FileLock& lock) {
  const auto name = scheduler_of(frame);
  if (!name) return pass_on(name);
  if (!frame.options.here && *name == "local")
    if (auto refused = login_node_refusal("shakedown regress")) return tl::unexpected<Error>(*refused);
  const auto scheduler = make_scheduler(*name, {frame.regression.facts.site, frame.layout});
  if (!scheduler) return pass_on(scheduler);
  auto planned = planned_pass(frame.regression, frame.options.config, frame.inventory, history, **scheduler);
  if (!planned) return pass_on(planned);
  if (!planned->busy.empty()) return skip(frame, planned->busy);
  NewCampaign campaign;
  campaign.plan = std::move(planned->plan);
  for (const std::string& note : planned->notes) campaign.plan.warnings.push_back(note);
  campaign.inventory = frame.inventory;
  campaign.kind = regression_kind;
  campaign.config_text = frame.regression.facts.text;
  campaign.site = frame.regression.facts.site;
  campaign.planned_by = plan_options_json(planned->options);
  const auto id = stored_campaign(std::move(campaign), frame.common);
  if (!id) return pass_on(id);
  int signal = 0;
  auto standing = measured_pass(frame, *id, lock, signal);
  if (!standing) return pass_on(standing);
  std::optional<PassStanding>& whole = *standing;
  if (!whole) return 128 + signal;
  for (const std::string& note : planned->notes) whole->verdict.notes.push_back(note);
  return concluded(frame, std::move(whole).value(), planned->runs, planned->hosts);
}

/// The runs of the configuration that a campaign has cases of.
std::vector<std::string> labels_of(const Regression& regression, const CampaignRecord& campaign) {
  std::vector<std::string> labels;
  for (const AcceptanceRun& run : regression.facts.runs)
    if (std::ranges::any_of(campaign.cases,
                            [&](const CaseRecord& record) { return record.planned.suite == run.suite; }))
      labels.push_back(run_label(run));
  return labels;
}

/// The nodes that jobs can get, as far as the scheduler says now.
std::vector<std::string> reachable_now(const Frame& frame) {
  const auto kind = largest_kind(frame.inventory);
  if (!kind) return {};
  const auto name = scheduler_of(frame);
  if (!name) return kind->hosts;
  const auto scheduler = make_scheduler(*name, {frame.regression.facts.site, frame.layout});
  if (!scheduler || !(*scheduler)->learn_limits()) return kind->hosts;
  return reachable_hosts(**scheduler, kind->hosts);
}

/// A pass that was cut short goes on by the configuration that it began with.
Result<int> finished_pass(Frame frame, const std::string& id, FileLock& lock) {
  if (!frame.common.quiet) std::cerr << "going on with the pass " << id << ", which was cut short\n";
  const auto campaign = read_campaign_folder(frame.workspace.campaign(id));
  if (!campaign) return pass_on(campaign);
  auto regression = regression_from_toml(campaign->config_text, id + "/regression.toml");
  if (!regression) return pass_on(regression);
  frame.regression = *std::move(regression);
  int signal = 0;
  auto standing = measured_pass(frame, id, lock, signal);
  if (!standing) return pass_on(standing);
  std::optional<PassStanding>& whole = *standing;
  if (!whole) return 128 + signal;
  return concluded(frame, std::move(whole).value(), labels_of(frame.regression, *campaign),
                   reachable_now(frame));
}

Result<int> run(const Options& options, const CommonOptions& common) {
  const auto text = file_content(options.config);
  if (!text) return fail(options.config, text.error().what, "--config takes a regression.toml");
  auto regression = regression_from_toml(*text, options.config);
  if (!regression) return pass_on(regression);
  std::error_code code;
  const fs::path folder = fs::absolute(common.workspace, code);  // jobs begin elsewhere
  Frame frame{options, common, Workspace{folder}, installed_layout(), *std::move(regression), {}};
  find_system_beside(frame.regression.facts, options.config);
  auto inventory = chosen_inventory({}, frame.regression.facts, frame.layout);
  if (!inventory) return pass_on(inventory);
  frame.inventory = *std::move(inventory);
  if (auto made = make_folder(frame.workspace.folder); !made)
    return pass_on(made, "choose another workspace with -w DIR");
  LockOptions options_of_lock;
  if (!common.quiet)
    options_of_lock.tell = [](const std::string& sentence) { std::cerr << "lock: " << sentence << "\n"; };
  const fs::path lock_file = frame.workspace.folder / "regress.lock";
  auto lock = FileLock::take(lock_file, options_of_lock);
  if (!lock) {
    const LockRefusal& refusal = lock.error();
    if (!refusal.holder) return tl::unexpected<Error>(refusal.error);
    return skip(frame, under_way_text(lock_file, *refusal.holder, options_of_lock.times));
  }
  Result<PassHistory> history = PassHistory{};
  {
    const auto database = Database::open(frame.workspace.database());
    if (!database) return pass_on(database);
    history = pass_history(frame.workspace, *database, frame.inventory.system);
  }
  if (!history) return pass_on(history);
  const std::string unfinished = unfinished_pass(frame, *history);
  if (!unfinished.empty()) return finished_pass(std::move(frame), unfinished, *lock);
  return new_pass(frame, *history, *lock);
}

}  // namespace

extern const Command regress;
const Command regress = {
    .id = "regress",
    .about = "one scheduled pass: measure, compare with the passes before",
    .rank = 80,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<Options>();
      app.add_option("--config", options->config, "regression.toml: budget, runs, alarm, floor, whom to tell")
          ->type_name("F")
          ->required();
      app.add_option("--metrics", options->metrics, "write a Prometheus textfile at the end")->type_name("F");
      app.add_flag("--here", options->here, "measure this machine though it looks like a login node");
      app.footer(
          "Example: shakedown regress --config regression.toml -w /srv/shakedown\n"
          "Exit: 0 no alarm (also while it learns), 1 alarm or below the floor, 3 undecided, 75 skipped.");
      return [options, &common] { return run(*options, common); };
    },
};

}  // namespace shakedown::command
