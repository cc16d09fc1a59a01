#include "reports/judge/overall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/plan/regression.hpp"
#include "reports/judge/circumstances.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/waived_breach.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

/// The words for the overall verdicts of each kind of campaign.
struct Wording {
  std::string passed;
  std::string_view failed;
  std::string_view undecided;
};

Wording wording(std::string_view kind) {
  if (kind == "acceptance") return {"accepted", "not accepted", "acceptance undecided"};
  if (kind == "external")
    return {"the logs meet the criteria", "the logs do not meet the criteria", "the logs do not decide"};
  if (kind == regression_kind)
    return {"regression check passed", "regression check failed", "regression check undecided"};
  return {"screening passed", "screening failed", "screening undecided"};
}

/// Whether a criterion is refuted: its value misses the limit, or it asks for valid results and one breaks a
/// rule. That a rate comes from an invalid result refutes only the criterion on validity.
bool is_refuted(const CriterionResult& result) {
  return result.verdict == Verdict::fail ||
         (result.verdict == Verdict::invalid && result.metric == "validity");
}

/// The criteria on performance, where none of them was decided, or lifted by a waiver.
std::vector<const CriterionResult*> open_performance(const Judgement& judgement) {
  std::vector<const CriterionResult*> open;
  for (const CriterionResult& result : judgement.criteria) {
    if (!is_on_performance(result)) continue;
    if (result.waived || result.verdict == Verdict::pass || result.verdict == Verdict::fail) return {};
    open.push_back(&result);
  }
  return open;
}

/// "hpl-efficiency: 61.0 % < 70.5 % (one result)"; criteria with one reason share it, and three reasons are
/// shown.
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

/// "gemm-rpeak: 21.0 % < 74.4 %": a limit that a disturbed run missed; empty: it did not, or has no number to
/// read.
std::string missed_meanwhile(const CriterionResult& result) {
  if (result.withheld || !result.measured || !result.limit) return "";
  const bool holds = result.direction == Direction::at_least ? *result.measured >= *result.limit
                                                             : *result.measured <= *result.limit;
  if (holds) return "";
  const ShownPair shown = shown_beside(result.metric, *result.measured, *result.limit);
  return fmt::format("{}: {} {} {}", result.id, shown.value, relation(result.direction, false), shown.limit);
}

/// "the disturbed run was also below its limit (gemm-rpeak: 21.0 % < 74.4 %), which does not count as a fail
/// because it was disturbed"; empty: none missed a limit.
std::string missed_text(const std::vector<const CriterionResult*>& open) {
  std::vector<std::string> missed;
  Direction direction = Direction::at_least;
  for (const CriterionResult* result : open)
    if (std::string one = missed_meanwhile(*result); !one.empty()) {
      missed.push_back(std::move(one));
      direction = result->direction;
    }
  if (missed.empty()) return "";
  if (missed.size() > 1)
    return fmt::format(
        "the disturbed runs also missed their limits ({}), which does not count as a fail because they were "
        "disturbed",
        joined(missed, ", "));
  return fmt::format(
      "the disturbed run was also {} its limit ({}), which does not count as a fail because it was disturbed",
      direction == Direction::at_least ? "below" : "above", missed.front());
}

/// "other processes (...) used 0.92 to 1.3 of the 2 cores during the GEMM run; HPL therefore has no
/// trustworthy reference; nothing failed": why criteria have no verdict if only a disturbance prevents one.
std::string disturbed_text(const Judgement& judgement, const std::vector<const CriterionResult*>& open) {
  std::vector<std::string> without_reference;
  for (const CriterionResult* result : open) {
    const std::string title = suite_title(result->suite);
    const bool is_own = std::ranges::any_of(
        judgement.disturbances, [&](const Disturbance& each) { return each.suite == result->suite; });
    if (!is_own && std::ranges::find(without_reference, title) == without_reference.end())
      without_reference.push_back(title);
  }
  std::string text;
  for (const std::string& sentence : disturbance_sentences(judgement.disturbances))
    text += (text.empty() ? "" : "; ") + sentence;
  if (!without_reference.empty())
    text += fmt::format("; {} therefore {} no trustworthy reference", enumerated(without_reference),
                        without_reference.size() == 1 ? "has" : "have");
  if (const std::string missed = missed_text(open); !missed.empty()) return text + "; " + missed;
  const bool any_failed = std::ranges::any_of(judgement.criteria, is_refuted);
  return text + (any_failed ? "; no mandatory criterion failed" : "; nothing failed");
}

/// That a verdict says nothing of performance; empty: it does. Scheduled checks judge it beside the criteria.
std::string validity_alone(const Judgement& judgement, const CampaignRecord& campaign) {
  if (campaign.kind == regression_kind) return "";
  // A residual or a size is better neither way.
  if (std::ranges::none_of(judgement.criteria, [](const CriterionResult& each) {
        return is_on_performance(each) && direction_of(each.metric);
      }))
    return "no criterion judges performance";
  const auto open = open_performance(judgement);
  return open.empty() ? "" : "no criterion on performance was decided (" + listed(open) + ")";
}

/// "1 advisory criterion failed (rate)", which stops no acceptance; empty: none did.
std::string failed_advisory(const Judgement& judgement) {
  constexpr std::size_t shown = 4;
  std::vector<std::string> ids;
  for (const CriterionResult& result : judgement.criteria)
    if (result.severity == CriterionSeverity::advisory && is_refuted(result)) ids.push_back(result.id);
  if (ids.empty()) return "";
  const std::size_t all = ids.size();
  ids.resize(std::min(all, shown));
  return fmt::format("{} advisory criteri{} failed ({}{})", all, all == 1 ? "on" : "a", joined(ids, ", "),
                     all > shown ? fmt::format(" and {} more", all - shown) : "");
}

/// Why the machine could not start the program of any case; null where one began or was not tried.
const std::string* nothing_started(const CampaignRecord& campaign) {
  const bool none = std::all_of(campaign.cases.begin(), campaign.cases.end(), [](const CaseRecord& record) {
    return !record.attempts.empty() && record.attempts.back().state == AttemptState::not_started;
  });
  return none && !campaign.cases.empty() ? &campaign.cases.front().attempts.back().failure : nullptr;
}

/// "hpl-rmax is fail, waived by the board until 2027-03-31 (...); ..."; empty: none lifts anything.
std::string waived_text(const std::vector<const CriterionResult*>& waived) {
  static constexpr size_t shown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(shown, waived.size()); ++i) {
    const Waiver waiver = waived[i]->waiver.value_or(Waiver());
    const std::string breach = breach_text(*waived[i]);
    text += fmt::format("{}{} is {}{}, waived by {}, until {} ({})", i == 0 ? "" : "; ", waived[i]->id,
                        to_string(waived[i]->verdict), breach.empty() ? "" : fmt::format(" ({})", breach),
                        waiver.approver, waiver.expires, waiver.reason);
  }
  if (waived.size() > shown) text += fmt::format("; and {} more criteria", waived.size() - shown);
  return text;
}

/// Why a waiver lifted no criterion. `beyond`: what it does not cover; `by_another`: a waiver before it had
/// done so.
std::string remark_on(const Waiver& waiver, double at_s, const std::vector<const CriterionResult*>& covered,
                      const std::string& beyond, bool by_another) {
  const std::string named = fmt::format("the waiver of {} by {}", waiver.criterion, waiver.approver);
  if (covered.empty()) return fmt::format("{} does nothing: no criterion of that name was judged", named);
  if (waiver.expired(at_s))
    return fmt::format("{} does nothing: it held until {}, and the verdict is of {}", named, waiver.expires,
                       utc_text(at_s));
  const auto is = [](const auto& what) {
    return [what](const CriterionResult* each) { return what(*each); };
  };
  if (!beyond.empty()) return fmt::format("{} does nothing: {}", named, beyond);
  if (by_another) return fmt::format("{} does nothing: another waiver covers the same criterion", named);
  if (std::ranges::all_of(covered, is([](const CriterionResult& each) {
                            return each.severity != CriterionSeverity::mandatory;
                          })))
    return fmt::format("{} does nothing: the criterion is advisory and stops no acceptance", named);
  return fmt::format("{} was not needed: the criterion passes", named);
}

}  // namespace

void apply_waivers(Judgement& judgement, std::span<const Waiver> waivers, double at_s) {
  for (const Waiver& waiver : waivers) {
    std::vector<const CriterionResult*> covered;
    bool lifted = false;
    bool by_another = false;
    std::string beyond;
    for (CriterionResult& result : judgement.criteria) {
      if (!waiver.covers(result.id)) continue;
      covered.push_back(&result);
      if (result.waived) {
        by_another = true;
        continue;
      }
      result.waiver = waiver;
      result.waived = !waiver.expired(at_s) && result.severity == CriterionSeverity::mandatory &&
                      result.verdict != Verdict::pass;
      if (const std::string why = result.waived ? beyond_waiver(waiver, result) : ""; !why.empty()) {
        result.waived = false;
        result.because += fmt::format("; not waived by {}: {}", waiver.approver, why);
        beyond = why;
      }
      lifted = lifted || result.waived;
    }
    if (lifted)
      ++judgement.waivers;
    else
      judgement.waiver_remarks.push_back(remark_on(waiver, at_s, covered, beyond, by_another));
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

namespace {

/// " by revision 2 of the criteria (reason)"; empty: by the first.
std::string by_revision(const CriteriaRevision* revision) {
  if (revision == nullptr || revision->number < 2) return "";
  std::string reason = revision->reason;
  std::ranges::replace(reason, ':', ',');  // what follows the first colon is the sentence's detail
  return fmt::format(" by revision {} of the criteria{}", revision->number,
                     reason.empty() ? "" : fmt::format(" ({})", reason));
}

}  // namespace

bool is_on_performance(const CriterionResult& result) {
  return result.metric != "validity" && result.metric != "reliability";
}

std::vector<const CriterionResult*> disturbed_alone(const Judgement& judgement) {
  std::vector<const CriterionResult*> open = open_performance(judgement);
  std::erase_if(open, [](const CriterionResult* result) { return result->disturbed.empty(); });
  return open;
}

void decide(Judgement& judgement, const CampaignRecord& campaign, const CriteriaRevision* revision) {
  std::vector<const CriterionResult*> failed;
  std::vector<const CriterionResult*> open;
  std::vector<const CriterionResult*> waived;
  size_t mandatory = 0;
  for (const CriterionResult& result : judgement.criteria) {
    if (result.severity != CriterionSeverity::mandatory) continue;
    ++mandatory;
    if (result.waived)
      waived.push_back(&result);
    else if (is_refuted(result))
      failed.push_back(&result);
    else if (result.verdict != Verdict::pass)
      open.push_back(&result);
  }
  std::vector<std::string> breaches = campaign.breaches;
  std::erase(breaches, other_published_values(campaign.baseline_name));
  const Wording words = wording(campaign.kind);
  const std::string by = by_revision(revision);
  std::vector<std::string> details = circumstances(judgement, campaign);
  std::string head;
  const auto ends = [&](Verdict verdict, int exit_code, std::string_view word, std::string because) {
    judgement.overall = verdict;
    judgement.exit_code = exit_code;
    head = std::string(word) + by;
    if (!because.empty()) details.insert(details.begin(), std::move(because));
  };
  const auto undecided = [&](std::string because) {
    ends(Verdict::undecided, 3, words.undecided, std::move(because));
  };
  if (const std::string* why = nothing_started(campaign)) {
    undecided(fmt::format("no case could be started: {}", *why));
    judgement.exit_code = 4;
  } else if (!failed.empty()) {
    ends(Verdict::fail, 1, words.failed, listed(failed));
  } else if (judgement.criteria.empty()) {
    ends(Verdict::undecided, 3, "not judged", "no criteria were given");
  } else if (mandatory == 0) {
    undecided("no criterion is mandatory");
  } else if (!open.empty()) {
    const bool only_busy = std::all_of(
        open.begin(), open.end(), [](const CriterionResult* result) { return !result->disturbed.empty(); });
    undecided(only_busy ? disturbed_text(judgement, open) : listed(open));
    if (only_busy) head += " – repeat the test";
  } else if (const auto disturbed = disturbed_alone(judgement);
             !disturbed.empty() && campaign.kind != regression_kind) {
    undecided(disturbed_text(judgement, disturbed));
    head += " – repeat the test";
  } else if (campaign.state != CampaignState::finished) {
    undecided(fmt::format("the campaign is {}, not finished", to_string(campaign.state)));
  } else if (!breaches.empty()) {
    const size_t more = breaches.size() - 1;
    undecided(fmt::format("the commitment is broken: {}{}", breaches.front(),
                          more > 0 ? fmt::format("; and {} more", more) : ""));
  } else if (campaign.journal && !campaign.journal->faults.empty()) {
    const std::vector<std::string>& faults = campaign.journal->faults;
    const size_t more = faults.size() - 1;
    undecided(fmt::format("the journal is not whole: {}{}", faults.front(),
                          more > 0 ? fmt::format("; and {} more", more) : ""));
  } else {
    if (std::string advisory = failed_advisory(judgement); !advisory.empty())
      details.insert(details.begin(), std::move(advisory));
    if (std::string alone = validity_alone(judgement, campaign); !alone.empty())
      details.insert(details.begin(), std::move(alone));
    std::ranges::copy(judgement.weaknesses, std::back_inserter(details));
    ends(Verdict::pass, 0, words.passed, waived_text(waived));
    if (!waived.empty())
      head += fmt::format(" with {} waiver{}", judgement.waivers, judgement.waivers == 1 ? "" : "s");
  }
  judgement.sentence = head;
  for (std::size_t i = 0; i < details.size(); ++i) judgement.sentence += (i == 0 ? ": " : "; ") + details[i];
}

void take_check_verdict(Judgement& judgement, CheckVerdict verdict) {
  judgement.sentence = verdict.sentence;
  judgement.exit_code = verdict.exit_code;
  judgement.overall = verdict.exit_code == 0   ? Verdict::pass
                      : verdict.exit_code == 1 ? Verdict::fail
                                               : Verdict::undecided;
  std::set<std::string_view> slow;
  for (const NodeScreen& screen : judgement.node_screens)
    for (const NodeFinding finding : {NodeFinding::confirmed, NodeFinding::suspect})
      for (const ScreenedNode* node : screen.of(finding)) slow.insert(node->node);
  if (verdict.exit_code == 0 && !slow.empty())
    judgement.sentence +=
        fmt::format("; {} slower than those like {}", plural(std::ssize(slow), "node is", "nodes are"),
                    slow.size() == 1 ? "it" : "them");
  judgement.check = std::move(verdict);
}

}  // namespace shakedown
