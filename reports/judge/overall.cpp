#include "reports/judge/overall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "orchestrator/core/time.hpp"
#include "orchestrator/plan/regression.hpp"
#include "reports/judge/deviations.hpp"

namespace shakedown {
namespace {

/// How an overall verdict is said of each kind of campaign.
struct Wording {
  std::string passed;
  std::string_view failed;
  std::string_view undecided;
};

Wording wording(std::string_view kind) {
  if (kind == "acceptance") return {"accepted", "not accepted", "acceptance undecided"};
  if (kind == "external")
    return {"the logs meet the criteria", "the logs do not meet the criteria", "logs undecided"};
  if (kind == regression_kind)
    return {"regression check passed", "regression check failed", "regression check undecided"};
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

/// " with 2 waivers: hpl-rmax is fail, waived by the board until 2027-03-31 (...); ..."; empty: none lifts
/// anything.
std::string with_waivers(const std::vector<const CriterionResult*>& waived, int waivers) {
  static constexpr size_t shown = 3;
  if (waived.empty()) return "";
  std::string text = fmt::format(" with {} waiver{}: ", waivers, waivers == 1 ? "" : "s");
  for (size_t i = 0; i < std::min(shown, waived.size()); ++i) {
    const Waiver waiver = waived[i]->waiver.value_or(Waiver());
    text += fmt::format("{}{} is {}, waived by {} until {} ({})", i == 0 ? "" : "; ", waived[i]->id,
                        to_string(waived[i]->verdict), waiver.approver, waiver.expires, waiver.reason);
  }
  if (waived.size() > shown) text += fmt::format("; and {} more clauses", waived.size() - shown);
  return text;
}

/// Why a waiver lifted no clause. `by_another`: a waiver before it had done so.
std::string remark_on(const Waiver& waiver, double at_s, const std::vector<const CriterionResult*>& covered,
                      bool by_another) {
  const std::string named = fmt::format("the waiver of {} by {}", waiver.criterion, waiver.approver);
  if (covered.empty()) return fmt::format("{} does nothing: no clause of that name was judged", named);
  if (waiver.expired(at_s))
    return fmt::format("{} does nothing: it held until {}, and the verdict is of {}", named, waiver.expires,
                       utc_text(at_s));
  const auto is = [](const auto& what) {
    return [what](const CriterionResult* each) { return what(*each); };
  };
  if (by_another) return fmt::format("{} does nothing: another waiver speaks of the same", named);
  if (std::ranges::all_of(covered,
                          is([](const CriterionResult& each) { return each.severity != "mandatory"; })))
    return fmt::format("{} does nothing: the clause is advisory and stops no acceptance", named);
  return fmt::format("{} was not needed: the clause passes", named);
}

}  // namespace

void apply_waivers(Judgement& judgement, std::span<const Waiver> waivers, double at_s) {
  for (const Waiver& waiver : waivers) {
    std::vector<const CriterionResult*> covered;
    bool lifted = false;
    bool by_another = false;
    for (CriterionResult& result : judgement.criteria) {
      if (!waiver.covers(result.id)) continue;
      covered.push_back(&result);
      if (result.waived) {
        by_another = true;
        continue;
      }
      result.waiver = waiver;
      result.waived =
          !waiver.expired(at_s) && result.severity == "mandatory" && result.verdict != Verdict::pass;
      lifted = lifted || result.waived;
    }
    if (lifted)
      ++judgement.waivers;
    else
      judgement.waiver_remarks.push_back(remark_on(waiver, at_s, covered, by_another));
  }
}

std::vector<std::string> expired_since(const Judgement& judgement, double now_s) {
  std::vector<std::string> sentences;
  for (const CriterionResult& result : judgement.criteria) {
    const std::optional<Waiver>& waiver = result.waiver;
    if (!result.waived || !waiver || !waiver->expired(now_s)) continue;
    std::string sentence = fmt::format(
        "the verdict rests on the waiver of {} by {}, which held until {} and has expired since: it counts "
        "as "
        "it stood when the campaign ended or was given its criteria",
        waiver->criterion, waiver->approver, waiver->expires);
    if (std::ranges::find(sentences, sentence) == sentences.end()) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

void decide(Judgement& judgement, const CampaignRecord& campaign) {
  std::vector<const CriterionResult*> failed;
  std::vector<const CriterionResult*> open;
  std::vector<const CriterionResult*> waived;
  size_t mandatory = 0;
  for (const CriterionResult& result : judgement.criteria) {
    if (result.severity != "mandatory") continue;
    ++mandatory;
    if (result.waived)
      waived.push_back(&result);
    else if (result.verdict == Verdict::fail)
      failed.push_back(&result);
    else if (result.verdict != Verdict::pass)
      open.push_back(&result);
  }
  std::vector<std::string> breaches = campaign.breaches;
  std::erase(breaches, other_published_values(campaign.baseline_name));
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
  } else if (!breaches.empty()) {
    const size_t more = breaches.size() - 1;
    undecided(fmt::format("the commitment is broken: {}{}", breaches.front(),
                          more > 0 ? fmt::format("; and {} more", more) : ""));
  } else {
    judgement.overall = Verdict::pass;
    judgement.exit_code = 0;
    judgement.sentence = words.passed + with_waivers(waived, judgement.waivers);
  }
}

}  // namespace shakedown
