#include "reports/clause.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "reports/display.hpp"
#include "reports/measurement.hpp"
#include "reports/screening.hpp"
#include "reports/statistics.hpp"

namespace shakedown {
namespace {

CriterionResult blank(const Criterion& clause) {
  CriterionResult result;
  result.id = clause.id;
  result.title = clause.title;
  result.suite = clause.suite;
  result.metric = clause.metric;
  result.severity = clause.severity;
  result.unit = metric_unit(clause.metric);
  result.limit = clause.limit;
  result.direction = clause.direction;
  result.limit_source = clause.limit_source;
  return result;
}

std::string failed_rules(const ResultRecord& result) {
  std::string text;
  for (const RuleResult& rule : result.rules)
    if (rule.severity == Severity::validity && rule.status == RuleStatus::fail)
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", rule.id,
                          rule.text.empty() ? rule.value : rule.text);
  return text.empty() ? "the log says so" : text;
}

/// Why a case has no result at all.
std::string no_result(const CaseRecord& record) {
  if (record.attempts.empty()) return "the case was not started";
  const AttemptRecord& last = record.attempts.back();
  const std::string why = last.failure.empty() ? "it left no result" : last.failure;
  return fmt::format("attempt {} {}: {}", last.index, to_string(last.state), why);
}

/// Takes the evidence from an attempt's log.
void prove(CriterionResult& judged, const CaseRecord& record, const AttemptRecord& attempt) {
  const LogReference log = log_reference(record, attempt);
  judged.evidence_path = log.path;
  judged.evidence_sha256 = log.sha256;
}

/// Not-run, invalid and unknown results, which spoil every clause; what a screening breaks by being short
/// does not. True: the verdict is found.
bool spoiled(CriterionResult& judged, const CampaignRecord& campaign, const CaseRecord& record,
             const std::vector<CountedResult>& results) {
  if (results.empty()) {
    judged.verdict = Verdict::not_run;
    judged.because = no_result(record);
    if (!record.attempts.empty()) prove(judged, record, record.attempts.back());
    return true;
  }
  for (const CountedResult& counted : results) {
    if (counted.result->validity != Validity::invalid || valid_but_for_length(campaign, *counted.result))
      continue;
    judged.verdict = Verdict::invalid;
    judged.because =
        fmt::format("attempt {} is invalid: {}", counted.attempt->index, failed_rules(*counted.result));
    prove(judged, record, *counted.attempt);
    return true;
  }
  for (const CountedResult& counted : results) {
    if (usable(*counted.result) || valid_but_for_length(campaign, *counted.result)) continue;
    const std::string& reason = counted.result->parsed.reason;
    judged.verdict = Verdict::undecided;
    judged.because =
        fmt::format("attempt {}: whether the result is valid is not known ({})", counted.attempt->index,
                    reason.empty() ? "its own check is missing" : reason);
    prove(judged, record, *counted.attempt);
    return true;
  }
  return false;
}

void judge_validity(CriterionResult& judged, const CampaignRecord& campaign,
                    const std::vector<CountedResult>& results) {
  const auto valid = std::count_if(results.begin(), results.end(), [](const CountedResult& counted) {
    return counted.result->validity == Validity::valid;
  });
  const auto only_short = std::count_if(results.begin(), results.end(), [&](const CountedResult& counted) {
    return valid_but_for_length(campaign, *counted.result);
  });
  if (valid + only_short < static_cast<std::ptrdiff_t>(results.size())) {
    judged.verdict = Verdict::undecided;
    judged.because = "no rules of validity are known for this suite";
    return;
  }
  judged.verdict = Verdict::pass;
  judged.because =
      results.size() == 1 ? "the result is valid" : fmt::format("all {} results are valid", results.size());
  if (only_short > 0) judged.because += fmt::format(" but for its length: {}", not_list_eligible);
}

/// The first objection to a case, or to a screen that it is measured against; empty: there is none.
std::string disturbance(const std::string& case_id, const Measurement& measurement,
                        const std::vector<IdleObjection>& objections) {
  const auto concerned = [&](const IdleObjection& objection) {
    return objection.case_id == case_id || std::find(measurement.screens.begin(), measurement.screens.end(),
                                                     objection.case_id) != measurement.screens.end();
  };
  const auto found = std::find_if(objections.begin(), objections.end(), concerned);
  return found == objections.end() ? "" : found->sentence;
}

void judge_performance(CriterionResult& judged, const Criterion& clause, const Measurement& measurement,
                       const std::vector<IdleObjection>& idle_objections) {
  if (!clause.limit) {
    judged.verdict = Verdict::undecided;
    judged.because = "the clause states no limit";
    return;
  }
  const double limit = *clause.limit;
  const double middle = median(measurement.points);
  judged.points = measurement.points;
  judged.measured = middle;
  const ShownPair shown = shown_beside(clause.metric, middle, limit);
  const bool holds = clause.direction == ">=" ? middle >= limit : middle <= limit;
  const std::string_view relation = clause.direction == ">=" ? (holds ? "≥" : "<") : (holds ? "≤" : ">");
  const std::string basis = measurement.basis.empty() ? "" : ", " + measurement.basis;
  const std::string count =
      judged.n == 1 ? "one result" : fmt::format("{} of {} results", clause.aggregation, judged.n);
  judged.because = fmt::format("{} {} {} ({}{})", shown.value, relation, shown.limit, count, basis);
  judged.verdict = holds ? Verdict::pass : Verdict::fail;
  // HPL consists of matrix products. What beats them by more than their own repetitions may differ (5 %, as
  // rule GEMM-03 has it) is a wrong log or a disturbed screen, and no efficiency.
  if (clause.metric == "efficiency_gemm" && middle > 1.05) {
    judged.verdict = Verdict::undecided;
    judged.because += ", but a program is not faster than the matrix products that it consists of";
  }
  judged.disturbed = disturbance(judged.case_id, measurement, idle_objections);
  if (judged.disturbed.empty()) return;
  judged.verdict = Verdict::undecided;
  judged.because += ", but " + std::string(not_idle);
}

/// The attempt whose point lies nearest to the median: the one to look at.
const AttemptRecord* nearest(const Measurement& measurement) {
  const double middle = median(measurement.points);
  size_t best = 0;
  for (size_t i = 1; i < measurement.points.size(); ++i)
    if (std::abs(measurement.points[i] - middle) < std::abs(measurement.points[best] - middle)) best = i;
  return measurement.attempts[best];
}

CriterionResult judged_case(const Criterion& clause, const CampaignRecord& campaign, const CaseRecord& record,
                            const Comparability& comparability,
                            const std::vector<IdleObjection>& idle_objections) {
  CriterionResult judged = blank(clause);
  judged.case_id = record.planned.id;
  const auto results = counted_results(record);
  judged.n = static_cast<int>(results.size());
  if (spoiled(judged, campaign, record, results)) return judged;
  prove(judged, record, *results.back().attempt);
  if (clause.metric == "validity") {
    judge_validity(judged, campaign, results);
    return judged;
  }
  const Measurement measurement = measured(campaign, record, clause.metric, comparability);
  judged.n = static_cast<int>(measurement.points.size());
  if (!measurement.missing.empty()) {
    judged.verdict = Verdict::not_comparable;
    judged.severity = clause.severity_without_reference;
    judged.because = measurement.missing;
    return judged;
  }
  const bool finite = std::all_of(measurement.points.begin(), measurement.points.end(),
                                  [](double point) { return std::isfinite(point); });
  const size_t own = own_results(record).size();
  if (measurement.points.empty() || measurement.points.size() < own || !finite) {
    judged.verdict = Verdict::undecided;
    judged.because = fmt::format("{} of {} results state no {}", results.size() - measurement.points.size(),
                                 results.size(), clause.metric);
    if (!finite) judged.because = fmt::format("a result's {} is not a finite number", clause.metric);
    return judged;
  }
  prove(judged, record, *nearest(measurement));
  judge_performance(judged, clause, measurement, idle_objections);
  return judged;
}

}  // namespace

std::vector<CriterionResult> judged_clause(const Criterion& clause, const CampaignRecord& campaign,
                                           const Comparability& comparability,
                                           const std::vector<IdleObjection>& idle_objections) {
  std::vector<CriterionResult> judged;
  for (const CaseRecord& record : campaign.cases)
    if (record.planned.suite == clause.suite)
      judged.push_back(judged_case(clause, campaign, record, comparability, idle_objections));
  if (judged.empty()) {
    judged.push_back(blank(clause));
    judged.back().because = fmt::format("the campaign has no case of {}", suite_title(clause.suite));
  }
  if (judged.size() > 1)
    for (CriterionResult& result : judged) result.id += "@" + result.case_id;
  return judged;
}

}  // namespace shakedown
