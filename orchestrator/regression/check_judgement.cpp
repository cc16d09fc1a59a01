#include "orchestrator/regression/check_judgement.hpp"

#include <algorithm>

#include "orchestrator/campaign/node_declaration.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {
namespace {

constexpr double weeks_a_year = 52;

bool is_value(const CampaignRecord& campaign, const ResultRecord& result) {
  return usable(result) || valid_but_for_length(campaign, result);
}

/// What disturbed the runs of a check from outside, by its own limits or those of `quick`. That repetitions
/// differ is no such thing: it may be the machine's own loss.
Result<std::vector<Disturbance>> outside_disturbances(const MeasuredCampaign& campaign,
                                                      const RegressionDisturbance& stated,
                                                      const Layout& layout) {
  const auto file = criteria_file("quick", layout);
  if (!file) return failure_of(file);
  auto limits = read_criteria(file->text, file->path);
  if (!limits) return failure_of(limits);
  limits->gemm_spread.reset();
  for (const auto& [own, limit] : {std::pair(&stated.steal, &limits->steal), {&stated.load, &limits->load}})
    if (*own && *limit) (*limit)->limit = **own;
  auto found = disturbances(campaign, *limits);
  std::erase_if(found,
                [](const Disturbance& each) { return each.cause == Disturbance::Cause::not_recorded; });
  return found;
}

const Disturbance* disturbance_of(std::span<const Disturbance> all, const std::string& case_id, int attempt) {
  const auto found = std::ranges::find_if(
      all, [&](const Disturbance& each) { return each.case_id == case_id && each.attempt == attempt; });
  return found == all.end() ? nullptr : &*found;
}

/// Runs that are no values, and cases without any.
void put_gaps(CheckRuns& runs, const CampaignRecord& campaign) {
  std::vector<const CaseRecord*> measured;
  std::vector<const CaseRecord*> without;
  for (const CaseRecord& record : campaign.cases) {
    bool any = false;
    for (const AttemptRecord& attempt : record.attempts) {
      const bool good = disturbance_of(runs.disturbed, record.planned.id, attempt.index) == nullptr &&
                        std::any_of(attempt.results.begin(), attempt.results.end(),
                                    [&](const ResultRecord& result) { return is_value(campaign, result); });
      if (!good) runs.left_out.push_back(fmt::format("{}/attempt-{}", record.planned.id, attempt.index));
      any = any || good;
    }
    (any ? measured : without).push_back(&record);
  }
  std::vector<const CaseRecord*> listed;
  for (const CaseRecord* record : without) {
    const auto is_same = [&](const CaseRecord* other) { return same_case(other->planned, record->planned); };
    if (std::any_of(measured.begin(), measured.end(), is_same) ||
        std::any_of(listed.begin(), listed.end(), is_same))
      continue;
    const Disturbance* found = record->attempts.empty() ? nullptr
                                                        : disturbance_of(runs.disturbed, record->planned.id,
                                                                         record->attempts.back().index);
    runs.missing.push_back({record->planned.id,
                            found != nullptr ? "disturbed, and nothing is learned from it: " + found->sentence
                                             : why_missing(*record)});
    listed.push_back(record);
  }
}

/// Notes nodes that are other ones than in the last check that saw them, and was judged: nobody has compared
/// one that was given up.
Result<void> note_changes(const Workspace& workspace, const Database& database, CheckState& standing) {
  const CheckHistory& history = standing.history;
  const std::string& id = standing.campaign.id;
  std::set<std::string> open = nodes_of(history, id);
  for (const LoggedChange& change : history.log.changes)
    if (change.campaign == id) open.erase(change.node);
  for (auto each = history.checks.rbegin(); each != history.checks.rend() && !open.empty(); ++each) {
    if (each->created_s >= standing.campaign.created_s || history.log.given_up(each->id)) continue;
    std::vector<std::string> here;
    for (const std::string& node : nodes_of(history, each->id))
      if (open.erase(node) > 0) here.push_back(node);
    if (here.empty()) continue;
    const auto before = database.campaign(each->id);
    if (!before) return failure_of(before);
    for (const std::string& node : here) {
      LoggedChange change{history.system, id, node, standing.campaign.created_s,
                          node_changes(*before, standing.campaign, node)};
      if (change.what.empty()) continue;
      if (auto logged = log_change(workspace, change); !logged) return logged;
      standing.history.log.changes.push_back(std::move(change));
    }
  }
  return {};
}

}  // namespace

Result<CheckRuns> check_runs(const MeasuredCampaign& campaign, const Regression& regression,
                             const Layout& layout) {
  auto disturbed = outside_disturbances(campaign, regression.disturbance, layout);
  if (!disturbed) return failure_of(disturbed);
  CheckRuns runs{*std::move(disturbed), {}, {}};
  runs.missing.reserve(campaign.record.refused.size());
  for (const Refusal& refusal : campaign.record.refused)
    runs.missing.push_back({refusal.suite + (refusal.benchmark.empty() ? "" : " " + refusal.benchmark),
                            fmt::format("{} ({})", refusal.because, refusal.rule)});
  put_gaps(runs, campaign.record);
  return runs;
}

void add_missing_floors(std::vector<MissingSeries>& missing, const std::vector<CheckSeries>& series,
                        const CampaignRecord& campaign, const RegressionFloor& floor) {
  for (const FloorLimit& limit : floor.limits)
    if (std::none_of(series.begin(), series.end(),
                     [&](const CheckSeries& each) {
                       return each.name.suite == limit.suite && each.name.metric == limit.metric;
                     }) &&
        std::any_of(campaign.cases.begin(), campaign.cases.end(),
                    [&](const CaseRecord& record) { return record.planned.suite == limit.suite; }))
      missing.push_back(
          {fmt::format("the floor of {} {}", limit.suite, limit.metric), "this check has no value of it"});
}

CheckLimits check_limits(const Regression& regression) {
  return {.effect = regression.alarm.effect,
          .false_alarms_per_year = regression.alarm.false_alarms_per_year,
          .checks_per_year = regression.checks_per_week * weeks_a_year,
          .repeats_at_most = static_cast<std::size_t>(regression.alarm.repeats),
          .has_floor = !regression.floor.relative_to.empty()};
}

Result<CheckState> check_state(const Workspace& workspace, const std::string& id,
                               const Regression& regression, const Layout& layout,
                               const std::vector<WantedRepeats>& asked) {
  auto outcome = judged_campaign(workspace, id, layout);
  if (!outcome) return failure_of(outcome);
  const auto database = Database::open_existing(workspace.database());
  if (!database) return failure_of(database);
  CheckState standing;
  auto runs = check_runs(outcome->campaign, regression, layout);
  if (!runs) return failure_of(runs);
  standing.left_out = std::move(runs->left_out);
  standing.campaign = std::move(outcome->campaign.record);
  auto history = check_history(workspace, *database, standing.campaign.system);
  if (!history) return failure_of(history);
  standing.history = *std::move(history);
  if (auto noted = note_changes(workspace, *database, standing); !noted) return failure_of(noted);
  std::erase_if(standing.history.log.checks, [&](const LoggedCheck& each) { return each.campaign == id; });
  standing.history.log.checks.push_back(
      {standing.history.system, id, standing.campaign.created_s, 3, {}, {}, standing.left_out});
  auto series = series_of_check(standing.history, id, regression.floor);
  add_missing_floors(runs->missing, series, standing.campaign, regression.floor);
  auto verdict = judged_check(std::move(series), std::move(runs->missing), check_limits(regression));
  if (!verdict) return failure_of(verdict);
  standing.verdict = *std::move(verdict);
  for (const LoggedChange& change : standing.history.log.changes)
    if (change.campaign == id)
      standing.verdict.notes.push_back(
          fmt::format("{} has changed since its last check; its series start again: {}", change.node,
                      joined(change.what, "; ")));
  for (const Disturbance& objection : runs->disturbed)
    standing.verdict.notes.push_back("disturbed: " + objection.sentence);
  standing.wanted = wanted_repeats(standing.verdict, standing.campaign, standing.history);
  const auto given_up = given_up_repeats(standing.wanted, asked, standing.campaign, regression.alarm);
  standing.verdict.missing.insert(standing.verdict.missing.end(), given_up.begin(), given_up.end());
  if (!given_up.empty()) conclude(standing.verdict, !regression.floor.relative_to.empty());
  return standing;
}

namespace {

/// A case of this check that measures the series.
const Case* case_of(const CampaignRecord& campaign, const CheckHistory& history, const SeriesName& name) {
  for (const MetricSeries& shape : history.series.series) {
    if (shape.suite != name.suite || shape.implementation != name.implementation ||
        shape.metric != name.metric || shape.parameters != name.parameters ||
        shape.node_kind != name.node_kind)
      continue;
    for (const SeriesPoint& point : shape.points) {
      const SeriesRun& run = history.series.runs[point.run];
      if (run.campaign != campaign.id || (shape.nodes == 1 && run.hosts != name.nodes)) continue;
      for (const CaseRecord& record : campaign.cases)
        if (record.planned.id == run.case_id) return &record.planned;
    }
  }
  return nullptr;
}

const CaseRecord* record_of(const CampaignRecord& campaign, const std::string& case_id) {
  const auto at =
      std::ranges::find(campaign.cases, case_id, [](const CaseRecord& record) { return record.planned.id; });
  return at == campaign.cases.end() ? nullptr : &*at;
}

}  // namespace

bool same_case(const Case& a, const Case& b) {
  return a.suite == b.suite && a.implementation == b.implementation && a.benchmark == b.benchmark &&
         a.hosts == b.hosts && a.nodes == b.nodes && a.parameters == b.parameters;
}

std::string why_missing(const CaseRecord& record) {
  if (!record.not_run.empty()) return "not run: " + record.not_run;
  if (record.attempts.empty()) return "not run";
  const AttemptRecord& last = record.attempts.back();
  if (!last.failure.empty()) return last.failure;
  for (const ResultRecord& result : last.results)
    for (const RuleResult& rule : result.rules)
      if (rule.severity == Severity::validity && rule.status == RuleStatus::fail)
        return fmt::format("its result is invalid by {}, which asks: “{}”", rule.id, rule.title);
  return "left no result";
}

std::vector<WantedRepeats> wanted_repeats(const CheckVerdict& verdict, const CampaignRecord& campaign,
                                          const CheckHistory& history) {
  std::vector<WantedRepeats> wanted;
  for (const JudgedSeries& each : verdict.series) {
    if (each.watched.repeats_wanted == 0) continue;
    const Case* of = case_of(campaign, history, each.series.name);
    if (of == nullptr) continue;
    wanted.push_back({each.series.name, of->id, static_cast<int>(each.watched.repeats_wanted),
                      each.series.checks.back().runs.size()});
  }
  return wanted;
}

std::vector<MissingSeries> given_up_repeats(std::vector<WantedRepeats>& wanted,
                                            const std::vector<WantedRepeats>& asked,
                                            const CampaignRecord& campaign, const RegressionAlarm& alarm) {
  std::vector<MissingSeries> given_up;
  std::erase_if(wanted, [&](const WantedRepeats& each) {
    const CaseRecord* of = record_of(campaign, each.case_id);
    if (of == nullptr) return true;
    int made = 0;
    const CaseRecord* last = of;
    for (const CaseRecord& record : campaign.cases)
      if (same_case(record.planned, of->planned)) {
        ++made;
        last = &record;
      }
    const auto before = std::ranges::find(asked, each.series, &WantedRepeats::series);
    const bool in_vain = before != asked.end() && each.runs <= before->runs;
    if (!in_vain && made - alarm.runs < alarm.repeats) return false;
    given_up.push_back(
        {series_text(each.series), fmt::format("its repeats failed, and the suspicion stays open: {}: {}",
                                               last->planned.id, why_missing(*last))});
    return true;
  });
  return given_up;
}

}  // namespace shakedown
