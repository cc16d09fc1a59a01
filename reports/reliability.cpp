#include "reports/reliability.hpp"

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "reports/attempts_needed.hpp"
#include "reports/clause_cases.hpp"
#include "reports/display.hpp"
#include "reports/measurement.hpp"
#include "reports/screening.hpp"

namespace shakedown {
namespace {

void count(ReliabilityRow& row, const CampaignRecord& campaign, const CaseRecord& record) {
  for (const AttemptRecord& attempt : record.attempts) {
    if (attempt.state == AttemptState::running || never_began(attempt)) continue;
    ++row.started;
    if (succeeded(campaign, record, attempt)) {
      ++row.succeeded;
      continue;
    }
    const bool by_hand = stopped_by_hand(attempt);
    ++(by_hand ? row.stopped : row.failed);
    row.unsuccessful.push_back({record.planned.id, attempt.index, by_hand, ending(attempt)});
  }
}

/// The row with its rate; `started` above 0.
ReliabilityRow with_rate(ReliabilityRow row) {
  if (const auto rate =
          wilson_interval(static_cast<std::size_t>(row.succeeded), static_cast<std::size_t>(row.started)))
    row.rate = *rate;
  return row;
}

/// "11 of 12 attempts succeeded; 1 stopped by hand: hpl-98n attempt 2 interrupted: ...".
std::string counted_text(const ReliabilityRow& row) {
  static constexpr std::size_t most = 4;
  std::string text =
      fmt::format("{} of {} attempt{} succeeded", row.succeeded, row.started, row.started == 1 ? "" : "s");
  for (const bool by_hand : {false, true}) {
    const int there = by_hand ? row.stopped : row.failed;
    if (there == 0) continue;
    text += fmt::format("; {} {}: ", there, by_hand ? "stopped by hand" : "failed");
    std::size_t said = 0;
    for (const UnsuccessfulAttempt& each : row.unsuccessful) {
      if (each.by_hand != by_hand || said == most) continue;
      text +=
          fmt::format("{}{}, attempt {} {}", said == 0 ? "" : ", ", each.case_id, each.index, each.ending);
      ++said;
    }
    if (static_cast<std::size_t>(there) > said)
      text += fmt::format(" and {} more", there - static_cast<int>(said));
  }
  return text;
}

}  // namespace

std::string reliability_text(const ReliabilityRow& row) {
  const std::string counted = counted_text(row);
  const std::size_t end = std::min(counted.find(';'), counted.size());
  return fmt::format("{} ({}, 95 % interval {} to {}){}", counted.substr(0, end), percent_text(row.rate.rate),
                     percent_text(row.rate.low), percent_text(row.rate.high), counted.substr(end));
}

bool succeeded(const CampaignRecord& campaign, const CaseRecord& record, const AttemptRecord& attempt) {
  if (!ended_by_itself(attempt) || attempt.exit_code.value_or(0) != 0 || attempt.signal) return false;
  if (record.planned.parser.empty()) return true;
  bool any = false;
  for (const CountedResult& counted : counted_results(record)) {
    if (counted.attempt != &attempt) continue;
    if (!usable(*counted.result) && !valid_but_for_length(campaign, *counted.result)) return false;
    any = true;
  }
  return any;
}

std::vector<ReliabilityRow> reliability(const CampaignRecord& campaign) {
  std::vector<ReliabilityRow> rows(1);
  rows.front().suite = whole_campaign;
  for (const CaseRecord& record : campaign.cases) {
    count(rows.front(), campaign, record);
    auto own = std::ranges::find(rows, record.planned.suite, &ReliabilityRow::suite);
    if (own == rows.end()) {
      rows.emplace_back().suite = record.planned.suite;
      own = std::prev(rows.end());
    }
    count(*own, campaign, record);
  }
  std::erase_if(rows, [](const ReliabilityRow& row) { return row.started == 0; });
  std::ranges::transform(rows, rows.begin(), with_rate);
  return rows;
}

namespace {

/// By the attempts alone, whatever was excluded.
CriterionResult judged_attempts(const Criterion& clause, const ClauseScene& scene) {
  CriterionResult judged = unjudged(clause);
  ReliabilityRow row;
  for (const CaseRecord& record : scene.campaign.cases)
    if ((clause.suite == whole_campaign || record.planned.suite == clause.suite) &&
        speaks_of(clause, record, scene.stand_ins))
      count(row, scene.campaign, record);
  judged.n = row.started;
  if (row.started == 0) {
    judged.because = fmt::format("no attempt of {} was started",
                                 clause.suite == whole_campaign ? "the campaign" : spoken_of(clause));
    return judged;
  }
  const bool limited = clause.aggregation.kind == "lower_confidence";
  const double confidence =
      limited ? 2 * clause.aggregation.confidence - 1 : 0.95;  // one side of an interval
  const auto rate = wilson_interval(static_cast<std::size_t>(row.succeeded),
                                    static_cast<std::size_t>(row.started), confidence);
  judged.verdict = Verdict::undecided;
  if (judged.n < clause.runs_min.value_or(1) || !rate || !clause.limit) {
    judged.because = !rate          ? rate.error().what
                     : clause.limit ? fmt::format("{}, and the clause takes {} at least", counted_text(row),
                                                  clause.runs_min.value_or(1))
                                    : "the clause states no limit";
    return judged;
  }
  const bool wants_more = clause.direction == ">=";
  judged.measured = !limited ? rate->rate : wants_more ? rate->low : rate->high;
  judged.aggregate = limited ? fmt::format("{} {} limit by Wilson's interval", wants_more ? "lower" : "upper",
                                           confidence_text(clause.aggregation.confidence))
                             : "rate";
  const double figure = judged.measured.value_or(0);
  const ShownPair shown = shown_beside(clause.metric, figure, *clause.limit);
  const bool holds = wants_more ? figure >= *clause.limit : figure <= *clause.limit;
  judged.verdict = holds ? Verdict::pass : Verdict::fail;
  judged.because = fmt::format("{} {} {} ({}{})", shown.value, relation(clause.direction, holds), shown.limit,
                               limited ? judged.aggregate + ", " : "", counted_text(row));
  return judged;
}

}  // namespace

CriterionResult judged_reliability(const Criterion& clause, const ClauseScene& scene) {
  CriterionResult judged = judged_attempts(clause, scene);
  demand_few_exclusions(judged, clause, scene.campaign);
  return judged;
}

}  // namespace shakedown
