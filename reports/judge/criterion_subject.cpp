#include "reports/judge/criterion_subject.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "parsers/rules/conditions.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/references.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/reliability.hpp"
#include "reports/measure/screening.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// A result of a subject, with the case that it is of.
struct SubjectResult {
  const MeasuredCase* record = nullptr;
  CountedResult counted;
};

/// All results of a subject that count.
std::vector<SubjectResult> results_of(SubjectCases subject) {
  std::vector<SubjectResult> all;
  for (const MeasuredCase* record : subject)
    for (const CountedResult& counted : record->counted) all.push_back({record, counted});
  return all;
}

/// "attempt 2", with its case where the subject has several.
std::string name_of(SubjectCases subject, const MeasuredCase& record, const AttemptRecord& attempt) {
  return subject.size() == 1 ? fmt::format("attempt {}", attempt.index)
                             : fmt::format("{}, attempt {}", record.planned.id, attempt.index);
}

std::string failed_rules(const ResultRecord& result) {
  std::string text;
  for (const RuleResult& rule : result.rules)
    if (rule.severity == Severity::validity && rule.status == RuleStatus::fail)
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", rule.id,
                          rule.text.empty() ? rule.value : rule.text);
  return text.empty() ? "as the log states" : text;
}

/// Why a case has no result at all.
std::string no_result(SubjectCases subject, const MeasuredCase& record) {
  std::string why = record.not_run.empty()
                        ? ""
                        : (record.attempts.empty() ? "not run: " : "not run again: ") + record.not_run;
  if (record.attempts.empty()) return why.empty() ? "no attempt has ended yet" : why;
  const AttemptRecord& last = record.attempts.back();
  return fmt::format("{}{}{} {}{}", why, why.empty() ? "" : "; ", name_of(subject, record, last),
                     ending(last), last.failure.empty() ? ": it left no result" : "");
}

/// Takes the evidence from an attempt's log.
void prove(CriterionResult& judged, const MeasuredCase& record, const AttemptRecord& attempt) {
  const LogReference log = log_reference(record.planned, attempt);
  judged.evidence_path = log.path;
  judged.evidence_sha256 = log.sha256;
}

/// A case without a result of its own benchmark makes its criteria not-run: what else its log holds proves
/// nothing of it. True: the verdict is found.
bool incomplete(CriterionResult& judged, SubjectCases subject) {
  for (const MeasuredCase* record : subject) {
    if (!record->own.empty()) continue;
    judged.verdict = Verdict::not_run;
    judged.because = no_result(subject, *record);
    if (!record->attempts.empty()) prove(judged, *record, record->attempts.back());
    return true;
  }
  return false;
}

std::string why_unknown(const ResultRecord& result) {
  if (!result.parsed.reason.empty()) return result.parsed.reason;
  for (const RuleResult& rule : result.rules)
    if (leaves_open(result.parsed.suite, rule)) return fmt::format("{}: {}", rule.id, rule.text);
  return "its own check is missing";
}

/// An invalid result spoils every criterion, whatever else is missing; what a screening breaks by being short
/// does not. True: the verdict is found.
bool invalidated(CriterionResult& judged, const CampaignRecord& campaign, SubjectCases subject,
                 const std::vector<SubjectResult>& results) {
  for (const auto& [record, counted] : results) {
    if (counted.result->validity != Validity::invalid || valid_but_for_length(campaign, *counted.result))
      continue;
    judged.verdict = Verdict::invalid;
    judged.because = fmt::format("{} is invalid: {}", name_of(subject, *record, *counted.attempt),
                                 failed_rules(*counted.result));
    prove(judged, *record, *counted.attempt);
    return true;
  }
  return false;
}

/// So does a result whose validity is not known. True: the verdict is found.
bool unproven(CriterionResult& judged, const CampaignRecord& campaign, SubjectCases subject,
              const std::vector<SubjectResult>& results) {
  for (const auto& [record, counted] : results) {
    if (usable(*counted.result) || valid_but_for_length(campaign, *counted.result)) continue;
    judged.verdict = Verdict::undecided;
    judged.because = fmt::format("{}: whether the result is valid is not known ({})",
                                 name_of(subject, *record, *counted.attempt), why_unknown(*counted.result));
    prove(judged, *record, *counted.attempt);
    return true;
  }
  return false;
}

/// "1 run, and the criterion takes 2 at least"; empty: there are enough. An attempt is one run, however many
/// results its log holds.
std::string too_few(const Criterion& criterion, const std::vector<const AttemptRecord*>& attempts) {
  const std::set<const AttemptRecord*> distinct(attempts.begin(), attempts.end());
  const auto runs = static_cast<int>(distinct.size());
  if (runs >= criterion.fewest_runs()) return "";
  std::string text = fmt::format("{} run{}", runs, runs == 1 ? "" : "s");
  if (attempts.size() > distinct.size()) text += fmt::format(" with {} results", attempts.size());
  return fmt::format("{}, and the criterion takes {} at least", text, criterion.fewest_runs());
}

void judge_validity(CriterionResult& judged, const Criterion& criterion, const CampaignRecord& campaign,
                    const std::vector<SubjectResult>& results) {
  std::vector<const AttemptRecord*> attempts;
  attempts.reserve(results.size());
  for (const SubjectResult& each : results)
    if (each.counted.attempt->set_aside.empty()) attempts.push_back(each.counted.attempt);
  if (std::string few = too_few(criterion, attempts); !few.empty()) {
    judged.verdict = Verdict::undecided;
    judged.because = std::move(few);
    return;
  }
  const auto valid = std::count_if(results.begin(), results.end(), [](const SubjectResult& each) {
    return each.counted.result->validity == Validity::valid;
  });
  const auto only_short = std::count_if(results.begin(), results.end(), [&](const SubjectResult& each) {
    return valid_but_for_length(campaign, *each.counted.result);
  });
  if (valid + only_short < static_cast<std::ptrdiff_t>(results.size())) {
    judged.verdict = Verdict::undecided;
    judged.because = "no rules of validity are known for this suite";
    return;
  }
  judged.verdict = Verdict::pass;
  judged.because =
      results.size() == 1 ? "the result is valid" : fmt::format("all {} results are valid", results.size());
  judged.is_short = only_short > 0;
  if (judged.is_short) judged.because = correct_but_short(judged.suite);
}

/// The values of a metric over a subject's cases; `records`: the case of each point.
struct SubjectMeasurement {
  Measurement measurement;
  std::vector<const MeasuredCase*> records;
};

/// In the order in which the attempts were started; those of unknown start as they were given.
void sort_by_start(SubjectMeasurement& all) {
  const Measurement before = all.measurement;
  const std::vector<const MeasuredCase*> records = all.records;
  std::vector<size_t> order(before.points.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return before.attempts[i]->started_s; });
  for (size_t i = 0; i < order.size(); ++i) {
    all.measurement.points[i] = before.points[order[i]];
    all.measurement.attempts[i] = before.attempts[order[i]];
    all.records[i] = records[order[i]];
  }
}

SubjectMeasurement measured_together(const CriterionScene& scene, SubjectCases subject,
                                     std::string_view metric) {
  SubjectMeasurement all;
  for (const MeasuredCase* record : subject) {
    Measurement one = measured(scene.campaign, *record, metric, scene.comparability);
    Measurement& sum = all.measurement;
    if (sum.basis.empty()) sum.basis = one.basis;
    if (sum.missing.empty()) {
      sum.missing = one.missing;
      sum.remedy = one.remedy;
    }
    if (sum.withheld.empty()) sum.withheld = one.withheld;
    if (sum.unproven.empty()) sum.unproven = one.unproven;
    if (sum.doubt.empty()) sum.doubt = one.doubt;
    sum.doubtful = std::max(sum.doubtful, one.doubtful);
    sum.points.insert(sum.points.end(), one.points.begin(), one.points.end());
    sum.attempts.insert(sum.attempts.end(), one.attempts.begin(), one.attempts.end());
    sum.screens.insert(sum.screens.end(), one.screens.begin(), one.screens.end());
    all.records.insert(all.records.end(), one.points.size(), record);
  }
  sort_by_start(all);
  return all;
}

/// What disturbed the runs of a subject, and those of its reference; null: nothing.
struct SubjectDisturbance {
  const Disturbance* own = nullptr;
  const Disturbance* of_reference = nullptr;
};

SubjectDisturbance disturbance(SubjectCases subject, const Measurement& measurement,
                               const std::vector<Disturbance>& disturbances) {
  SubjectDisturbance found;
  for (const Disturbance& each : disturbances) {
    const bool is_own = std::ranges::any_of(
        subject, [&](const MeasuredCase* record) { return record->planned.id == each.case_id; });
    const bool is_reference =
        std::ranges::find(measurement.screens, each.case_id) != measurement.screens.end();
    if (is_own && found.own == nullptr) found.own = &each;
    if (is_reference && found.of_reference == nullptr) found.of_reference = &each;
  }
  return found;
}

/// Leaves a criterion undecided that was measured while something disturbed it or its reference. A ratio to a
/// disturbed reference is no number to read.
void make_undecided(CriterionResult& judged, const SubjectDisturbance& disturbed) {
  const Disturbance* reference = disturbed.of_reference;
  judged.verdict = Verdict::undecided;
  judged.remedy.clear();  // it is measured again first
  judged.disturbed = (disturbed.own != nullptr ? disturbed.own : reference)->sentence;
  const std::string own = disturbed.own == nullptr ? ""
                                                   : fmt::format("{} was disturbed {}", disturbed.own->run,
                                                                 disturbed_by(disturbed.own->cause));
  if (reference == nullptr) {
    judged.because += "; " + own;
    return;
  }
  const bool impossible =
      judged.measured && !impossible_ratio(judged.metric, judged.suite, *judged.measured).empty();
  judged.because = impossible ? fmt::format("{}; that reference was measured while it was disturbed {}",
                                            impossible_ratio(judged.metric, judged.suite, *judged.measured),
                                            disturbed_by(reference->cause))
                              : fmt::format("no ratio: its reference, {}, was disturbed {}", reference->run,
                                            disturbed_by(reference->cause));
  if (!own.empty()) judged.because += "; " + own;
  judged.withheld = true;
}

/// Compares a criterion's value with its limit.
void hold_against(CriterionResult& judged, const Criterion& criterion, const Measurement& measurement,
                  double limit) {
  const std::string& basis = measurement.basis;
  const double value = judged.measured.value_or(0);
  const ShownPair shown = shown_beside(criterion.metric, value, limit);
  const bool holds = criterion.direction == Direction::at_least ? value >= limit : value <= limit;
  judged.because = fmt::format("{} {} {} ({}{})", shown.value, relation(criterion.direction, holds),
                               shown.limit, judged.aggregate, basis.empty() ? "" : ", " + basis);
  judged.verdict = holds ? Verdict::pass : Verdict::fail;
  if (!holds && criterion.direction == Direction::at_least && !measurement.doubt.empty()) {
    if (value * measurement.doubtful < limit) {
      judged.because +=
          fmt::format("; even by a peak {:.0f} times lower it misses the limit", measurement.doubtful);
    } else {
      judged.verdict = Verdict::undecided;
      judged.because += "; " + measurement.doubt;
      judged.remedy =
          "to decide it: `shakedown inventory discover -o machine.toml`; in that file write the host's "
          "`cores` and `threads_per_core` under [groups.cpu]; then `shakedown run --inventory machine.toml`";
    }
  }
  if (const std::string impossible = impossible_ratio(criterion.metric, criterion.suite, value);
      !impossible.empty()) {
    judged.verdict = Verdict::undecided;
    judged.withheld = true;
    judged.because =
        fmt::format("{}: its reference was disturbed, or one of the two results is wrong", impossible);
  } else if (!measurement.unproven.empty()) {
    judged.verdict = Verdict::undecided;
    judged.withheld = true;
    judged.because = "no ratio: " + measurement.unproven;
  } else if (const std::string_view caution = caution_above_one(criterion.metric, criterion.suite, value);
             !caution.empty()) {
    judged.verdict = Verdict::not_comparable;
    judged.withheld = true;
    judged.because = fmt::format("no ratio: {}", caution);
  }
}

/// One value of each run, in their order: the worst of those in its log, so that several problems in one run
/// don't count as several runs, and its good one can't hide the others.
std::vector<double> worst_of_each_run(const Measurement& measurement, Direction direction) {
  std::vector<double> worst;
  std::map<const AttemptRecord*, size_t> places;
  for (size_t i = 0; i < measurement.points.size(); ++i) {
    const auto [it, is_new] = places.emplace(measurement.attempts[i], worst.size());
    if (is_new) worst.push_back(measurement.points[i]);
    double& value = worst[it->second];
    value = direction == Direction::at_most ? std::max(value, measurement.points[i])
                                            : std::min(value, measurement.points[i]);
  }
  return worst;
}

void judge_performance(CriterionResult& judged, const Criterion& criterion, const Measurement& measurement) {
  judged.points = measurement.points;
  judged.verdict = Verdict::undecided;
  const bool each_counts = criterion.aggregation.kind == Aggregation::Kind::every;
  const std::vector<double> values =
      each_counts ? measurement.points : worst_of_each_run(measurement, criterion.direction);
  const Aggregated found = aggregated(criterion.aggregation, values, criterion.direction);
  if (std::string few = too_few(criterion, measurement.attempts); !few.empty()) {
    judged.because = std::move(few);
    if (!found.lacking.empty()) judged.because += " (" + found.lacking + ")";
    return;
  }
  if (!found.value) {
    judged.because = found.lacking;
    return;
  }
  judged.measured = found.value;
  judged.aggregate = found.text;
  if (values.size() < measurement.points.size()) judged.aggregate += ", the worst of each run";
  if (criterion.limit) {
    hold_against(judged, criterion, measurement, *criterion.limit);
    return;
  }
  const std::string none = criterion.without_last_accepted.empty()
                               ? "no campaign of this system was accepted before this one began"
                               : criterion.without_last_accepted;
  judged.because = criterion.relative_kind() == ReferenceKind::last_accepted
                       ? none + ", so there is no limit"
                       : "the criterion states no limit";
}

/// The point that lies nearest to the criterion's value: that of the attempt to look at.
size_t nearest(const Measurement& measurement, double value) {
  size_t best = 0;
  for (size_t i = 1; i < measurement.points.size(); ++i)
    if (std::abs(measurement.points[i] - value) < std::abs(measurement.points[best] - value)) best = i;
  return best;
}

}  // namespace

CriterionResult unjudged(const Criterion& criterion) {
  CriterionResult result;
  result.id = criterion.id;
  result.title = criterion.title;
  result.suite = criterion.suite;
  result.metric = criterion.metric;
  result.severity = criterion.severity;
  result.unit = metric_unit(criterion.metric);
  result.limit = criterion.limit;
  result.direction = criterion.direction;
  result.limit_source = criterion.limit_source;
  result.limit_of = criterion.limit_of;
  result.aggregation = criterion.aggregation.kind;
  result.runs_min = criterion.fewest_runs();
  result.nodes_required = criterion.nodes_required;
  result.exclusions_max = criterion.exclusions_max;
  result.attempts_max = criterion.attempts_max;
  return result;
}

CriterionResult judged_subject(const Criterion& criterion, SubjectCases subject,
                               const CriterionScene& scene) {
  CriterionResult judged = unjudged(criterion);
  judged.case_id = subject.front()->planned.id;
  const auto results = results_of(subject);
  judged.n = static_cast<int>(results.size());
  if (invalidated(judged, scene.campaign.record, subject, results) || incomplete(judged, subject) ||
      unproven(judged, scene.campaign.record, subject, results))
    return judged;
  prove(judged, *results.back().record, *results.back().counted.attempt);
  if (criterion.metric == "validity") {
    judge_validity(judged, criterion, scene.campaign.record, results);
    return judged;
  }
  const auto [measurement, records] = measured_together(scene, subject, criterion.metric);
  judged.n = static_cast<int>(measurement.points.size());
  if (!measurement.missing.empty()) {
    judged.verdict = Verdict::not_comparable;
    judged.because = measurement.missing;
    judged.remedy = measurement.remedy;
    return judged;
  }
  if (!measurement.withheld.empty()) {
    judged.verdict = Verdict::undecided;
    judged.withheld = true;
    judged.n = static_cast<int>(results.size());
    judged.because = "no ratio: " + measurement.withheld;
    return judged;
  }
  const bool finite = std::all_of(measurement.points.begin(), measurement.points.end(),
                                  [](double point) { return std::isfinite(point); });
  size_t own = 0;
  for (const MeasuredCase* record : subject) own += record->own.size();
  if (measurement.points.empty() || measurement.points.size() < own || !finite) {
    judged.verdict = Verdict::undecided;
    judged.because = fmt::format("{} of {} results state no {}", results.size() - measurement.points.size(),
                                 results.size(), criterion.metric);
    if (!finite) judged.because = fmt::format("a result's {} is not a finite number", criterion.metric);
    return judged;
  }
  judge_performance(judged, criterion, measurement);
  const size_t shown = nearest(measurement, judged.measured.value_or(median(measurement.points)));
  prove(judged, *records[shown], *measurement.attempts[shown]);
  judged.references = references(criterion, subject, scene, judged.measured);
  const SubjectDisturbance found = disturbance(subject, measurement, scene.disturbances);
  // A ratio to a disturbed reference is withheld, also where it is above 100 %.
  const bool may_change = judged.verdict == Verdict::not_comparable && found.of_reference != nullptr;
  apply_reference(judged);
  if (!judged.measured || (judged.verdict == Verdict::not_comparable && !may_change)) return judged;
  if (found.own != nullptr || found.of_reference != nullptr) make_undecided(judged, found);
  return judged;
}

}  // namespace shakedown
