#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

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

/// The pass that was begun and never came to its verdict: a power loss, a kill. The newest counts.
std::string unfinished_pass(const Frame& frame, const PassHistory& history) {
  if (history.passes.empty()) return "";
  const std::string& id = history.passes.back().id;
  std::error_code code;
  const fs::path folder = frame.workspace.campaign(id);
  return fs::exists(folder, code) && !fs::exists(folder / pass_verdict_file, code) ? id : "";
}

/// Runs what a pass lacks, and the repeats that its suspicions ask for. Nothing: interrupted by `signal`.
Result<std::optional<PassStanding>> measured_pass(const Frame& frame, const std::string& id, FileLock& lock,
                                                  int& signal) {
  while (true) {
    Progress progress(frame.common, "");
    const auto carried = carried_out(frame.workspace, id, frame.common, progress, /*break_lock=*/false,
                                     [&] { static_cast<void>(lock.keep()); });
    if (!carried) return pass_on(carried);
    if (carried->end.interrupted) {
      signal = carried->end.signal;
      return std::nullopt;
    }
    auto standing = pass_standing(frame.workspace, id, frame.regression, frame.layout);
    if (!standing) return pass_on(standing);
    if (standing->wanted.empty()) return std::optional(*std::move(standing));
    int count = 0;
    for (const MoreRuns& more : standing->wanted) count += more.count;
    if (!frame.common.quiet) std::cerr << fmt::format("suspicion: {} more runs decide\n", count);
    if (auto added = add_runs(frame.workspace, id, standing->wanted); !added) return pass_on(added);
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

std::string pass_text(const PassVerdict& verdict, bool with_changes) {
  std::string text = fmt::format("verdict  {}\n", verdict.sentence);
  for (const JudgedSeries& each : verdict.series) {
    text += fmt::format("  {}  {}  {}\n        {}\n", series_text(each.series.name),
                        metric_text(each.series.name.metric, each.value), each.state(), each.watched.text);
    if (!with_changes) continue;
    for (const ChangePoint& point : each.changes) text += "        " + change_text(each, point) + "\n";
  }
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

/// Keeps the verdict, reports, tells.
Result<int> concluded(const Frame& frame, PassStanding standing, const std::vector<std::string>& runs) {
  const std::string& id = standing.campaign.id;
  const std::string& system = standing.history.system;
  PassVerdict& verdict = standing.verdict;
  const auto kind = largest_kind(frame.inventory);
  if (!kind) return pass_on(kind);
  const Coverage seen = coverage_of(frame.regression, kind->hosts, standing.history, now_s());
  const auto log = read_pass_log(frame.workspace);  // as it was before this pass
  if (!log) return pass_on(log);
  const PassLog::Skipped skipped = log->skipped(system);
  verdict.notes.push_back(seen.text());
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
    document["coverage"] = {{"nodes", seen.nodes},
                            {"seen", seen.seen},
                            {"days", seen.days},
                            {"oldest", seen.oldest},
                            {"oldest_days", seen.oldest_days}};
    document["skipped_passes"] = skipped.all;
    document["report"] = report.string();
    std::cout << document.dump(2) << "\n";
  } else {
    std::cout << shown(pass_text(verdict, frame.common.verbose > 0)) << "report   " << report.string()
              << "\n";
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
  return concluded(frame, std::move(whole).value(), planned->runs);
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
  return concluded(frame, std::move(whole).value(), labels_of(frame.regression, *campaign));
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
  options_of_lock.watches = false;
  auto lock = FileLock::take(frame.workspace.folder / "regress.lock", options_of_lock);
  if (!lock) {
    const LockRefusal& refusal = lock.error();
    if (!refusal.holder) return tl::unexpected<Error>(refusal.error);
    return skip(frame, fmt::format("another pass is under way ({})", refusal.holder->text()));
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
