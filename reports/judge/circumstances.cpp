#include "reports/judge/circumstances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "parsers/lost_run.hpp"
#include "parsers/rules/conditions.hpp"
#include "parsers/rules/rule.hpp"
#include "reports/judge/criteria_reach.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/overall.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

std::string ordinal(std::size_t number) {
  static constexpr std::array<std::string_view, 6> words = {"zeroth", "first",  "second",
                                                            "third",  "fourth", "fifth"};
  return number < words.size() ? std::string(words.at(number)) : fmt::format("{}th", number);
}

/// "not accepted (2026-11-20T..., removed)".
std::string earlier_text(const EarlierCampaign& campaign) {
  return fmt::format("{} ({}{})", campaign.verdict.empty() ? "not judged" : campaign.verdict, campaign.id,
                     campaign.gone      ? ", its folder is gone"
                     : campaign.removed ? ", removed"
                                        : "");
}

/// "second campaign by these criteria; the first: not accepted (2026-11-20T...)"; of many the last three.
void add_earlier(const std::vector<EarlierCampaign>& all, bool same, std::vector<std::string>& found) {
  static constexpr std::size_t shown = 3;
  std::vector<const EarlierCampaign*> earlier;
  for (const EarlierCampaign& each : all)
    if (each.same_criteria == same && !each.other_system) earlier.push_back(&each);
  if (earlier.empty()) return;
  std::string text = same ? fmt::format("{} campaign by these criteria; {}", ordinal(earlier.size() + 1),
                                        earlier.size() == 1 ? "the first: " : "before it: ")
                          : fmt::format("by other criteria before: ");
  const std::size_t first = earlier.size() - std::min(shown, earlier.size());
  for (std::size_t i = first; i < earlier.size(); ++i)
    text += (i == first ? "" : ", ") + earlier_text(*earlier[i]);
  if (first > 0) text += fmt::format(" and {} more", first);
  const auto gone = std::ranges::count_if(
      earlier.begin(), earlier.begin() + static_cast<std::ptrdiff_t>(first), &EarlierCampaign::gone);
  if (gone > 0) text += fmt::format(", {} of them gone", gone);
  found.push_back(std::move(text));
}

/// "as another system before: not accepted (2026-11-20T...)"; of many the last three. Those whose nodes are
/// not known are counted.
void add_other_systems(const std::vector<EarlierCampaign>& all, std::vector<std::string>& found) {
  static constexpr std::size_t shown = 3;
  std::vector<std::string> texts;
  std::int64_t unknown = 0;
  for (const EarlierCampaign& each : all) {
    if (!each.other_system) continue;
    if (each.nodes_unknown)
      ++unknown;
    else
      texts.push_back(earlier_text(each));
  }
  if (unknown > 0)
    found.push_back(fmt::format("{} as another system before, whether on these nodes is not known",
                                plural(unknown, "campaign")));
  if (texts.empty()) return;
  const std::size_t first = texts.size() - std::min(shown, texts.size());
  found.push_back("as another system before: " + joined(std::span(texts).subspan(first), ", ") +
                  (first > 0 ? fmt::format(" and {} more", first) : ""));
}

/// "a, b, c and 2 more".
std::string few(std::vector<std::string> all) {
  constexpr std::size_t most = 3;
  const std::size_t more = all.size() - std::min(all.size(), most);
  all.resize(all.size() - more);
  return joined(all, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

bool confirms(const CampaignRecord& campaign, const std::string& case_id) {
  return std::ranges::any_of(campaign.cases, [&](const CaseRecord& record) {
    return record.planned.confirms && record.planned.id == case_id;
  });
}

void add_new(std::vector<std::string>& all, std::string text) {
  if (std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
}

}  // namespace

std::vector<std::string> circumstances(const Judgement& judgement, const CampaignRecord& campaign) {
  std::vector<std::string> found;
  add_earlier(campaign.earlier, /*same=*/true, found);
  add_earlier(campaign.earlier, /*same=*/false, found);
  add_other_systems(campaign.earlier, found);
  std::ranges::copy(campaign.history_faults, std::back_inserter(found));
  std::vector<std::pair<std::string, int>> aside;
  std::vector<std::string> cases;
  for (const Disturbance& each : judgement.set_aside) {
    if (confirms(campaign, each.case_id)) continue;  // such a run decides no criterion
    if (std::ranges::find(aside, std::pair(each.case_id, each.attempt)) == aside.end())
      aside.emplace_back(each.case_id, each.attempt);
    add_new(cases, each.case_id);
  }
  if (!aside.empty()) {
    const std::size_t more = cases.size() - std::min<std::size_t>(cases.size(), 4);
    cases.resize(cases.size() - more);
    found.push_back(fmt::format("{} {} measured again undisturbed ({}{})",
                                plural(std::ssize(aside), "disturbed attempt"),
                                aside.size() == 1 ? "was" : "were", enumerated(cases),
                                more > 0 ? fmt::format(" and {} more cases", more) : ""));
  }
  std::map<std::string_view, std::int64_t> stopped;  // how
  std::int64_t lost = 0;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      if (stopped_by_hand(attempt))
        ++stopped[how_stopped_by_hand(attempt)];
      else if (attempt.state == AttemptState::lost)
        ++lost;
    }
  for (const auto& [how, attempts] : stopped)
    found.push_back(fmt::format("{} {}", plural(attempts, "attempt"), how));
  if (lost > 0) found.push_back(plural(lost, "attempt") + " lost");
  return found;
}

namespace {

/// What is wrong with one criterion's limit, direction or way to a value; empty: nothing.
std::string weak_limit(const Criterion& criterion, const CriterionResult& result) {
  if (std::string doubt = wrong_side(criterion); !doubt.empty()) return doubt;
  if (!result.measured || !result.limit || !(*result.limit > 0) || !(*result.measured > 0)) return "";
  const double ratio = result.direction == Direction::at_least ? *result.measured / *result.limit
                                                               : *result.limit / *result.measured;
  if (ratio < limit_far_off) return "";
  return fmt::format("{} is met {} times over", criterion.id, number(ratio, 3));
}

/// The screen's cases below what was predicted of them, which make a ratio look good: "GEMM gave ... of ...".
std::string slow_screen(const Measurement& measurement, const MeasuredCampaign& campaign) {
  for (const std::string& id : measurement.screens) {
    const MeasuredCase* screen = campaign.case_with(id);
    if (screen == nullptr) continue;
    for (const Prediction& predicted : screen->planned.predicted) {
      if (direction_of(predicted.metric) != Better::higher || !is_useful(predicted)) continue;
      for (const CountedResult& each : screen->own)
        if (const Metric* rate = each.result->parsed.metric(predicted.metric);
            rate != nullptr && rate->value < predicted.low)
          return fmt::format("{} gave {} where at least {} was predicted", suite_title(screen->planned.suite),
                             metric_text(predicted.metric, rate->value),
                             metric_text(predicted.metric, predicted.low));
    }
  }
  return "";
}

/// Whether a criterion that decides asks for the rate of a screen itself.
bool screen_is_judged(const Judgement& judgement, std::string_view efficiency) {
  const SuiteFacts* screen = screen_of(efficiency);
  return screen != nullptr && std::ranges::any_of(judgement.criteria, [&](const CriterionResult& each) {
           return each.suite == screen->id && is_on_performance(each) && each.verdict == Verdict::pass;
         });
}

void add_ratios(const CriterionResult& result, const Judgement& judgement, const MeasuredCampaign& campaign,
                const Comparability& comparability, std::vector<std::string>& found) {
  if (!is_efficiency(result.metric)) return;
  const MeasuredCase* record = campaign.case_with(result.case_id);
  if (screen_of(result.metric) == nullptr) {
    if (const double share = result.measured.value_or(0); share > 1)
      found.push_back(
          fmt::format("{} is {} of the theoretical peak", result.id, metric_text(result.metric, share)));
    return;
  }
  if (record == nullptr || screen_is_judged(judgement, result.metric)) return;
  if (std::string slow = slow_screen(measured(campaign, *record, result.metric, comparability), campaign);
      !slow.empty())
    add_new(found, fmt::format("{}, and {} is relative to it", slow, result.id));
}

/// A criterion by its id without the case.
const Criterion* stated(const Criteria& criteria, const CriterionResult& result) {
  const std::string_view id = std::string_view(result.id).substr(0, result.id.find('@'));
  const auto it = std::ranges::find(criteria.criteria, id, &Criterion::id);
  return it == criteria.criteria.end() ? nullptr : &*it;
}

void of_criteria(const Judgement& judgement, const Criteria& criteria, const MeasuredCampaign& campaign,
                 const Comparability& comparability, std::vector<std::string>& found) {
  std::vector<std::string> best;
  std::vector<std::string> single;
  std::vector<std::string> predicted;
  for (const CriterionResult& result : judgement.criteria) {
    if (result.severity != CriterionSeverity::mandatory || result.verdict != Verdict::pass ||
        !is_on_performance(result))
      continue;
    const Criterion* criterion = stated(criteria, result);
    if (criterion == nullptr) continue;
    if (is_only_predicted(*criterion)) add_new(predicted, criterion->id);
    if (std::string weak = weak_limit(*criterion, result); !weak.empty()) add_new(found, std::move(weak));
    if (criterion->aggregation.kind == Aggregation::Kind::best_of && result.n > 1)
      add_new(best, fmt::format("{} takes the {}", criterion->id, result.aggregate));
    add_ratios(result, judgement, campaign, comparability, found);
    if (criterion->aggregation.kind == Aggregation::Kind::median && result.nodes.empty() && result.n == 1)
      add_new(single, criterion->id);
  }
  if (const auto count = std::ssize(predicted); count > 0)
    found.push_back(fmt::format("{} the plan's own prediction{} ({})",
                                count == 1 ? "1 limit is" : fmt::format("{} limits are", count),
                                count == 1 ? "" : "s", few(std::move(predicted))));
  if (!best.empty()) found.push_back(joined(best, "; "));
  if (!single.empty()) found.push_back("a median of one run (" + few(std::move(single)) + ")");
}

/// "not planned: HPL (rate)": mandatory criteria with `if_planned`. A screening takes what it is told.
void of_left_out(const Judgement& judgement, const CampaignRecord& campaign,
                 std::vector<std::string>& found) {
  if (campaign.kind != "acceptance") return;
  std::vector<std::string> suites;
  for (const CriterionResult& each : judgement.left_out)
    if (each.severity == CriterionSeverity::mandatory) add_new(suites, suite_title(each.suite));
  if (!suites.empty()) found.push_back("not planned: " + few(std::move(suites)));
}

/// "2 runs left one and the same log": no two runs take the same times to the last digit.
void of_same_logs(const MeasuredCampaign& campaign, std::vector<std::string>& found) {
  std::map<std::pair<std::string, double>, std::vector<std::string>> by_log;  // SHA-256 and value, attempts
  for (const MeasuredCase& record : campaign.cases) {
    const SuiteFacts* facts = suite_facts(record.planned.suite);
    if (facts == nullptr) continue;
    for (const CountedResult& each : record.own) {
      const std::string log = log_reference(record.planned, *each.attempt).sha256;
      for (const Headline& headline : facts->headlines)
        if (const Metric* value = each.result->parsed.metric(headline.metric); value && !log.empty())
          add_new(by_log[{log, value->value}],
                  fmt::format("{}, attempt {}", record.planned.id, each.attempt->index));
    }
  }
  std::vector<std::string> texts;
  for (auto& [log, attempts] : by_log)
    if (const std::size_t runs = attempts.size(); runs > 1)
      add_new(texts, fmt::format("{} runs left one and the same log ({})", runs, few(std::move(attempts))));
  std::ranges::move(texts, std::back_inserter(found));
}

/// Once, from one who goes through the cases in their order.
void add_case(std::vector<std::string>& cases, const MeasuredCase& record) {
  if (cases.empty() || cases.back() != record.planned.id) cases.push_back(record.planned.id);
}

/// What results that count prove less than their cases say.
void of_results(const MeasuredCampaign& campaign, std::vector<std::string>& found) {
  std::vector<std::string> own;
  std::vector<std::string> lost;
  std::vector<std::string> failed;
  std::map<std::string, std::vector<std::string>> noted;  // what, cases
  for (const MeasuredCase& record : campaign.cases)
    for (const CountedResult& each : record.counted) {
      const ParsedResult& parsed = each.result->parsed;
      if (parsed.implementation == "reference" && !record.planned.implementation.empty() &&
          !is_own_program(record.planned) && !is_external(campaign.record))
        add_new(own, fmt::format("{} was planned with {}", record.planned.id, record.planned.implementation));
      if (std::ranges::any_of(parsed.warnings, is_lost_run)) add_case(lost, record);
      if (each.attempt->signal || each.attempt->exit_code.value_or(0) != 0) add_case(failed, record);
      for (const RuleResult& rule : each.result->rules)
        if (must_be_noted(parsed.suite, rule) &&
            (rule.status == RuleStatus::fail || !is_external(campaign.record)))
          add_case(noted[fmt::format("{}: {}", rule.id, rule.text)], record);
    }
  if (!own.empty())
    found.push_back(fmt::format("measured with shakedown's own program, where {}", few(std::move(own))));
  if (!lost.empty()) found.push_back("a further run in its log left no result: " + few(std::move(lost)));
  if (!failed.empty()) found.push_back("it failed after its result: " + few(std::move(failed)));
  for (auto& [what, cases] : noted) found.push_back(fmt::format("{} ({})", what, few(std::move(cases))));
}

/// No configuration said how the nodes were delivered.
void of_settings(const MeasuredCampaign& campaign, std::vector<std::string>& found) {
  if (campaign.record.kind != "acceptance") return;
  bool any = false;
  for (const MeasuredCase& record : campaign.cases)
    for (const CountedResult& each : record.counted)
      for (const RuleResult& rule : each.result->rules) {
        if (!is_on_settings(rule)) continue;
        if (rule.status != RuleStatus::not_applicable) return;
        any = true;
      }
  if (any) found.emplace_back("no delivered settings were stated, so none were checked");
}

/// Nodes that were left out on the way.
void of_nodes(const MeasuredCampaign& campaign, std::vector<std::string>& found) {
  if (!campaign.record.exclusions.empty())
    found.push_back(plural(std::ssize(campaign.record.exclusions), "node") + " excluded");
  std::vector<std::string> smaller;
  for (const MeasuredCase& record : campaign.cases)
    if (!record.before.empty() && !record.replaced)
      smaller.push_back(fmt::format("{} on {} of {} nodes", record.before.front()->planned.id,
                                    record.planned.nodes, record.planned_nodes()));
  if (!smaller.empty()) found.push_back(few(std::move(smaller)));
}

/// Libraries that the plan puts in front of a program's own: they may replace its clock.
void of_preloads(const MeasuredCampaign& campaign, std::vector<std::string>& found) {
  for (const char* name : {"LD_PRELOAD", "LD_AUDIT"}) {
    std::vector<std::string> cases;
    for (const MeasuredCase& record : campaign.cases)
      if (!record.own.empty() && find_parameter(record.planned.environment, name) != nullptr)
        cases.push_back(record.planned.id);
    if (!cases.empty()) found.push_back(fmt::format("{} is set for {}", name, few(std::move(cases))));
  }
}

/// Other users of the nodes, where no limit says what they may use.
void of_others(const Criteria& criteria, const MeasuredCampaign& campaign, std::vector<std::string>& found) {
  if (criteria.load || criteria.steal) return;
  std::vector<std::string> cases;
  for (const MeasuredCase& record : campaign.cases)
    for (const CountedResult& each : record.own)
      for (const RuleResult& rule : each.result->rules)
        if (is_on_other_users(rule) && rule.status == RuleStatus::fail) add_case(cases, record);
  if (!cases.empty())
    found.push_back(fmt::format("other processes ran beside {}, and the criteria state no limit for them",
                                few(std::move(cases))));
}

}  // namespace

std::vector<std::string> weaknesses(const Judgement& judgement, const Criteria& criteria,
                                    const MeasuredCampaign& campaign, const Comparability& comparability) {
  std::vector<std::string> found;
  const std::string& kind = campaign.record.kind;
  if (kind != "acceptance" && !is_external(campaign.record)) return found;
  of_criteria(judgement, criteria, campaign, comparability, found);
  of_left_out(judgement, campaign.record, found);
  of_results(campaign, found);
  if (!is_external(campaign.record)) of_same_logs(campaign, found);
  of_nodes(campaign, found);
  of_preloads(campaign, found);
  of_others(criteria, campaign, found);
  of_settings(campaign, found);
  if (campaign.record.first_known)
    found.emplace_back("the first acceptance of this system in this workspace (others are not known)");
  return found;
}

}  // namespace shakedown
