#include "reports/judgement.hpp"

#include <algorithm>
#include <array>

#include "reports/clause.hpp"
#include "reports/comparison.hpp"
#include "reports/criteria.hpp"
#include "reports/deviations.hpp"
#include "reports/idle.hpp"
#include "reports/orientation.hpp"

namespace shakedown {
namespace {

/// How an overall verdict is said of each kind of campaign.
struct Wording {
  std::string_view passed;
  std::string_view failed;
  std::string_view undecided;
};

Wording wording(std::string_view kind) {
  if (kind == "acceptance") return {"accepted", "not accepted", "acceptance undecided"};
  if (kind == "external")
    return {"the logs meet the criteria", "the logs do not meet the criteria", "logs undecided"};
  return {"screening passed", "screening failed", "screening undecided"};
}

/// "hpl-efficiency: 61.0 % < 70.5 % (one result)"; clauses with one reason share it, and three reasons are
/// said.
std::string listed(const std::vector<const CriterionResult*>& results) {
  static constexpr size_t shown = 3;
  std::vector<std::pair<std::string, std::string>> reasons;  // ids, because
  for (const CriterionResult* result : results) {
    const auto same = std::find_if(reasons.begin(), reasons.end(),
                                   [&](const auto& reason) { return reason.second == result->because; });
    if (same == reasons.end())
      reasons.emplace_back(result->id, result->because);
    else
      same->first += ", " + result->id;
  }
  std::string text;
  for (size_t i = 0; i < std::min(shown, reasons.size()); ++i)
    text += fmt::format("{}{}: {}", i == 0 ? "" : "; ", reasons[i].first, reasons[i].second);
  if (reasons.size() > shown) text += fmt::format("; and {} more", reasons.size() - shown);
  return text;
}

/// Why the machine could not start the program of any case; null where one began or was not tried.
const std::string* nothing_started(const CampaignRecord& campaign) {
  const bool none = std::all_of(campaign.cases.begin(), campaign.cases.end(), [](const CaseRecord& record) {
    return !record.attempts.empty() && record.attempts.back().state == AttemptState::not_started;
  });
  return none && !campaign.cases.empty() ? &campaign.cases.front().attempts.back().failure : nullptr;
}

void decide(Judgement& judgement, const CampaignRecord& campaign) {
  std::vector<const CriterionResult*> failed;
  std::vector<const CriterionResult*> open;
  size_t mandatory = 0;
  for (const CriterionResult& result : judgement.criteria) {
    if (result.severity != "mandatory") continue;
    ++mandatory;
    if (result.verdict == Verdict::fail)
      failed.push_back(&result);
    else if (result.verdict != Verdict::pass)
      open.push_back(&result);
  }
  const Wording words = wording(campaign.kind);
  const auto undecided = [&](std::string_view why) {
    judgement.overall = Verdict::undecided;
    judgement.exit_code = 3;
    judgement.sentence = fmt::format("{}: {}", words.undecided, why);
  };
  if (const std::string* why = nothing_started(campaign)) {
    undecided(fmt::format("no case could be started: {}", *why));
    judgement.exit_code = 4;
  } else if (!failed.empty()) {
    judgement.overall = Verdict::fail;
    judgement.exit_code = 1;
    judgement.sentence = fmt::format("{}: {}", words.failed, listed(failed));
  } else if (judgement.criteria.empty()) {
    undecided("no criteria were given");
  } else if (mandatory == 0) {
    undecided("no criterion is mandatory");
  } else if (!open.empty()) {
    const bool only_busy = std::all_of(
        open.begin(), open.end(), [](const CriterionResult* result) { return !result->disturbed.empty(); });
    undecided(only_busy ? fmt::format("{}: {}", not_idle, open.front()->disturbed) : listed(open));
  } else if (campaign.state != CampaignState::finished) {
    undecided(fmt::format("the campaign is {}, not finished", to_string(campaign.state)));
  } else {
    judgement.overall = Verdict::pass;
    judgement.exit_code = 0;
    judgement.sentence = words.passed;
  }
}

/// Whether a campaign was to measure a suite: what was refused is missing all the same.
bool asked_for(const CampaignRecord& campaign, std::string_view suite) {
  return std::any_of(campaign.cases.begin(), campaign.cases.end(),
                     [&](const CaseRecord& record) { return record.planned.suite == suite; }) ||
         std::any_of(campaign.refused.begin(), campaign.refused.end(),
                     [&](const Refusal& refusal) { return refusal.suite == suite; });
}

/// Judges a campaign's clauses by the given criteria alone.
Result<Judgement> judged_by(const CriteriaRevision& revision, const CampaignRecord& campaign,
                            const Comparability& table) {
  Criteria criteria;
  if (!revision.text.empty()) {
    auto read = read_criteria(revision.text, revision.name.empty() ? "criteria" : revision.name);
    if (!read) return pass_on(read);
    criteria = std::move(*read);
  }
  Judgement judgement;
  judgement.idle_objections = idle_objections(campaign, criteria);
  std::erase_if(criteria.criteria, [&](const Criterion& clause) {
    return clause.if_planned && !asked_for(campaign, clause.suite);
  });
  for (const Criterion& clause : criteria.criteria)
    for (CriterionResult& result : judged_clause(clause, campaign, table, judgement.idle_objections))
      judgement.criteria.push_back(std::move(result));
  decide(judgement, campaign);
  return judgement;
}

/// The verdict by every revision of the criteria, oldest first.
Result<std::vector<RevisionVerdict>> by_revision(const CampaignRecord& campaign, const Comparability& table) {
  std::vector<CriteriaRevision> all = {
      {1, campaign.criteria_name, campaign.criteria_text, "", campaign.created_s}};
  all.insert(all.end(), campaign.criteria_revisions.begin(), campaign.criteria_revisions.end());
  std::vector<RevisionVerdict> verdicts;
  for (CriteriaRevision& revision : all) {
    auto judgement = judged_by(revision, campaign, table);
    if (!judgement) return pass_on(judgement);
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

Result<Judgement> judge(const CampaignRecord& campaign, const Baseline* baseline,
                        std::string_view comparability) {
  const auto table = read_comparability(comparability, "comparability.toml");
  if (!table) return pass_on(table);
  auto judgement = judged_by(judging_criteria(campaign), campaign, *table);
  if (!judgement) return judgement;
  if (!campaign.criteria_revisions.empty()) {
    auto revisions = by_revision(campaign, *table);
    if (!revisions) return pass_on(revisions);
    judgement->revisions = std::move(*revisions);
  }
  judgement->figures = suite_figures(campaign, *table);
  if (baseline != nullptr) {
    judgement->comparisons = comparisons(campaign, *baseline, *table);
    judgement->orientation = orientation(campaign, *baseline, *table, judgement->comparisons);
  }
  judgement->deviations = deviations(campaign);
  return judgement;
}

}  // namespace shakedown
