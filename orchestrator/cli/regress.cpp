#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/more_runs.hpp"
#include "orchestrator/cli/support/campaigning.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/login_node.hpp"
#include "orchestrator/cli/support/pass_judgement.hpp"
#include "orchestrator/cli/support/pass_metrics.hpp"
#include "orchestrator/cli/support/pass_plan.hpp"
#include "orchestrator/cli/support/pass_telling.hpp"
#include "orchestrator/cli/support/replanning.hpp"
#include "orchestrator/cli/support/skipped_passes.hpp"
#include "orchestrator/cli/support/terminal.hpp"
#include "orchestrator/cli/support/unfinished_pass.hpp"
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

struct Options {
  std::string config;
  std::string metrics;
  bool here = false;
  bool abandon = false;
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

/// What fails beside the verdict changes none, and is said.
void complain(std::string_view what, const Error& error) {
  std::cerr << what << ": " << shown(to_string(error)) << "\n";
}

std::string replaced_dump(const ordered_json& document) {
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string skipped_text(const PassLog::Skipped& skipped) {
  return fmt::format("skipped: {} pass{} of this system so far, {} since the last one made", skipped.all,
                     skipped.all == 1 ? "" : "es", skipped.since_last_pass);
}

/// Writes the textfile: what is kept of earlier passes, with the counts of now.
void put_metrics(const Frame& frame, PassMetrics metrics) {
  if (frame.options.metrics.empty()) return;
  if (const auto log = read_pass_log(frame.workspace)) metrics.put_counts(*log, frame.inventory.system);
  if (auto written = write_metrics(frame.options.metrics, metrics.families()); !written)
    complain("metrics not written", written.error());
}

/// Keeps what the next passes start from, and writes the textfile.
void keep_and_put(const Frame& frame, PassMetrics metrics) {
  if (auto noted = metrics.keep(frame.workspace); !noted) complain("metrics not kept", noted.error());
  put_metrics(frame, std::move(metrics));
}

std::set<std::string> all_hosts(const Inventory& inventory) {
  std::set<std::string> all;
  for (const NodeGroup& group : inventory.groups)
    if (const auto names = expanded_hostlist(group.hosts)) all.insert(names->begin(), names->end());
  return all;
}

/// Makes up for the metrics of a pass that was cut short behind its verdict.
void make_up_for_metrics(const Frame& frame, const PassLog& log) {
  const std::string& system = frame.inventory.system;
  const auto last = std::find_if(log.passes.rbegin(), log.passes.rend(),
                                 [&](const LoggedPass& pass) { return pass.system == system; });
  PassMetrics metrics = PassMetrics::kept(frame.workspace);
  if (last == log.passes.rend() || metrics.has_pass(system, last->at_s)) return;
  const auto text = file_content(frame.workspace.campaign(last->campaign) / pass_verdict_file);
  if (!text) return;
  const auto verdict = pass_verdict_from_json(*text, pass_verdict_file);
  if (!verdict) return;
  metrics.put_verdict(system, last->at_s, *verdict, all_hosts(frame.inventory));
  keep_and_put(frame, std::move(metrics));
}

void tell_of(const Frame& frame, const PassTelling& telling) {
  if (auto told = tell(frame.workspace, frame.regression.notice, telling); !told)
    complain("not notified", told.error());
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

Result<PassHistory> read_history(const Frame& frame) {
  const auto database = Database::open(frame.workspace.database());
  if (!database) return pass_on(database);
  return pass_history(frame.workspace, *database, frame.inventory.system);
}

/// Notes and says that there is no pass now.
Result<int> skip(const Frame& frame, const std::string& because) {
  const std::string& system = frame.inventory.system;
  if (auto logged = log_skip(frame.workspace, {system, now_s(), because}); !logged) return pass_on(logged);
  auto history = read_history(frame);
  if (!history) {  // the pass that is under way may have the store alone
    auto log = read_pass_log(frame.workspace);
    if (!log) return pass_on(log);
    history = PassHistory();
    history->system = system;
    history->log = *std::move(log);
  }
  const PassLog::Skipped counted = history->log.skipped(system);
  const std::string alarm = skip_alarm(frame.regression, *history, reachable_now(frame), now_s());
  if (frame.common.json) {
    ordered_json document = {{"schema", "shakedown.regression/1"},
                             {"system", system},
                             {"skipped", true},
                             {"because", because},
                             {"skipped_passes", counted.all},
                             {"skipped_since_last_pass", counted.since_last_pass},
                             {"exit_code", exit_skipped}};
    if (!alarm.empty()) document["alarm"] = alarm;
    std::cout << replaced_dump(document);
  } else {
    std::cout << shown(fmt::format("skipped  {}\n         {}\n", because, skipped_text(counted)));
    if (!alarm.empty()) std::cout << shown("       ! " + alarm + "\n");
  }
  if (const auto telling = skip_telling(frame.regression, *history, alarm, because)) tell_of(frame, *telling);
  put_metrics(frame, PassMetrics::kept(frame.workspace));
  return exit_skipped;
}

/// Notes and tells that a pass ended in an error, which is its end.
void note_failure(const Frame& frame, const Error& error) {
  const std::string sentence = to_string(error);
  if (auto logged = log_failure(frame.workspace, {frame.inventory.system, now_s(), sentence}); !logged)
    complain("not logged", logged.error());
  PassTelling telling{frame.inventory.system, "", frame.regression.facts.title, {}, {}};
  telling.verdict.sentence = "regression pass: failed: " + sentence;
  telling.verdict.exit_code = error.fault == Fault::environment ? 4 : 2;
  tell_of(frame, telling);
  put_metrics(frame, PassMetrics::kept(frame.workspace));
}

/// The same before there was a lock, and it may be before anything was known of the system: it is then the
/// one whose passes the workspace has, or what the configuration calls it.
tl::unexpected<Error> noted_early(Frame& frame, Error error) {
  std::string& system = frame.inventory.system;
  if (const auto log = read_pass_log(frame.workspace); system.empty() && log && !log->passes.empty())
    system = log->passes.back().system;
  if (system.empty()) system = fs::path(frame.regression.facts.system).stem().string();
  note_failure(frame, error);
  return tl::unexpected<Error>(std::move(error));
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

/// A pass that has run as far as it could.
struct Measured {
  PassStanding standing;
  std::string waited;  ///< why it has no more: its jobs never began; empty: it has all
};

/// Ends a pass of which nothing runs for as long as it may take: its nodes were idle, and others got them.
/// The time counts from the first event on: what is looked at before has a limit of its own.
class QueueLimit {
 public:
  QueueLimit(const Frame& frame, const std::string& id)
      : folder_(frame.workspace.campaign(id)), limit_s_(frame.regression.minutes * 60) {}
  void beat(const Event& event) {
    const double now = steady_s();
    if (event.running > 0 || !moved_s_) moved_s_ = now;
    if (reached_ || now - *moved_s_ <= limit_s_) return;
    reached_ = true;
    if (auto asked = request_end(folder_, stop_note_of_pass("its budget")); !asked)
      complain("not ended", asked.error());
  }
  /// Empty: it was not reached.
  [[nodiscard]] std::string text() const {
    if (!reached_) return "";
    return fmt::format("its jobs waited for {}, the pass's budget, and did not begin",
                       duration_text(limit_s_));
  }

 private:
  fs::path folder_;
  double limit_s_;
  std::optional<double> moved_s_;  // when anything ran, or its first event was
  bool reached_ = false;
};

/// Runs what a pass lacks, and the repeats that its suspicions ask for. Nothing: interrupted by `signal`.
Result<std::optional<Measured>> measured_pass(const Frame& frame, const std::string& id, FileLock& lock,
                                              int& signal) {
  std::vector<WantedRepeats> asked;
  while (true) {
    Progress progress(frame.common, "");
    QueueLimit limit(frame, id);
    const auto carried = carried_out(
        frame.workspace, id, frame.common, progress, /*break_lock=*/false,
        {.beat = [&](const Event& event) { limit.beat(event); }, .keep = [&] { return lock.keep(); }});
    if (auto kept = lock.keep(); !kept) return pass_on(kept);  // else two would judge, and tell
    if (!carried) return pass_on(carried);
    if (carried->end.interrupted && limit.text().empty()) {
      signal = carried->end.signal;
      return std::nullopt;
    }
    auto standing = pass_standing(frame.workspace, id, frame.regression, frame.layout, asked);
    if (!standing) return pass_on(standing);
    if (standing->wanted.empty() || !limit.text().empty())
      return std::optional(Measured{*std::move(standing), limit.text()});
    asked = standing->wanted;
    const std::vector<MoreRuns> more = more_runs(asked);
    int count = 0;
    for (const MoreRuns& each : more) count += each.count;
    if (!frame.common.quiet) std::cerr << fmt::format("suspicion: {} more runs decide\n", count);
    if (auto added = add_runs(frame.workspace, id, more); !added) return pass_on(added);
  }
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

/// Keeps the verdict where the next pass finds it. That one goes on with this pass where it can't be kept.
Result<void> kept_verdict(const Frame& frame, const LoggedPass& logged, const PassVerdict& verdict) {
  if (auto noted = log_pass(frame.workspace, logged); !noted) return noted;
  return write_file(frame.workspace.campaign(logged.campaign) / pass_verdict_file, pass_verdict_json(verdict),
                    Durability::power_loss);
}

void say(const Frame& frame, const PassTelling& telling, const Coverage& seen,
         const PassLog::Skipped& skipped) {
  const std::string report = telling.report.string();
  if (!frame.common.json) {
    std::cout << shown(pass_text(telling.verdict, frame.common.verbose > 0));
    if (!report.empty()) std::cout << "report   " << report << "\n";
    return;
  }
  ordered_json document = ordered_json::parse(pass_verdict_json(telling.verdict));
  document["system"] = telling.system;
  document["campaign"] = telling.campaign;
  document["skipped"] = false;
  document["coverage"] = {{"nodes", seen.nodes}, {"seen", seen.seen},     {"days", seen.days},
                          {"late", seen.late},   {"oldest", seen.oldest}, {"oldest_days", seen.oldest_days}};
  document["skipped_passes"] = skipped.all;
  document["report"] = report;
  std::cout << replaced_dump(document);
}

/// Keeps the verdict, reports, says, tells: each whatever becomes of the others. `hosts`: those that jobs can
/// get.
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
  const auto kept = kept_verdict(frame,
                                 {system, id, standing.campaign.created_s, verdict.exit_code, runs,
                                  nodes_of(standing.campaign), standing.left_out},
                                 verdict);
  if (!kept) complain("verdict not kept", kept.error());
  const auto reported =
      reported_campaign(frame.workspace, id, frame.layout, frame.workspace.campaign(id), {"html", "json"});
  if (!reported) complain("report not written", reported.error());
  const PassTelling telling{system, id, frame.regression.facts.title,
                            reported ? reported->written.front() : fs::path(), verdict};
  say(frame, telling, seen, skipped);
  PassMetrics metrics = PassMetrics::kept(frame.workspace);
  metrics.drop_ended(frame.regression, standing);
  metrics.put_pass(standing, seen, all_hosts(frame.inventory));
  keep_and_put(frame, std::move(metrics));
  tell_of(frame, telling);                                    // last: it may take its time
  if (!kept && verdict.exit_code == 0) return pass_on(kept);  // no success that nobody can look up
  return verdict.exit_code;
}

/// Runs a pass to its verdict. One that got no node in the queue is no pass: it is closed, and skipped.
Result<int> ended_pass(const Frame& frame, const std::string& id, FileLock& lock,
                       const std::vector<std::string>& notes, const std::vector<std::string>& runs,
                       const std::vector<std::string>& hosts) {
  int signal = 0;
  auto measured = measured_pass(frame, id, lock, signal);
  if (!measured) return pass_on(measured);
  std::optional<Measured>& whole = *measured;
  if (!whole) return 128 + signal;
  if (auto kept = lock.keep(); !kept) return pass_on(kept);
  PassStanding& standing = whole->standing;
  const bool began = std::ranges::any_of(standing.campaign.cases, [](const CaseRecord& record) {
    return std::ranges::any_of(record.attempts,
                               [](const AttemptRecord& attempt) { return attempt.started_s > 0; });
  });
  if (!whole->waited.empty() && !began) {
    auto closed =
        closed_pass(frame.workspace, standing.campaign, Closed::skipped, whole->waited, frame.layout);
    if (!closed) return pass_on(closed);
    return skip(frame, whole->waited);
  }
  standing.verdict.notes.insert(standing.verdict.notes.end(), notes.begin(), notes.end());
  if (!whole->waited.empty()) standing.verdict.notes.push_back(whole->waited);
  return concluded(frame, std::move(standing), runs, hosts);
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
  return ended_pass(frame, *id, lock, planned->notes, planned->runs, planned->hosts);
}

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
Result<void> given_up(const Frame& frame, const CampaignRecord& campaign, const std::string& because) {
  auto verdict = closed_pass(frame.workspace, campaign, Closed::given_up, because, frame.layout);
  if (!verdict) return pass_on(verdict);
  std::cerr << shown(fmt::format("the pass {} is given up: {}\n", campaign.id, because));
  tell_of(frame, {campaign.system, campaign.id, frame.regression.facts.title, {}, *std::move(verdict)});
  return {};
}

/// A pass that was cut short goes on by the configuration that it began with. Nothing: it was given up.
Result<std::optional<int>> finished_pass(Frame frame, const std::string& id, FileLock& lock) {
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
  const auto give_up = [&](const std::string& because) -> Result<std::optional<int>> {
    if (auto done = given_up(frame, *campaign, because); !done) return pass_on(done);
    return std::nullopt;
  };
  if (frame.options.abandon) return give_up("its user had no more use for it (--abandon)");
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
  frame.regression = *std::move(regression);
  if (!taken->empty())
    return skip(frame,
                fmt::format("the pass {} was cut short and waits for its nodes: {} (`shakedown regress "
                            "--abandon` gives it up)",
                            id, *taken));
  if (!frame.common.quiet) std::cerr << "going on with the pass " << id << ", which was cut short\n";
  return ended_pass(frame, id, lock, {}, labels_of(frame.regression, *campaign), reachable_now(frame));
}

Result<int> pass_under_lock(const Frame& frame, FileLock& lock) {
  auto history = read_history(frame);
  if (!history) return pass_on(history);
  make_up_for_metrics(frame, history->log);
  if (const auto late = untold(frame.workspace, frame.regression, history->log, history->system))
    tell_of(frame, *late);
  const std::string unfinished = unfinished_pass(frame, *history);
  if (!unfinished.empty()) {
    const auto finished = finished_pass(frame, unfinished, lock);
    if (!finished) return pass_on(finished);
    const std::optional<int>& code = *finished;
    if (code) return code.value();
    history = read_history(frame);
    if (!history) return pass_on(history);
  }
  return new_pass(frame, *history, lock);
}

Result<int> run(const Options& options, const CommonOptions& common) {
  const auto text = file_content(options.config);
  if (!text) return fail(options.config, text.error().what, "--config takes a regression.toml");
  auto regression = regression_from_toml(*text, options.config);
  if (!regression) return pass_on(regression);
  if (auto watched = watched_floors(regression->floor, options.config); !watched) return pass_on(watched);
  std::error_code code;
  const fs::path folder = fs::absolute(common.workspace, code);  // jobs begin elsewhere
  Frame frame{options, common, Workspace{folder}, installed_layout(), *std::move(regression), {}};
  find_system_beside(frame.regression.facts, options.config);
  auto inventory = chosen_inventory({}, frame.regression.facts, frame.layout);
  if (!inventory) {
    if (auto made = make_folder(frame.workspace.folder); !made) complain("not logged", made.error());
    return noted_early(frame, inventory.error());
  }
  frame.inventory = *std::move(inventory);
  if (auto made = make_folder(frame.workspace.folder); !made) {
    made.error().hint = "choose another workspace with -w DIR";
    return noted_early(frame, made.error());
  }
  LockOptions options_of_lock;
  if (!common.quiet)
    options_of_lock.tell = [](const std::string& sentence) { std::cerr << "lock: " << sentence << "\n"; };
  const fs::path lock_file = frame.workspace.folder / "regress.lock";
  auto lock = FileLock::take(lock_file, options_of_lock);
  if (!lock) {
    const LockRefusal& refusal = lock.error();
    if (!refusal.holder) return noted_early(frame, refusal.error);
    return skip(frame, under_way_text(lock_file, *refusal.holder, options_of_lock.times));
  }
  auto code_of_pass = pass_under_lock(frame, *lock);
  // Who has lost the lock has no say any more: the other one's pass is the pass.
  if (!code_of_pass && lock->keep()) note_failure(frame, code_of_pass.error());
  return code_of_pass;
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
      app.add_flag("--abandon", options->abandon, "give up a pass that was cut short, and begin a new one");
      app.add_flag("--here", options->here, "measure this machine though it looks like a login node");
      app.footer(
          "Example: shakedown regress --config regression.toml -w /srv/shakedown\n"
          "Exit: 0 no alarm (also while it learns), 1 alarm or below the floor, 3 undecided, 75 skipped.\n"
          "[notify] tells of 1 and 3, of errors, and once of passes that are skipped in a row for too long.");
      return [options, &common] { return run(*options, common); };
    },
};

}  // namespace shakedown::command
