#include "orchestrator/cli/campaign_run.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iostream>
#include <ranges>

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/journal_check.hpp"
#include "orchestrator/cli/text/next_step_text.hpp"
#include "orchestrator/cli/text/prediction_text.hpp"
#include "orchestrator/cli/text/prerequisites.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "reports/formats/prometheus.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/each_node.hpp"
#include "reports/judge/overall.hpp"
#include "reports/judge/tally.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"
#include "reports/measure/set_score.hpp"

namespace shakedown {
namespace {

/// A failure of the machine that stopped a campaign which can go on once it is mended. Where another
/// orchestrator runs the campaign, it continues there.
tl::unexpected<Error> resumable(Error error, const std::string& id, const Workspace& workspace) {
  if (error.fault == Fault::environment && campaign_holder(workspace.campaign(id)).pid == 0)
    error.hint += (error.hint.empty() ? "resume with: " : "\nhint: then resume with: ") +
                  command_for("resume " + id, workspace.folder);
  return tl::unexpected<Error>(std::move(error));
}

/// What a ratio is a share of, by its title: " of measured GEMM"; empty: of another value.
std::string share_of(const std::string& metric) {
  constexpr std::string_view over = " over ";
  const std::string title = metric_title(metric);
  const std::size_t at = title.find(over);
  return at == std::string::npos ? "" : " of " + title.substr(at + over.size());
}

/// "  43.31 TFLOP/s  (>= 41.14 TFLOP/s)", "  78.3 % of measured GEMM  (>= 70.5 %)": rounding never carries a
/// value over its limit.
std::string number_with_unit(const CriterionResult& criterion) {
  const bool shown = criterion.measured && !criterion.withheld;
  if (shown && criterion.limit) {
    const ShownPair pair = shown_beside(criterion.metric, *criterion.measured, *criterion.limit);
    return fmt::format("  {}{}  ({} {})", pair.value, share_of(criterion.metric),
                       to_string(criterion.direction), pair.limit);
  }
  if (shown) return "  " + metric_text(criterion.metric, *criterion.measured) + share_of(criterion.metric);
  if (criterion.limit)
    return fmt::format("  ({} {})", to_string(criterion.direction),
                       metric_text(criterion.metric, *criterion.limit));
  return "";
}

/// "  unverified", beside a value that nobody reviewed; empty: nothing.
std::string mark_text(const CampaignRecord& campaign, const CriterionResult& criterion) {
  if (!criterion.measured || criterion.withheld) return "";
  const std::string_view mark = unreviewed_mark(campaign, criterion.suite, criterion.case_id);
  return mark.empty() ? "" : fmt::format("  {}", mark);
}

/// What a waiver makes of a criterion; empty: nothing.
std::string waiver_text(const CriterionResult& criterion) {
  if (!criterion.waived) return "";
  const Waiver waiver = criterion.waiver.value_or(Waiver());
  return fmt::format(" by {}, until {}", waiver.approver, waiver.expires);
}

/// Fails, in the batch system's own words, where its commands are not here or do not answer.
Result<void> check_scheduler(const NewCampaign& wanted) {
  const auto chosen = chosen_scheduler(wanted);
  if (!chosen) return failure_of(chosen);
  if (runs_here(*chosen)) return {};
  const auto made = make_scheduler(*chosen, {wanted.site, installed_layout()});
  if (!made) return failure_of(made);
  std::vector<std::string> hosts;
  for (const Case& planned : wanted.plan.cases)
    if (const auto own = expanded_hostlist(planned.hosts))
      hosts.insert(hosts.end(), own->begin(), own->end());
  std::ranges::sort(hosts);
  const auto repeated = std::ranges::unique(hosts);
  hosts.erase(repeated.begin(), repeated.end());
  const auto nodes = (*made)->nodes(hosts);
  return nodes ? Result<void>() : failure_of(nodes);
}

/// What would spoil the campaign at its end is found before its start: criteria, baseline, launcher, event
/// file.
Result<void> readiness(const NewCampaign& wanted, const std::string& json_events) {
  const Layout layout = installed_layout();
  if (!wanted.criteria_text.empty())
    if (auto criteria = read_criteria(wanted.criteria_text, wanted.criteria_name); !criteria)
      return failure_of(criteria);
  if (!wanted.baseline.empty())
    if (auto baseline = named_baseline(wanted.baseline, layout.share); !baseline) return failure_of(baseline);
  if (wanted.plan.cases.empty())
    return fail("plan", "has no cases", "`shakedown plan -o plan.json` writes one");
  if (auto answers = check_scheduler(wanted); !answers) return answers;
  for (const Case& planned : wanted.plan.cases)
    if (!planned.launcher.empty() && !planned.argv.empty() && program_in_path(planned.argv.front()).empty())
      return fail_environment(planned.id, fmt::format("its launcher {} is not here", planned.argv.front()),
                              "apt-get install openmpi-bin; `shakedown doctor` checks the rest");
  if (!json_events.empty() && json_events != "-" && !std::ofstream(json_events, std::ios::app))
    return fail_environment(json_events, "cannot be written", "--json-events takes a file or -");
  return {};
}

/// The number that binds the campaign, before anything of it runs.
void print_commitment(const fs::path& campaign_folder, const CommonOptions& common) {
  if (common.quiet) return;
  if (const auto commitment = read_commitment(campaign_folder))
    std::cerr << "commitment " << in_groups(commitment->root)
              << "\n           each party should note it before the first run: it fixes criteria, published "
                 "values, plan, "
                 "inventory and programs\n";
}

/// First and last root of a journal; empty: there is none.
std::string roots_text(const JournalRecord& journal) {
  if (journal.last_root.empty()) return "";
  std::string text;
  if (!journal.first_root.empty()) text = fmt::format("first root  {}\n", in_groups(journal.first_root));
  return text + fmt::format("last root   {}  (line {} of the journal)\n", in_groups(journal.last_root),
                            journal.lines);
}

/// The jobs of an execution that continue in the batch system.
std::string continuing_text(int jobs, const std::string& id, const Workspace& workspace) {
  return fmt::format("{} continue{} in the batch system; `{}` cancels {}\n",
                     jobs == 1 ? std::string("1 job") : fmt::format("{} jobs", jobs), jobs == 1 ? "s" : "",
                     command_for("cancel " + id, workspace.folder), jobs == 1 ? "it" : "them");
}

/// What ended a run of the orchestrator.
std::string interruption_text(int signal) {
  return signal == SIGHUP ? "interrupted by a hangup (its terminal was closed)" : "interrupted";
}

/// Checks a node for what the cases need, before they begin: those whose requirements are missing will not
/// run. The signal that stopped it, or 0. A screening needs nothing that its plan has not found.
Result<int> look_first(const Workspace& workspace, const std::string& id, const Terminal& terminal,
                       EngineOptions& options) {
  const auto campaign = read_campaign_folder(workspace.campaign(id));
  if (!campaign) return failure_of(campaign);
  if (campaign->kind == "screening" || is_external(*campaign)) return 0;
  const auto found = looked_for(*campaign, workspace, options.layout, [&](std::size_t count) {
    if (terminal.talks())
      std::cerr << terminal.dim("preflight ") << fmt::format("{} requirements, on one node\n", count);
  });
  if (!found) return failure_of(found);
  options.lacking = lacking(found->needed, found->seen);
  const bool remarkable = !options.lacking.empty() || !found->seen.inconclusive.empty();
  if (terminal.talks() && remarkable) std::cerr << prerequisites_text(*found);
  return found->seen.signal;
}

}  // namespace

void print_roots(const fs::path& campaign_folder, const CommonOptions& common) {
  const auto check = check_journal(campaign_folder);
  if (!check) return;
  for (const JournalFinding& each : check->findings)
    std::cerr << shown(fmt::format("! the journal is not whole: {}\n", each.sentence));
  if (!common.quiet) std::cerr << roots_text({check->lines, check->first_root, check->last_root, {}, {}});
}

LockOptions lock_options(const CommonOptions& common) {
  LockOptions options;
  if (!common.quiet)
    options.report = [](const std::string& sentence) { std::cerr << "lock: " << sentence << "\n"; };
  return options;
}

Result<int> started_to_the_end(NewCampaign wanted, const CommonOptions& common,
                               const CampaignOutput& output) {
  if (auto ready = readiness(wanted, output.json_events); !ready) return failure_of(ready);
  note_criteria(wanted.criteria_text, wanted.criteria_name, wanted.plan.cases, common);
  const Workspace workspace{common.workspace};
  const bool binding = wanted.kind == "acceptance";
  const auto id = stored_campaign(std::move(wanted), workspace, lock_options(common));
  if (!id) return failure_of(id);
  if (binding) print_commitment(workspace.campaign(*id), common);
  return run_to_the_end(workspace, *id, common, output);
}

Result<CampaignRun> shown_run(const Workspace& workspace, const std::string& id, const CommonOptions& common,
                              Progress& progress, bool break_lock, const CampaignWatch& beside) {
  const Layout layout = installed_layout();
  const Terminal terminal(common);
  if (terminal.talks()) std::cerr << terminal.dim("campaign ") << id << "\n";
  EngineOptions options;
  options.layout = layout;
  options.lock = lock_options(common);
  options.lock.by_force = break_lock;
  options.renew_lock = beside.renew_lock;
  options.listener = [&](const Event& event) {
    if (beside.beat) beside.beat(event);
    progress.show(event);
  };
  const auto stopped = look_first(workspace, id, terminal, options);
  if (!stopped) return resumable(stopped.error(), id, workspace);
  if (*stopped != 0) return CampaignRun{{true, *stopped, 0}, false};
  auto end = run_campaign(workspace, id, options);
  progress.end();
  if (!end) return resumable(end.error(), id, workspace);
  return CampaignRun{*end, true, options.lacking.size()};
}

Result<int> run_to_the_end(const Workspace& workspace, const std::string& id, const CommonOptions& common,
                           const CampaignOutput& output, bool break_lock) {
  const Layout layout = installed_layout();
  const std::string& json_events = output.json_events;
  Progress progress(common, json_events);
  const auto carried = shown_run(workspace, id, common, progress, break_lock);
  if (!carried) return failure_of(carried);
  const ExecutionEnd& end = carried->end;
  if (!carried->began) {
    std::cerr << interruption_text(end.signal)
              << " before it began. Resume with: " << command_for("resume " + id, workspace.folder) << "\n";
    return 128 + end.signal;
  }
  const auto reported = reported_campaign(workspace, id, layout, workspace.campaign(id), {"html", "json"});
  if (!reported) return resumable(reported.error(), id, workspace);
  if (!progress.events_written()) return fail_environment(json_events, "the events could not all be written");

  if (common.json) {
    const auto document = file_content_within(reported->written.back(), SIZE_MAX);
    if (!document) return failure_of(document);
    std::cout << *document;
  } else {
    std::ostream& out = json_events == "-" ? std::cerr : std::cout;  // one kind of document on stdout
    out << verdict_text(reported->outcome) << "report   " << reported->written.front().string() << "\n";
  }
  if (carried->lacking > 0 && !end.interrupted)
    std::cerr << lacking_text(carried->lacking, command_for("resume " + id, workspace.folder));
  if (end.jobs_continuing > 0) std::cerr << continuing_text(end.jobs_continuing, id, workspace);
  if (!output.metrics.empty()) {
    const Outcome& outcome = reported->outcome;
    const auto metrics = campaign_metrics(outcome.campaign.record, outcome.judgement);
    if (auto written = write_metrics(output.metrics, metrics); !written) return failure_of(written);
  }
  if (end.interrupted) {
    std::cerr << interruption_text(end.signal) << "; finished results are stored. Resume with: "
              << command_for("resume " + id, workspace.folder) << "\n";
    return 128 + end.signal;
  }
  if (!progress.events_written()) return fail_environment(json_events, "the events could not all be written");
  if (!common.quiet) {
    std::cout << std::flush;
    std::cerr << shown(next_step_text(reported->outcome, workspace.folder));
  }
  return reported->outcome.judgement.exit_code;
}

Result<void> one_document(const CommonOptions& common, const std::string& json_events) {
  if (!common.json || json_events != "-") return {};
  return fail(
      "--json-events -", "and --json would both write to standard output",
      "give the events a file (--json-events events.jsonl), or leave --json out: results.json is written "
      "all the same");
}

Result<std::string> chosen_campaign(const Workspace& workspace, const std::string& given) {
  std::error_code code;
  const fs::directory_iterator probe(workspace.campaigns(), code);
  if (code && code != std::errc::no_such_file_or_directory)
    return fail_environment(workspace.campaigns().string(),
                            fmt::format("cannot be read: {}", code.message()));
  const auto ids = campaign_ids(workspace);
  if (ids.empty() && fs::exists(workspace.database(), code))
    return fail(workspace.folder.string(),
                "no folder of a campaign here: there is results.sqlite, and campaigns/ is missing or empty",
                "put the folder campaigns/ back beside it; `shakedown site` reads results.sqlite alone");
  if (ids.empty())
    return fail(
        workspace.folder.string(), "no campaign here",
        "`shakedown quick` or `shakedown run --config FILE` makes one; -w DIR names another workspace");
  if (given.empty()) return ids.back();
  std::vector<std::string> matching;
  for (const std::string& id : ids) {
    if (id == given) return id;
    if (id.starts_with(given)) matching.push_back(id);
  }
  if (matching.size() == 1) return matching.front();
  if (matching.empty())
    return fail(workspace.folder.string(), fmt::format("no campaign '{}'{}", given, did_you_mean(given, ids)),
                fmt::format("the newest is {}", ids.back()));
  return fail(workspace.folder.string(), fmt::format("'{}' begins {} campaigns", given, matching.size()),
              joined(matching, ", ") + "; `shakedown campaigns` lists all");
}

namespace {

constexpr std::size_t most_lines = 10;  // of one kind; the report has all

/// What was disturbed, the first of it.
std::string disturbances_text(const Judgement& judgement) {
  std::string text;
  for (const Disturbance& each : judgement.disturbances | std::views::take(most_lines))
    text += fmt::format("  ! disturbed: {}\n", each.sentence);
  if (judgement.disturbances.size() > most_lines)
    text +=
        fmt::format("  ! {} more disturbances, in the report\n", judgement.disturbances.size() - most_lines);
  return text;
}

/// What was out of the ordinary, the first of it, as many as the verdict counts.
std::string exceptions_text(const Outcome& outcome) {
  std::string text;
  const std::vector<std::string> all = exceptions(outcome.campaign.record, outcome.judgement);
  for (const std::string& sentence : all | std::views::take(most_lines))
    text += fmt::format("  ! exception: {}\n", sentence);
  if (all.size() > most_lines)
    text += fmt::format("  ! {} more exceptions, in the report\n", all.size() - most_lines);
  return text;
}

}  // namespace

std::string verdict_text(const Outcome& outcome) {
  const Judgement& judgement = outcome.judgement;
  const CampaignRecord& campaign = outcome.campaign.record;
  std::string text = fmt::format("verdict  {}\n", judgement.sentence);
  for (const std::string& counts : {criteria_counts(judgement), run_counts(judgement.tally)})
    if (!counts.empty()) text += "         " + counts + "\n";
  if (const std::string speed = speed_judged(judgement); campaign.kind == "screening" && !speed.empty())
    text += "         " + speed + "\n";
  for (const RevisionVerdict& revision : judgement.revisions)
    if (revision.criteria.number != judgement.revisions.back().criteria.number)
      text +=
          fmt::format("  by revision {} of the criteria: {}\n", revision.criteria.number, revision.sentence);
  for (const CriterionResult& criterion : judgement.criteria) {
    text += fmt::format("  {:<5} {}", criterion.suite, criterion.id);
    const bool advisory = criterion.severity != CriterionSeverity::mandatory;
    text += fmt::format("{}{}  {}{}{}{}\n", number_with_unit(criterion), mark_text(campaign, criterion),
                        verdict_text(criterion), criterion.is_short ? ": " + criterion.because : "",
                        waiver_text(criterion), advisory ? " (advisory)" : "");
    // A share of a theoretical peak says little without the peak.
    const bool of_peak = is_efficiency(criterion.metric) && screen_of(criterion.metric) == nullptr;
    if ((criterion.verdict != Verdict::pass || (of_peak && !criterion.is_short)) &&
        !criterion.because.empty())
      text += "        " + criterion.because + "\n";
    for (const std::string& reason : node_reasons(criterion)) text += "        " + reason + "\n";
    if (!criterion.remedy.empty()) text += "        " + criterion.remedy + "\n";
  }
  for (const CriterionResult& criterion : judgement.left_out)
    text += fmt::format("  {:<5} {}  left out with its suite\n", criterion.suite, criterion.id);
  text += missed_predictions_text(judgement.suite_results, campaign);
  for (const std::string& alarm : judgement.alarms) text += "  ! " + alarm + "\n";
  if (!judgement.reliability.empty() && !judgement.reliability.front().unsuccessful.empty())
    text += "  attempts " + reliability_text(judgement.reliability.front()) + "\n";
  text += disturbances_text(judgement);
  text += exceptions_text(outcome);
  if (campaign.journal) text += roots_text(*campaign.journal);
  return shown(with_stops_once(std::move(text), campaign, 1));
}

}  // namespace shakedown
