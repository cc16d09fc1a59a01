#include "reports/judge/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/judge/overall.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/reliability.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/set_score.hpp"

namespace shakedown {
namespace {

void count(CriteriaTally& tally, const CriterionResult& result) {
  ++tally.all;
  if (result.waived) {
    ++tally.waived;
    return;
  }
  switch (result.verdict) {
    case Verdict::pass:
      ++tally.passed;
      return;
    case Verdict::fail:
      ++tally.failed;
      return;
    case Verdict::invalid:
      ++tally.invalid;
      return;
    case Verdict::not_run:
      ++tally.without_result;
      return;
    case Verdict::not_comparable:
      ++tally.not_comparable;
      return;
    case Verdict::undecided:
      ++tally.undecided;
      return;
  }
}

/// Results that no public list could take, by the reason, with the rules that are in the way.
struct Ineligible {
  int own = 0;
  int invalid = 0;
  int unknown = 0;    ///< of unknown validity
  int too_short = 0;  ///< of a screening: invalid as official results for their length alone
  int breaking = 0;
  int unchecked = 0;
  std::map<std::string, std::string> broken;  ///< title by id
  std::map<std::string, std::string> open;
};

void add(Ineligible& all, const Ineligible& more) {
  for (const auto count : {&Ineligible::own, &Ineligible::invalid, &Ineligible::unknown,
                           &Ineligible::too_short, &Ineligible::breaking, &Ineligible::unchecked})
    all.*count += more.*count;
  all.broken.insert(more.broken.begin(), more.broken.end());
  all.open.insert(more.open.begin(), more.open.end());
}

/// "IO5-02 (The four write phases ...), IO5-06 (Exactly ten client nodes ...) and 3 more".
std::string some_rules(const std::map<std::string, std::string>& titles) {
  constexpr std::size_t shown = 3;
  std::vector<std::string> all;
  all.reserve(titles.size());
  for (const auto& [id, title] : titles) all.push_back(rule_name(id, title));
  if (all.size() <= shown + 1) return joined(all, ", ");
  return fmt::format("{} and {} more", joined(std::span(all).first(shown), ", "), all.size() - shown);
}

std::string text_of(const Ineligible& counts) {
  std::vector<std::string> parts;
  if (counts.own > 0)
    parts.push_back(fmt::format("{} by shakedown's own programs, which no list takes", counts.own));
  for (const auto& [number, word] :
       {std::pair(counts.too_short, "short of the official rules"), std::pair(counts.invalid, "invalid"),
        std::pair(counts.unknown, "of unknown validity")})
    if (number > 0) parts.push_back(fmt::format("{} {}", number, word));
  if (counts.breaking > 0)
    parts.push_back(fmt::format("{} {} what the list asks for: {}", counts.breaking,
                                counts.breaking == 1 ? "breaks" : "break", some_rules(counts.broken)));
  return joined(parts, "; ");
}

/// Whether a public list could take a result: of an official program, with no rule that is broken, and none
/// of the list that is unknown. Else the reason is counted.
bool is_eligible(const CampaignRecord& campaign, const MeasuredCase& record, const CountedResult& each,
                 Ineligible& counts) {
  // The log goes first: a plan may name another program.
  if (is_own_program(record.planned) || each.result->parsed.implementation == "reference") {
    ++counts.own;
    return false;
  }
  if (each.result->validity != Validity::valid) {
    ++(valid_but_for_length(campaign, *each.result) ? counts.too_short
       : each.result->validity == Validity::invalid ? counts.invalid
                                                    : counts.unknown);
    return false;
  }
  std::map<std::string, std::string> broken;
  std::map<std::string, std::string> open;
  for (const RuleResult& rule : each.result->rules) {
    if (rule.severity == Severity::warning) continue;
    if (rule.status == RuleStatus::fail) broken.emplace(rule.id, rule.title);
    if (rule.status == RuleStatus::unknown && is_of_list(record.planned.suite, rule) &&
        !checked_on_set(campaign, record, rule.id))
      open.emplace(rule.id, rule.title);
  }
  if (const SetScore* set = set_of_case(campaign, record))
    for (const RuleResult& rule : set->rules)
      if (rule.severity != Severity::warning && rule.status == RuleStatus::fail)
        broken.emplace(rule.id, rule.title);
  if (!broken.empty()) {
    ++counts.breaking;
    counts.broken.insert(broken.begin(), broken.end());
  } else if (!open.empty()) {
    ++counts.unchecked;
    counts.open.insert(open.begin(), open.end());
  }
  return broken.empty() && open.empty();
}

/// The attempts at a case, as far as they have ended.
void count_attempts(Tally& tally, const MeasuredCase& record) {
  bool begun = record.replaced || record.planned.confirms;  // it is no case to be run
  for (const AttemptRecord& attempt : record.attempts) {
    if (attempt.state == AttemptState::running || never_began(attempt)) continue;
    begun ? ++tally.repeats : 0;
    begun = true;
    if (std::ranges::find(record.counted, &attempt, &CountedResult::attempt) == record.counted.end())
      ++tally.without_result;
    else
      ++(attempt.set_aside.empty() ? tally.runs : tally.set_aside);
  }
  if (!begun) ++tally.not_run;
}

void count_cases(Tally& tally, const MeasuredCampaign& campaign, const Judgement& judgement) {
  using Run = std::pair<std::string, int>;  // case, attempt
  std::set<Run> disturbed;
  for (const Disturbance& each : judgement.disturbances)
    if (each.cause != Disturbance::Cause::not_recorded) disturbed.emplace(each.case_id, each.attempt);
  Ineligible ineligible;
  std::unordered_set<std::string_view> measured;
  for (const SuiteResult& each : judgement.suite_results)
    if (each.measured) measured.insert(each.case_id);
  std::map<const SetScore*, std::optional<Ineligible>> sets;  // why not, if so; what is broken goes first
  for (const MeasuredCase& record : campaign.cases) {
    count_attempts(tally, record);
    const SetScore* set = set_of_case(campaign.record, record);
    const AttemptRecord* last = nullptr;
    for (const CountedResult& each : record.counted) {
      if (!each.attempt->set_aside.empty()) continue;
      if (each.attempt != last && disturbed.contains({record.planned.id, each.attempt->index}))
        ++tally.disturbed;
      last = each.attempt;
      if (is_screen(record.planned.suite)) {
        ++tally.screens;
        continue;
      }
      ++tally.results;
      if (set != nullptr && set->runs > 1) {
        std::optional<Ineligible>& why = sets[set];
        Ineligible of_result;
        if (!is_eligible(campaign.record, record, each, of_result) &&
            (!why || (why->unchecked > 0 && of_result.unchecked == 0)))
          why = std::move(of_result);
        else if (why)
          why->open.insert(of_result.open.begin(), of_result.open.end());
        continue;
      }
      ++tally.candidates;
      if (is_eligible(campaign.record, record, each, ineligible)) ++tally.eligible;
    }
    if (record.replaced || record.planned.confirms) continue;
    ++tally.cases;
    // A screening that is short of the official rules has a value all the same.
    if (measured.contains(record.planned.id)) ++tally.ran;
  }
  tally.has_sets = !sets.empty();
  for (const auto& [set, why] : sets) {
    ++tally.candidates;
    if (why)
      add(ineligible, *why);
    else
      ++tally.eligible;
  }
  tally.ineligible = text_of(ineligible);
  tally.eligibility_open = ineligible.unchecked;
  tally.open_rules = some_rules(ineligible.open);
}

/// ", 1 failed, 2 without a result": those that do not pass, so that all parts add up.
std::string open_counts(const CriteriaTally& tally) {
  const std::array<std::pair<int, std::string_view>, 6> parts = {{{tally.failed, "failed"},
                                                                  {tally.invalid, "invalid"},
                                                                  {tally.without_result, "without a result"},
                                                                  {tally.not_comparable, "not comparable"},
                                                                  {tally.undecided, "undecided"},
                                                                  {tally.waived, "waived"}}};
  std::string text;
  for (const auto& [number, word] : parts)
    if (number > 0) text += fmt::format(", {} {}", number, word);
  return text;
}

}  // namespace

Tally tally(const MeasuredCampaign& campaign, const Judgement& judgement) {
  Tally made;
  for (const CriterionResult& each : judgement.criteria) {
    count(each.severity == CriterionSeverity::mandatory ? made.mandatory : made.advisory, each);
    if (each.metric != "validity" && each.metric != "reliability") count(made.limits, each);
  }
  count_cases(made, campaign, judgement);
  made.made_elsewhere = is_external(campaign.record);
  if (!judgement.reliability.empty()) {
    const ReliabilityRow& all = judgement.reliability.front();
    made.attempts = all.started;
    made.succeeded = all.succeeded;
    made.failed = all.failed;
    made.not_valid = all.not_valid;
    made.unknown = all.unknown;
    made.stopped = all.stopped;
  }
  made.exceptions = static_cast<int>(exceptions(campaign.record, judgement).size());
  made.disturbances = static_cast<int>(judgement.disturbances.size());
  return made;
}

std::string_view ran_words(const Tally& tally) {
  if (!tally.made_elsewhere) return "cases ran correctly";
  return tally.cases == 1 ? "logged run is correct" : "logged runs are correct";
}

std::vector<std::string> exceptions(const CampaignRecord& campaign, const Judgement& judgement) {
  std::vector<std::string> all = judgement.waiver_remarks;
  std::ranges::copy_if(judgement.deviations, std::back_inserter(all),
                       [](const std::string& each) { return !each.ends_with(not_to_be_quoted); });
  std::ranges::copy(campaign.warnings, std::back_inserter(all));
  return all;
}

std::string criteria_counts(const Judgement& judgement) {
  const CriteriaTally& mandatory = judgement.tally.mandatory;
  const CriteriaTally& advisory = judgement.tally.advisory;
  if (mandatory.all == 0 && advisory.all == 0) return "";
  std::string text = fmt::format("{} of {} mandatory criteria pass{}.", mandatory.passed, mandatory.all,
                                 open_counts(mandatory));
  if (advisory.all > 0) {
    const int decided = advisory.passed + advisory.failed;
    text += fmt::format(" {} of {} advisory ones could be decided", decided, advisory.all);
    if (decided > 0) text += fmt::format(": {} pass, {} failed", advisory.passed, advisory.failed);
    text += ".";
  }
  const bool only_validity = std::ranges::none_of(judgement.criteria, [](const CriterionResult& each) {
    return each.verdict == Verdict::pass && each.metric != "validity";
  });
  if (mandatory.passed > 0 && only_validity)
    text += fmt::format(" {} “the program ran correctly”; none says “the machine is fast”.",
                        mandatory.passed == 1   ? "The one pass says"
                        : mandatory.passed == 2 ? "Both passes say"
                                                : fmt::format("All {} passes say", mandatory.passed));
  return text;
}

std::string mandatory_text(const Judgement& judgement) {
  constexpr std::size_t most_named = 4;
  std::map<std::string_view, std::vector<std::string>>
      ids;  // by the word; others name what failed or is waived
  for (const CriterionResult& each : judgement.criteria)
    if (each.severity == CriterionSeverity::mandatory && !each.waived)
      ids[verdict_name(each.verdict)].push_back(each.id);
  const CriteriaTally& mandatory = judgement.tally.mandatory;
  std::vector<std::string> parts;
  if (mandatory.failed > 0) parts.push_back(fmt::format("{} failed", mandatory.failed));
  if (mandatory.waived > 0) parts.push_back(fmt::format("{} waived", mandatory.waived));
  for (const Verdict verdict :
       {Verdict::not_run, Verdict::invalid, Verdict::not_comparable, Verdict::undecided}) {
    const auto found = ids.find(verdict_name(verdict));
    if (found == ids.end()) continue;
    const std::size_t all = found->second.size();
    const auto named = std::span(found->second).first(std::min(all, most_named));
    parts.push_back(fmt::format(
        "{} {} ({}{})", all, verdict == Verdict::not_run ? "without a result" : verdict_name(verdict),
        joined(named, ", "), all > most_named ? fmt::format(" and {} more", all - most_named) : ""));
  }
  if (mandatory.all == 0) return "";
  if (parts.empty())
    return mandatory.all == 1 ? "The one mandatory criterion passes"
                              : fmt::format("All {} mandatory criteria pass", mandatory.all);
  return fmt::format("{} of {} mandatory criteria pass, {}", mandatory.passed, mandatory.all,
                     joined(parts, ", "));
}

std::string speed_judged(const Judgement& judgement) {
  std::set<std::string> judged;
  std::set<std::string> others;
  for (const CriterionResult& each : judgement.criteria)
    if (is_on_performance(each) && (each.verdict == Verdict::pass || each.verdict == Verdict::fail))
      judged.insert(suite_title(each.suite));
  for (const CriterionResult& each : judgement.criteria)
    if (!judged.contains(suite_title(each.suite))) others.insert(suite_title(each.suite));
  const auto listed = [](const std::set<std::string>& names) {
    return joined(std::vector<std::string>(names.begin(), names.end()), ", ");
  };
  if (judged.empty()) return "No speed was judged.";
  return others.empty() ? ""
                        : fmt::format("Speed was judged for {} only; checked for correct runs alone: {}.",
                                      listed(judged), listed(others));
}

namespace {

/// " (3 retries)"; empty: none.
std::string in_brackets(int number, std::string_view one, std::string_view several) {
  return number == 0 ? "" : fmt::format(" ({} {})", number, number == 1 ? one : several);
}

/// "the other 8 left 9 results: 7 of benchmarks, 2 of screens (a run may print several)."; empty: none
/// counts.
std::string left_results(const Tally& tally, bool is_rest) {
  const int results = tally.results + tally.screens;
  if (tally.runs == 0) return "";
  const std::string who = !is_rest          ? (tally.runs == 1 ? "It" : "They")
                          : tally.runs == 1 ? "the other one"
                                            : fmt::format("the other {}", tally.runs);
  std::string text = fmt::format("{} left {}", who, plural(results, "result"));
  if (tally.results > 0 && tally.screens > 0)
    text += fmt::format(": {} of benchmarks, {} of screens", tally.results, tally.screens);
  return text + (results == tally.runs ? "." : " (a run may print several).");
}

}  // namespace

std::string derived_counts(const Tally& tally) {
  if (tally.attempts == 0) return "";
  // How often logs that were made elsewhere were tried for is not known.
  std::string text =
      tally.made_elsewhere
          ? fmt::format("{}: {} with a valid result", plural(tally.cases, "logged run"), tally.succeeded)
          : fmt::format("{}{}; {}{}: {} succeeded", plural(tally.cases, "case"),
                        in_brackets(tally.not_run, "not run", "not run"), plural(tally.attempts, "attempt"),
                        in_brackets(tally.repeats, "repeat", "repeats"), tally.succeeded);
  for (const auto& [number, word] :
       {std::pair(tally.failed, std::string_view(tally.made_elsewhere ? "without a result" : "failed")),
        std::pair(tally.not_valid, not_valid_word(tally.not_valid, tally.unknown)),
        std::pair(tally.stopped, std::string_view("stopped"))})
    if (number > 0) text += fmt::format(", {} {}", number, word);
  std::vector<std::string> parts;
  if (tally.without_result > 0) parts.push_back(fmt::format("{} left no result", tally.without_result));
  if (tally.set_aside > 0)
    parts.push_back(
        tally.set_aside == 1
            ? "1 was disturbed: the speed of its repeat counts instead"
            : fmt::format("{} were disturbed: the speeds of their repeats count instead", tally.set_aside));
  std::string left = left_results(tally, !parts.empty());
  text += ". " + joined(parts, "; ") + (parts.empty() ? "" : left.empty() ? "." : "; ") + left;
  if (tally.disturbed > 0) {
    text += fmt::format(" {} disturbed.", plural(tally.disturbed, "attempt"));
  }
  return text;
}

std::string eligibility(const Tally& tally) {
  std::string text = fmt::format("{} of {} eligible for official lists", tally.eligible,
                                 plural(tally.candidates, "benchmark result") +
                                     (tally.has_sets ? " (runs that make one score count as one)" : ""));
  if (!tally.ineligible.empty()) text += fmt::format(" ({})", tally.ineligible);
  if (tally.eligibility_open > 0)
    text += fmt::format("; not decided for {}: the log does not show {}", tally.eligibility_open,
                        tally.open_rules);
  return text;
}

std::string run_counts(const Tally& tally) {
  std::string text = fmt::format("{} of {} {}.", tally.ran, tally.cases, ran_words(tally));
  if (const std::string derived = derived_counts(tally); !derived.empty()) text += " " + derived;
  text += fmt::format(" {}.", eligibility(tally));
  return text + (tally.exceptions > 0 ? fmt::format(" {}.", plural(tally.exceptions, "exception")) : "");
}

std::string verdict_text(const CriterionResult& result) {
  return fmt::format("{}{}", verdict_name(result.verdict), result.waived ? ", waived" : "");
}

std::string_view verdict_name(Verdict verdict) {
  if (verdict == Verdict::not_run) return "no result";
  return verdict == Verdict::not_comparable ? "not comparable" : to_string(verdict);
}

}  // namespace shakedown
