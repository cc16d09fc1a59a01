#include "reports/html/rule_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <string>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/html/figure.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/set_score.hpp"

namespace shakedown {
namespace {

std::string_view if_broken(Severity severity) {
  return severity == Severity::validity      ? "result invalid"
         : severity == Severity::eligibility ? "not eligible for the list"
                                             : "the result stays valid";
}

}  // namespace

Fields rule_row(const RuleResult& rule, std::string_view remark) {
  const Verdict drawn = as_verdict(rule.status);
  const bool applies = rule.status != RuleStatus::not_applicable;
  Fields row;
  row.text("rule", rule.id)
      .text("title", rule.title)
      .text("source", rule.source)
      .text("value", rule.value)
      .flag("has_value", !rule.value.empty())
      .text_if("text", rule.text)
      .flag("has_line", rule.line > 0)
      .text("line", rule.line > 0 ? fmt::format("{}", rule.line) : "–")
      .text("severity",
            if_broken(rule.severity == Severity::validity && !remark.empty() ? Severity::eligibility
                                                                             : rule.severity))
      .text_if("remark", remark)
      .text("class",
            !applies ? "v-none"
            : rule.status == RuleStatus::fail && (rule.severity != Severity::validity || !remark.empty())
                ? "v-open"
                : verdict_class(drawn))
      .markup("icon", applies ? verdict_icon(drawn) : "")
      .text("status", to_string(rule.status));
  return row;
}

namespace {

/// Results that agree on every rule, with the rules of the first of them.
struct Group {
  std::string signature;
  std::string benchmark;  ///< of a suite of several; else empty
  std::string attempts;
  const ResultRecord* first = nullptr;
};

}  // namespace

std::string effect_of_unchecked(bool valid, std::size_t rules, const std::vector<std::string>& of_list) {
  const std::string_view it = rules == 1 ? "it" : "them";
  if (!valid)
    return fmt::format("The state of the results rests on other rules; {} not count as passed.",
                       rules == 1 ? "this one does" : "these do");
  return of_list.empty() ? fmt::format("The results are valid without {0}, and no list asks for {0}.", it)
                         : fmt::format("The results are valid without {}; a list asks for {}.", it,
                                       joined(of_list, ", "));
}

std::vector<Fields> rule_tables(const CampaignRecord& campaign, const MeasuredCase& record) {
  static constexpr size_t most_groups = 5;
  std::vector<Group> groups;
  for (const AttemptRecord& attempt : record.attempts)
    for (const ResultRecord& result : attempt.results) {
      if (result.rules.empty()) continue;
      const Value* named = find_parameter(result.parsed.parameters, "benchmark");
      const std::string benchmark = named == nullptr ? "" : value_text(*named);
      std::string signature = benchmark + "\n";
      for (const RuleResult& rule : result.rules)
        signature += fmt::format("{} {}\n", rule.id, to_string(rule.status));
      const std::string name = fmt::format("{}", attempt.index);
      Group* known = nullptr;
      for (Group& group : groups)
        if (group.signature == signature) known = &group;
      if (known != nullptr)
        known->attempts += ", " + name;
      else if (groups.size() < most_groups)
        groups.push_back({signature, benchmark, name, &result});
    }
  std::vector<Fields> tables;
  for (const Group& group : groups) {
    std::vector<Fields> rows;
    std::vector<Fields> rest;
    std::vector<std::string> unknown;
    std::vector<std::string> unknown_of_list;
    std::vector<std::string> not_applicable;
    std::int64_t passed = 0;
    std::int64_t of_set = 0;
    for (const RuleResult& rule : group.first->rules) {
      passed += rule.status == RuleStatus::pass ? 1 : 0;
      if (rule.status == RuleStatus::unknown && checked_on_set(campaign, record, rule.id))
        ++of_set;
      else if (rule.status == RuleStatus::unknown)
        unknown.push_back(rule.value.empty()
                              ? fmt::format("{} (“{}”)", rule.id, rule.title)
                              : fmt::format("{} (“{}”: {}, {})", rule.id, rule.title, rule.value, rule.text));
      if (rule.status == RuleStatus::unknown && !checked_on_set(campaign, record, rule.id) &&
          is_of_list(group.first->parsed.suite, rule))
        unknown_of_list.emplace_back(rule.id);
      if (rule.status == RuleStatus::not_applicable) not_applicable.push_back(rule_name(rule.id, rule.title));
      if (rule.status != RuleStatus::fail && rule.status != RuleStatus::pass) continue;
      (rule.status == RuleStatus::fail ? rows : rest)
          .push_back(rule_row(rule, short_by_design(campaign, *group.first, rule) ? short_of_rules : ""));
    }
    const auto open = static_cast<std::int64_t>(unknown.size());
    const std::string counted =
        fmt::format("{} pass, {} not checked, {}{} n/a", plural(passed, "rule"), open,
                    of_set > 0 ? fmt::format("{} checked on the set, ", of_set) : "", not_applicable.size());
    const size_t comma = group.attempts.find(',');
    const std::string of = comma == std::string::npos
                               ? fmt::format("attempt {}", group.attempts)
                               : fmt::format("attempts {}; values of attempt {}", group.attempts,
                                             group.attempts.substr(0, comma));
    tables.push_back(
        Fields()
            .text("of", group.benchmark.empty() ? of : fmt::format("{}, {}", group.benchmark, of))
            .flag("has_rules", !rows.empty())
            .list("rules", std::move(rows))
            .text("counted", counted)
            .text_if("unknown", joined(unknown, "; "))
            .text("unknown_effect", effect_of_unchecked(group.first->validity == Validity::valid,
                                                        unknown.size(), unknown_of_list))
            .text_if("not_applicable", joined(not_applicable, "; "))
            .list("rest", std::move(rest)));
  }
  return tables;
}

namespace {

std::string cache_text(const ParsedResult& result, const Phase& phase) {
  const bool cached = std::any_of(result.facts.begin(), result.facts.end(), [&](const Fact& fact) {
    return fact.name == "cached" && fact.value == phase.name;
  });
  if (!phase.valid) return "[INVALID]";
  return cached ? "cached: may come from the client's own memory; compares with nothing" : "";
}

}  // namespace

std::vector<Fields> phase_rows(const MeasuredCase& record) {
  std::vector<Fields> rows;
  if (record.own.empty()) return rows;
  const ParsedResult& result = record.own.back().result->parsed;
  for (const Phase& phase : result.phases)
    if (phase.scored)
      rows.push_back(Fields()
                         .text("name", phase.name)
                         .text("rate", fmt::format("{} {}", number(phase.value), phase.unit))
                         .text("time", fmt::format("{} s", number(phase.time_s)))
                         .text("cache_text", cache_text(result, phase)));
  return rows;
}

}  // namespace shakedown
