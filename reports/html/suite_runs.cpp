#include "reports/html/suite_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/rules/finding.hpp"
#include "reports/html/case_text.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/other_cases.hpp"
#include "reports/html/rule_table.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/set_score.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_runs = 14;

struct RunRow {
  Fields fields;
  bool remarkable = false;
};

Fields state_of(Fields row, RunState state, std::string_view word) {
  return row.text("class", verdict_class(as_verdict(state)))
      .markup("icon", state_icon(state))
      .text("word", word);
}

/// Of a log made elsewhere what tells it from the others; empty: it is the only one.
std::string log_name(const CampaignRecord& campaign, const Case& planned) {
  return origins_folder(campaign).empty() ? "" : short_origins(campaign, planned.origin);
}

/// Whether an attempt that counts was disturbed.
bool is_disturbed(const Judgement& judgement, const std::string& case_id, int attempt) {
  return std::ranges::any_of(judgement.disturbances, [&](const Disturbance& each) {
    return each.case_id == case_id && each.attempt == attempt &&
           each.cause != Disturbance::Cause::not_recorded;
  });
}

/// Whether a result that counts is of another training than the case's own: what that one starts from.
bool is_first_part(const MeasuredCase& of, const AttemptRecord& attempt, const ResultRecord& result) {
  return std::ranges::any_of(of.own, [&](const CountedResult& own) { return own.attempt == &attempt; }) &&
         std::ranges::none_of(of.own, [&](const CountedResult& own) { return own.result == &result; });
}

/// IO500's phases that write, where they ended before their stonewall: their data were too few for it.
std::string ended_early(const ResultRecord& result) {
  const auto stonewall = whole_parameter(result.parsed.parameters, "stonewall_s");
  if (!stonewall) return "";
  const auto early = std::ranges::count_if(result.parsed.phases, [&](const Phase& phase) {
    return phase.name.ends_with("-write") && phase.scored && phase.time_s > 0 &&
           phase.time_s < static_cast<double>(*stonewall);
  });
  return early == 0 ? ""
                    : fmt::format("{} of its 4 write phases ran out of data before the stonewall of {} s",
                                  early, *stonewall);
}

/// What a value rests on: of a training the quality that it reached beside its target; of HPL's log that was
/// made elsewhere, which has no wall time, the solver's time and the residual.
std::string beside_value(const Case& planned, const ResultRecord* result) {
  if (result == nullptr) return "";
  if (result->parsed.metric("final_quality") != nullptr && result->parsed.metric("target_quality") != nullptr)
    return fmt::format("quality {}, target {} {}", value_of(result, "final_quality"),
                       value_of(result, "target_quality"),
                       result->parsed.metric("time_to_train_min") == nullptr ? "missed" : "reached");
  if (planned.origin.empty() || result->parsed.metric("residual") == nullptr) return "";
  return fmt::format("in {}, residual {}", value_of(result, "time_s"), value_of(result, "residual"));
}

/// An attempt, or one of the results of its log.
RunRow run_row(const ReportInput& input, const MeasuredCase& of, const AttemptRecord& attempt,
               const ResultRecord* result, const std::string& metric) {
  const CampaignRecord& campaign = input.campaign;
  RunRow made;
  std::vector<std::string> remarks;
  if (!attempt.failure.empty()) remarks.push_back(attempt.failure);
  if (!attempt.set_aside.empty())
    remarks.emplace_back("disturbed: its speed does not count, that of its repeat does");
  if (is_disturbed(input.judgement, of.planned.id, attempt.index)) remarks.emplace_back("disturbed");
  if (result != nullptr && is_first_part(of, attempt, *result))
    remarks.emplace_back("the training that the case's own one starts from");
  const bool only_short = result != nullptr && valid_but_for_length(campaign, *result);
  if (only_short) remarks.push_back(correct_but_short(result->parsed.suite));
  if (result != nullptr)
    if (std::string early = ended_early(*result); !early.empty()) remarks.push_back(std::move(early));
  const std::string hosts = other_hosts(of.planned, attempt);
  Fields row;
  std::string name =
      of.attempts.size() == 1 ? of.planned.id : fmt::format("{}, attempt {}", of.planned.id, attempt.index);
  if (const std::string benchmark = benchmark_among(attempt, result); !benchmark.empty())
    name += ": " + benchmark;
  row.text("name", name)
      .text_if("where", !of.planned.origin.empty() ? log_name(campaign, of.planned)
                        : hosts.empty()            ? ""
                                                   : "on " + hosts)
      .text("value", value_of(result, metric))
      .text_if("beside", beside_value(of.planned, result))
      .text("wall", of.planned.origin.empty()
                        ? (attempt.finished_s > 0 ? duration_text(attempt.wall_s) : std::string(dash))
                        : (result == nullptr ? std::string(dash) : started_text(result->parsed)))
      .text_if("remark", joined(remarks, "; "));
  const RunState state = run_state(campaign, of, attempt, result);
  made.fields = state_of(std::move(row), state, capitalised(run_state_text(campaign, of, attempt, result)));
  made.remarkable = !remarks.empty() || (state != RunState::valid && state != RunState::complete);
  return made;
}

/// Those of a group that measured like each other.
RunRow shared_run_row(const ReportInput& input, const LikeNodes& group, const std::string& metric) {
  std::vector<double> points;
  std::string_view least_of;
  double longest = 0;
  std::int64_t disturbed = 0;
  for (const std::size_t i : group.ordinary) {
    const MeasuredCase& each = input.measured.cases[i];
    if (is_disturbed(input.judgement, each.planned.id, each.attempts.front().index)) ++disturbed;
    longest = std::max(longest, each.attempts.front().wall_s);
    for (const CountedResult& counted : each.own)
      if (const Metric* found = counted.result->parsed.metric(metric)) {
        if (points.empty() || found->value < *std::ranges::min_element(points)) least_of = each.planned.id;
        points.push_back(found->value);
      }
  }
  Fields row;
  const auto count = static_cast<std::int64_t>(group.ordinary.size());
  row.text("name", group.repeated ? plural(count, "run")
                   : input.measured.cases[group.ordinary.front()].planned.confirms
                       ? fmt::format("{} on suspect nodes, one each", plural(count, "repeat"))
                       : fmt::format("{} of one node each", plural(count, "case")))
      .text_if("where", points.empty()
                            ? ""
                            : fmt::format("least {} ({})",
                                          metric_text(metric, *std::ranges::min_element(points)), least_of))
      .text("value", points.empty() ? std::string(dash)
                                    : fmt::format("median of these {}: {}", points.size(),
                                                  metric_text(metric, median(points))))
      .text("wall", fmt::format("up to {}", duration_text(longest)))
      .text_if("remark", disturbed > 0 ? fmt::format("{} disturbed", disturbed) : "");
  const bool unruled =
      input.measured.cases[group.ordinary.front()].attempts.front().results.front().rules.empty();
  return {unruled ? state_of(std::move(row), RunState::complete, "All complete")
                  : state_of(std::move(row), RunState::valid, "All valid"),
          true};
}

}  // namespace

SuiteRuns suite_runs(const ReportInput& input, std::string_view suite, const std::string& metric) {
  std::vector<RunRow> all;
  std::set<std::size_t> shared;
  for (const LikeNodes& group : like_nodes(input.measured)) {
    if (group.ordinary.size() < 3 || input.measured.cases[group.cases.front()].planned.suite != suite)
      continue;
    shared.insert(group.ordinary.begin(), group.ordinary.end());
    all.push_back(shared_run_row(input, group, metric));
  }
  for (std::size_t i = 0; i < input.measured.cases.size(); ++i) {
    const MeasuredCase& each = input.measured.cases[i];
    if (each.planned.suite != suite || shared.contains(i)) continue;
    for (const AttemptRecord& attempt : each.attempts) {
      if (attempt.results.empty()) all.push_back(run_row(input, each, attempt, nullptr, metric));
      for (const ResultRecord& result : attempt.results)
        all.push_back(run_row(input, each, attempt, &result, metric));
    }
    if (!each.attempts.empty() && each.not_run.empty()) continue;
    Fields row;
    row.text("name", each.planned.id)
        .text_if("where", "")
        .text("value", std::string(dash))
        .text("wall", std::string(dash))
        .text_if("remark", each.not_run);
    const bool again = !each.attempts.empty();
    all.push_back(
        {state_of(std::move(row), RunState::not_run,
                  again ? "Not run again" : capitalised(to_string(run_state(input.campaign, each)))),
         true});
  }
  SuiteRuns runs;
  if (all.size() > most_runs) std::ranges::stable_partition(all, &RunRow::remarkable);
  runs.left_out = all.size() - std::min(most_runs, all.size());
  all.resize(all.size() - runs.left_out);
  runs.rows.reserve(all.size());
  for (RunRow& row : all) runs.rows.push_back(std::move(row.fields));
  return runs;
}

namespace {

/// A rule with the results that break it.
struct BrokenRule {
  const RuleResult* first = nullptr;
  bool is_short = false;
  bool differ = false;  ///< the values of the others
  std::int64_t results = 0;
};

std::string_view effect_of(const BrokenRule& broken) {
  if (broken.is_short) return "short by design: it does not affect the verdict";
  return broken.first->severity == Severity::validity      ? "the result is invalid"
         : broken.first->severity == Severity::eligibility ? "not eligible for the list"
                                                           : "the result stays valid";
}

/// Calls `visit` with every case of a suite and each of its results that counts.
template <class Visit>
void for_each_result(const ReportInput& input, std::string_view suite, Visit visit) {
  for (const MeasuredCase& each : input.measured.cases)
    if (each.planned.suite == suite)
      for (const CountedResult& counted : each.counted) visit(each, *counted.result);
}

}  // namespace

std::vector<Fields> broken_rules(const ReportInput& input, std::string_view suite) {
  std::map<std::string_view, BrokenRule> found;
  std::int64_t results = 0;
  for_each_result(input, suite, [&](const MeasuredCase&, const ResultRecord& result) {
    ++results;
    for (const RuleResult& rule : result.rules) {
      if (rule.status != RuleStatus::fail) continue;
      BrokenRule& broken = found[rule.id];
      ++broken.results;
      if (broken.first != nullptr) {
        broken.differ = broken.differ || broken.first->value != rule.value;
        continue;
      }
      broken.first = &rule;
      broken.is_short = short_by_design(input.campaign, result, rule);
    }
  });
  std::vector<BrokenRule> rules;
  rules.reserve(found.size());
  for (const auto& [id, broken] : found) rules.push_back(broken);
  std::ranges::stable_sort(rules, {}, [](const BrokenRule& broken) { return broken.first->severity; });
  return rows_of(rules, [&](const BrokenRule& broken) {
    std::string effect(effect_of(broken));
    if (results > 1)
      effect += fmt::format("; {} of {} results{}", broken.results, results,
                            broken.differ ? ", this value is the first's" : "");
    return Fields()
        .text("rule", broken.first->id)
        .text("title", broken.first->title)
        .text("value", broken.first->value.empty() ? broken.first->text : broken.first->value)
        .text("effect", effect);
  });
}

std::string open_rules(const ReportInput& input, std::string_view suite) {
  std::set<std::string_view> broken;
  std::set<std::string_view> unknown;
  for_each_result(input, suite, [&](const MeasuredCase& record, const ResultRecord& result) {
    for (const RuleResult& rule : result.rules)
      if (rule.status == RuleStatus::fail)
        broken.insert(rule.id);
      else if (rule.status == RuleStatus::unknown && result.parsed.complete &&
               !checked_on_set(input.campaign, record, rule.id))
        unknown.insert(rule.id);
  });
  std::erase_if(unknown, [&](std::string_view id) { return broken.contains(id); });
  std::vector<std::string> parts;
  if (!broken.empty())
    parts.push_back("not kept " + joined(std::vector<std::string>(broken.begin(), broken.end()), ", "));
  if (!unknown.empty())
    parts.push_back("not checked " + joined(std::vector<std::string>(unknown.begin(), unknown.end()), ", "));
  return joined(parts, "; ");
}

UncheckedRules unchecked_rules(const ReportInput& input, std::string_view suite) {
  struct Open {
    std::string_view title;
    std::set<std::string_view> reasons;
    std::int64_t results = 0;  ///< in which the rule could not be checked
    bool of_list = false;
  };
  std::map<std::string_view, Open> open;
  std::set<std::string_view> broken;  // what one result breaks is no rule that could not be checked
  for_each_result(input, suite, [&](const MeasuredCase&, const ResultRecord& result) {
    for (const RuleResult& rule : result.rules)
      if (rule.status == RuleStatus::fail) broken.insert(rule.id);
  });
  bool all_valid = true;
  std::int64_t results = 0;
  for_each_result(input, suite, [&](const MeasuredCase& record, const ResultRecord& result) {
    if (!result.parsed.complete) return;  // no result: none of its rules could be checked
    ++results;
    all_valid = all_valid && result.validity == Validity::valid;
    for (const RuleResult& rule : result.rules)
      if (rule.status == RuleStatus::unknown && !broken.contains(rule.id) &&
          !checked_on_set(input.campaign, record, rule.id)) {
        Open& found = open[rule.id];
        found.title = rule.title;
        if (!rule.text.empty()) found.reasons.insert(rule.text);
        found.of_list = is_of_list(suite, rule);
        ++found.results;
      }
  });
  if (open.empty()) return {};
  std::vector<std::string> of_list;
  for (const auto& [id, found] : open)
    if (found.of_list) of_list.emplace_back(id);
  return {fmt::format("Not checked{}, as log and inventory do not show what {}. {}",
                      results == 1 ? "" : fmt::format(" in {} results", results),
                      open.size() == 1 ? "this rule asks for" : "these rules ask for",
                      effect_of_unchecked(all_valid, open.size(), of_list)),
          rows_of(open, [&](const auto& rule) {
            const auto& [id, found] = rule;
            return Fields()
                .text("rule", id)
                .text("title", found.of_list && found.reasons.size() == 1
                                   ? fmt::format("{}: {}", found.title, *found.reasons.begin())
                                   : std::string(found.title))
                .text_if("some", found.results == results ? "" : fmt::format("in {} of them", found.results));
          })};
}

}  // namespace shakedown
