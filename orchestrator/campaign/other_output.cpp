#include "orchestrator/campaign/other_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "orchestrator/campaign/run_files.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "parsers/parser.hpp"
#include "parsers/rules/rule.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

/// A summary on the terminal may have fewer digits than the file: at least three.
bool same_value(double a, double b) {
  constexpr double rounding = 0.005;
  return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
}

/// The results of a suite in one of a program's two streams.
std::vector<ParsedResult> printed_results(const Case& planned, const std::filesystem::path& stream) {
  const auto known = parsers();
  const auto parser =
      std::find_if(known.begin(), known.end(), [&](const Parser* p) { return p->id == planned.parser; });
  auto text = TextSource::file(stream);
  if (parser == known.end() || !text) return {};
  auto results = parsed_by(**parser, *text);
  return results ? *std::move(results) : std::vector<ParsedResult>();
}

/// Adds to `compared` how many values both have; returns the first that the file does not have.
std::string other_value(const AttemptRecord& attempt, const ParsedResult& printed, const std::string& name,
                        int& compared) {
  const SuiteFacts* facts = suite_facts(printed.suite);
  if (facts == nullptr) return "";
  for (const Headline& headline : facts->headlines) {
    const Metric* value = printed.metric(headline.metric);
    if (value == nullptr) continue;
    const Metric* last = nullptr;
    bool same = false;
    for (const ResultRecord& each : attempt.results)
      if (const Metric* found = each.parsed.metric(headline.metric)) {
        last = found;
        same = same || same_value(found->value, value->value);
      }
    if (last == nullptr) continue;
    ++compared;
    if (!same)
      return fmt::format("{} in {}, line {}, and {} in the log that is read",
                         metric_text(headline.metric, value->value), name, value->line,
                         metric_text(headline.metric, last->value));
  }
  return "";
}

}  // namespace

void judge_other_output(AttemptRecord& attempt, const Case& planned, const std::filesystem::path& folder) {
  if (planned.parser.empty() || attempt.results.empty()) return;
  int compared = 0;
  std::string other;
  for (const std::string name : {"stdout.log", "stderr.log"}) {
    const bool holds_result = (planned.result_file.empty() ? "stdout.log" : planned.result_file) == name;
    if (holds_result || attempt.results.front().file == name) continue;
    for (const ParsedResult& printed : printed_results(planned, folder / name))
      if (other.empty()) other = other_value(attempt, printed, name, compared);
  }
  const std::string several = result_files(folder, planned.result_file).warning;
  if (compared == 0 && several.empty()) return;
  RuleResult rule;
  rule.id = "IMPL-04";
  rule.title = "The program's streams hold no other result than the log that is read";
  rule.source = "the files, as the attempt left them";
  rule.status = !other.empty() ? RuleStatus::fail : !several.empty() ? RuleStatus::unknown : RuleStatus::pass;
  rule.value = fmt::format("{} value{} in both", compared, compared == 1 ? "" : "s");
  rule.text = other.empty() ? several : other;
  for (ResultRecord& result : attempt.results) {
    if (result.rules.empty() && other.empty()) continue;
    result.rules.push_back(rule);
    if (!other.empty()) result.validity = Validity::invalid;
  }
}

}  // namespace shakedown
