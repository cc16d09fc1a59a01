#include "reports/judge/judgement.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "reports/compare/comparison.hpp"
#include "reports/compare/orientation.hpp"
#include "reports/judge/alarms.hpp"
#include "reports/judge/circumstances.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/criterion_subject.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/judged_criterion.hpp"
#include "reports/judge/overall.hpp"
#include "reports/judge/tally.hpp"
#include "reports/judge/withheld.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

/// Whether a campaign was to measure a suite: what was refused is missing all the same.
bool asked_for(const CampaignRecord& campaign, std::string_view suite) {
  return std::any_of(campaign.cases.begin(), campaign.cases.end(),
                     [&](const CaseRecord& record) { return record.planned.suite == suite; }) ||
         std::any_of(campaign.refused.begin(), campaign.refused.end(),
                     [&](const Refusal& refusal) { return refusal.suite == suite; });
}

/// Whether a criterion on the best k of n was, with its k and n, in the criteria that the campaign began
/// with: chosen later, they would be chosen by what the runs gave. Logs made elsewhere are there before any
/// criteria.
bool fixed_before(const Criterion& criterion, const CriteriaRevision& revision,
                  const CampaignRecord& campaign) {
  if (criterion.aggregation.kind != Aggregation::Kind::best_of) return true;
  if (is_external(campaign)) return false;
  if (revision.number == 1) return true;
  const auto first = read_criteria(campaign.criteria_text, campaign.criteria_name);
  return first && std::ranges::any_of(first->criteria, [&](const Criterion& each) {
           return each.id == criterion.id && each.aggregation.kind == Aggregation::Kind::best_of &&
                  each.aggregation.k == criterion.aggregation.k &&
                  each.aggregation.n == criterion.aggregation.n;
         });
}

void keep_open(CriterionResult& result, const Criterion& criterion, const CampaignRecord& campaign) {
  result.verdict = Verdict::undecided;
  result.disturbed.clear();
  result.because = fmt::format("k = {} and n = {} were not fixed before the first run, but {}{}{}",
                               criterion.aggregation.k, criterion.aggregation.n,
                               is_external(campaign) ? "with the logs at hand" : "by a revision",
                               result.because.empty() ? "" : "; ", result.because);
}

/// Adds its id to what a criterion covers where another one reads like it.
void distinguish(std::vector<CriterionResult>& criteria) {
  std::map<std::string, int> alike;
  for (const CriterionResult& each : criteria) ++alike[each.full_title()];
  for (CriterionResult& each : criteria)
    if (alike[each.full_title()] > 1) each.covers += (each.covers.empty() ? "" : ", ") + each.id;
}

/// Puts what belongs to suites in the one order of reports; within a suite their order stays.
template <typename Each>
void put_in_order(std::vector<Each>& all) {
  std::ranges::stable_sort(all, {}, [](const Each& each) { return reported_place(each.suite); });
}

/// Judges a campaign's criteria by the given criteria alone. What is disturbed by them is set aside in
/// `measured`. `named`: the sentence names the revision.
Result<Judgement> judged_by(const CriteriaRevision& revision, Criteria criteria,
                            const MeasuredCampaign& measured, const Comparability& table,
                            bool named = false) {
  const CampaignRecord& campaign = measured.record;
  Judgement judgement;
  judgement.disturbances = disturbances(measured, criteria);
  judgement.set_aside = set_aside(measured, criteria);
  std::erase_if(judgement.disturbances, [&](const Disturbance& each) {
    return std::ranges::any_of(judgement.set_aside, [&](const Disturbance& aside) {
      return aside.case_id == each.case_id && aside.attempt == each.attempt;
    });
  });
  for (const Criterion& criterion : criteria.criteria) {
    if (criterion.if_planned && !asked_for(campaign, criterion.suite)) {
      judgement.left_out.push_back(unjudged(criterion));
      continue;
    }
    for (CriterionResult& result : judged_criterion(criterion, measured, table, judgement.disturbances)) {
      const bool was_judged = result.verdict == Verdict::pass || result.verdict == Verdict::fail;
      if (was_judged && !fixed_before(criterion, revision, campaign)) keep_open(result, criterion, campaign);
      judgement.criteria.push_back(std::move(result));
    }
  }
  put_in_order(judgement.criteria);
  put_in_order(judgement.left_out);
  distinguish(judgement.criteria);
  apply_waivers(judgement, criteria.waivers,
                std::max({campaign.created_s, campaign.finished_s, revision.at_s}));
  judgement.weaknesses = weaknesses(judgement, criteria, measured, table);
  decide(judgement, campaign, named ? &revision : nullptr);
  return judgement;
}

Result<Criteria> criteria_of(const CriteriaRevision& revision) {
  if (revision.text.empty()) return Criteria();
  return read_criteria(revision.text, revision.name.empty() ? "criteria" : revision.name);
}

/// The verdict by every revision of the criteria, oldest first.
Result<std::vector<RevisionVerdict>> by_revision(const MeasuredCampaign& measured,
                                                 const Comparability& table) {
  const CampaignRecord& campaign = measured.record;
  std::vector<CriteriaRevision> all = {
      {1, campaign.criteria_name, campaign.criteria_text, "", campaign.created_s}};
  all.insert(all.end(), campaign.criteria_revisions.begin(), campaign.criteria_revisions.end());
  std::vector<RevisionVerdict> verdicts;
  for (CriteriaRevision& revision : all) {
    auto criteria = criteria_of(revision);
    if (!criteria) return failure_of(criteria);
    // Its limits of disturbance may be others: then other attempts count.
    const MeasuredCampaign by_its_limits = without_disturbed(campaign, *criteria, table);
    auto judgement = judged_by(revision, *std::move(criteria), by_its_limits, table);
    if (!judgement) return failure_of(judgement);
    verdicts.push_back(
        {std::move(revision), judgement->overall, std::move(judgement->sentence), judgement->exit_code});
  }
  return verdicts;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  static constexpr std::array<std::string_view, 6> words = {"pass",    "fail",           "invalid",
                                                            "not-run", "not-comparable", "undecided"};
  return words.at(static_cast<size_t>(verdict));
}

Result<Judgement> judge(const MeasuredCampaign& campaign, const Baseline* baseline,
                        std::string_view comparability, const NodePast& past) {
  const auto table = read_comparability(comparability, "comparability.toml");
  if (!table) return failure_of(table);
  auto criteria = criteria_of(judging_criteria(campaign.record));
  if (!criteria) return failure_of(criteria);
  Criteria limits;
  limits.steal = criteria->steal;
  limits.load = criteria->load;
  auto judgement = judged_by(judging_criteria(campaign.record), *std::move(criteria), campaign, *table,
                             /*named=*/true);
  if (!judgement) return judgement;
  if (!campaign.record.criteria_revisions.empty()) {
    auto revisions = by_revision(campaign, *table);
    if (!revisions) return failure_of(revisions);
    judgement->revisions = std::move(*revisions);
  }
  judgement->suite_results = suite_results(campaign, *table);
  put_in_order(judgement->suite_results);
  if (baseline != nullptr) {
    judgement->comparisons = comparisons(campaign, *baseline, *table);
    judgement->orientation = orientation(campaign, *baseline, *table, judgement->comparisons);
    mark_published_logs(campaign.record, judgement->comparisons);
  }
  withhold_ratios(*judgement);
  judgement->reliability = reliability(campaign);
  put_in_order(judgement->reliability);
  judgement->node_screens = node_screens(campaign, past);
  put_in_order(judgement->node_screens);
  judgement->deviations = slow_node_sentences(judgement->node_screens);
  std::ranges::move(deviations(campaign), std::back_inserter(judgement->deviations));
  std::ranges::move(set_aside_sentences(judgement->set_aside), std::back_inserter(judgement->deviations));
  judgement->tally = tally(campaign, *judgement);
  judgement->alarms = alarms(campaign, *judgement, limits);
  return judgement;
}

}  // namespace shakedown
