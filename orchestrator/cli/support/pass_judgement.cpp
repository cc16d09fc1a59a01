#include "orchestrator/cli/support/pass_judgement.hpp"

#include <algorithm>

#include "orchestrator/campaign/node_changes.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/measurement.hpp"
#include "reports/screening.hpp"

namespace shakedown {
namespace {

constexpr double weeks_a_year = 52;

bool is_value(const CampaignRecord& campaign, const ResultRecord& result) {
  return usable(result) || valid_but_for_length(campaign, result);
}

/// Runs that are no values, and cases without any.
void put_gaps(PassStanding& standing, std::vector<MissingSeries>& missing) {
  const CampaignRecord& campaign = standing.campaign;
  std::vector<const CaseRecord*> measured;
  std::vector<const CaseRecord*> without;
  for (const CaseRecord& record : campaign.cases) {
    bool any = false;
    for (const AttemptRecord& attempt : record.attempts) {
      const bool good = std::any_of(attempt.results.begin(), attempt.results.end(),
                                    [&](const ResultRecord& result) { return is_value(campaign, result); });
      if (!good) standing.left_out.push_back(fmt::format("{}/attempt-{}", record.planned.id, attempt.index));
      any = any || good;
    }
    (any ? measured : without).push_back(&record);
  }
  std::vector<const CaseRecord*> told;
  for (const CaseRecord* record : without) {
    const auto is_same = [&](const CaseRecord* other) { return same_case(other->planned, record->planned); };
    if (std::any_of(measured.begin(), measured.end(), is_same) ||
        std::any_of(told.begin(), told.end(), is_same))
      continue;
    missing.push_back({record->planned.id, why_missing(*record)});
    told.push_back(record);
  }
}

/// Notes nodes that are other ones than in the last pass that saw them.
Result<void> note_changes(const Workspace& workspace, const Database& database, PassStanding& standing) {
  const PassHistory& history = standing.history;
  const std::string& id = standing.campaign.id;
  std::set<std::string> open = nodes_of(history, id);
  for (const LoggedChange& change : history.log.changes)
    if (change.campaign == id) open.erase(change.node);
  for (auto pass = history.passes.rbegin(); pass != history.passes.rend() && !open.empty(); ++pass) {
    if (pass->created_s >= standing.campaign.created_s) continue;
    std::vector<std::string> here;
    for (const std::string& node : nodes_of(history, pass->id))
      if (open.erase(node) > 0) here.push_back(node);
    if (here.empty()) continue;
    const auto before = database.campaign(pass->id);
    if (!before) return pass_on(before);
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

std::vector<std::pair<std::string, std::string>> labels_of(const PassStanding& standing,
                                                           const JudgedSeries& each) {
  const SeriesName& name = each.series.name;
  return {{"system", standing.history.system},
          {"suite", name.suite},
          {"implementation", name.implementation},
          {"metric", name.metric},
          {"nodes", name.nodes},
          {"parameters", name.parameters}};
}

}  // namespace

Result<PassStanding> pass_standing(const Workspace& workspace, const std::string& id,
                                   const Regression& regression, const Layout& layout,
                                   const std::vector<WantedRepeats>& asked) {
  auto outcome = judged_campaign(workspace, id, layout);
  if (!outcome) return pass_on(outcome);
  const auto database = Database::open_existing(workspace.database());
  if (!database) return pass_on(database);
  PassStanding standing;
  standing.campaign = std::move(outcome->campaign);
  auto history = pass_history(workspace, *database, standing.campaign.system);
  if (!history) return pass_on(history);
  standing.history = *std::move(history);
  if (auto noted = note_changes(workspace, *database, standing); !noted) return pass_on(noted);
  std::vector<MissingSeries> missing;
  for (const Refusal& refusal : standing.campaign.refused)
    missing.push_back({refusal.suite + (refusal.benchmark.empty() ? "" : " " + refusal.benchmark),
                       fmt::format("{} ({})", refusal.because, refusal.rule)});
  put_gaps(standing, missing);
  std::erase_if(standing.history.log.passes, [&](const LoggedPass& pass) { return pass.campaign == id; });
  standing.history.log.passes.push_back(
      {standing.history.system, id, standing.campaign.created_s, 3, {}, {}, standing.left_out});
  auto series = series_of_pass(standing.history, id, regression.floor);
  for (const FloorLimit& limit : regression.floor.limits)
    if (std::none_of(series.begin(), series.end(),
                     [&](const PassSeries& each) {
                       return each.name.suite == limit.suite && each.name.metric == limit.metric;
                     }) &&
        std::any_of(standing.campaign.cases.begin(), standing.campaign.cases.end(),
                    [&](const CaseRecord& record) { return record.planned.suite == limit.suite; }))
      missing.push_back(
          {fmt::format("the floor of {} {}", limit.suite, limit.metric), "this pass has no value of it"});
  auto verdict = judged_pass(std::move(series), std::move(missing),
                             {.effect = regression.alarm.effect,
                              .false_alarms_per_year = regression.alarm.false_alarms_per_year,
                              .passes_per_year = regression.passes_per_week * weeks_a_year,
                              .repeats_at_most = static_cast<std::size_t>(regression.alarm.repeats),
                              .has_floor = !regression.floor.relative_to.empty()});
  if (!verdict) return pass_on(verdict);
  standing.verdict = *std::move(verdict);
  for (const LoggedChange& change : standing.history.log.changes)
    if (change.campaign == id)
      standing.verdict.notes.push_back(
          fmt::format("{} is another machine since its last pass, and its series begin anew: {}", change.node,
                      joined(change.what, "; ")));
  for (const IdleObjection& objection : outcome->judgement.idle_objections)
    standing.verdict.notes.push_back("not idle: " + objection.sentence);
  standing.wanted = wanted_repeats(standing.verdict, standing.campaign, standing.history);
  const auto given_up = given_up_repeats(standing.wanted, asked, standing.campaign, regression.alarm);
  standing.verdict.missing.insert(standing.verdict.missing.end(), given_up.begin(), given_up.end());
  if (!given_up.empty()) conclude(standing.verdict, !regression.floor.relative_to.empty());
  return standing;
}

std::vector<MetricFamily> pass_metrics(const PassStanding& standing, const PassLog::Skipped& skipped) {
  const std::string& system = standing.history.system;
  const PassVerdict& verdict = standing.verdict;
  const auto gauge = [&](const char* name, const char* help, double value) {
    return MetricFamily{name, help, false, {{{{"system", system}}, value}}};
  };
  std::vector<MetricFamily> all = {
      gauge("shakedown_pass_start_timestamp_seconds", "When the last pass began.",
            standing.campaign.created_s),
      gauge("shakedown_pass_duration_seconds", "How long it took.",
            std::max(0.0, standing.campaign.finished_s - standing.campaign.created_s)),
      gauge("shakedown_pass_exit_code", "0 no alarm, 1 alarm or below a floor, 3 undecided.",
            verdict.exit_code),
      gauge("shakedown_pass_success", "1: no alarm, and above all floors.", verdict.exit_code == 0 ? 1 : 0)};
  double passes = 0;
  for (const LoggedPass& pass : standing.history.log.passes) passes += pass.system == system ? 1 : 0;
  all.push_back(
      {"shakedown_passes_total", "Passes that came to a verdict.", true, {{{{"system", system}}, passes}}});
  all.push_back({"shakedown_passes_skipped_total",
                 "Passes that were not made, for another one or a busy system.",
                 true,
                 {{{{"system", system}}, static_cast<double>(skipped.all)}}});
  MetricFamily alarm{"shakedown_series_alarm", "1: a loss that is sure and large enough.", false, {}};
  MetricFamily below{"shakedown_series_below_floor", "1: beyond what the contract demands.", false, {}};
  MetricFamily learning{"shakedown_series_learning", "1: too few passes for an alarm.", false, {}};
  MetricFamily loss{
      "shakedown_series_loss_ratio", "Loss against the control region; below 0: a gain.", false, {}};
  for (const JudgedSeries& each : verdict.series) {
    const auto labels = labels_of(standing, each);
    alarm.samples.push_back({labels, each.alarm() ? 1.0 : 0.0});
    if (each.series.floor) below.samples.push_back({labels, each.watched.below_floor ? 1.0 : 0.0});
    learning.samples.push_back({labels, each.learning() ? 1.0 : 0.0});
    if (each.watched.expected > 0) loss.samples.push_back({labels, each.watched.loss});
    const BaseUnit unit = base_unit(each.series.name.metric);
    auto family = std::find_if(all.begin(), all.end(),
                               [&](const MetricFamily& known) { return known.name == unit.name; });
    if (family == all.end()) {
      all.push_back({unit.name, "The last pass's value.", false, {}});
      family = std::prev(all.end());
    }
    family->samples.push_back({labels, each.value * unit.factor});
  }
  for (MetricFamily* each : {&alarm, &below, &learning, &loss}) all.push_back(std::move(*each));
  return all;
}

}  // namespace shakedown
