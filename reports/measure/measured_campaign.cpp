#include "reports/measure/measured_campaign.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

constexpr std::string_view own_implementation = "reference";

std::string planned_benchmark(const Case& planned) {
  if (!planned.benchmark.empty()) return planned.benchmark;
  const Value* named = find_parameter(planned.parameters, "benchmark");
  return named == nullptr ? "" : value_text(*named);
}

std::vector<CountedResult> counted_results(const CaseRecord& record) {
  std::vector<CountedResult> counted;
  for (const AttemptRecord& attempt : record.attempts) {
    if (attempt.state == AttemptState::running || attempt.state == AttemptState::not_started) continue;
    const bool ended = ended_by_itself(attempt);
    for (const ResultRecord& result : attempt.results) {
      const bool holds_any = !result.parsed.metrics.empty() || result.validity != Validity::unknown;
      if (holds_any && (ended || result.parsed.complete)) counted.push_back({&attempt, &result});
    }
  }
  return counted;
}

std::vector<CountedResult> own_results(std::vector<CountedResult> counted, const std::string& benchmark) {
  std::erase_if(counted, [&](const CountedResult& each) {
    if (!each.attempt->set_aside.empty()) return true;
    if (benchmark.empty()) return false;
    const Value* named = find_parameter(each.result->parsed.parameters, "benchmark");
    return named != nullptr && value_text(*named) != benchmark;
  });
  return counted;
}

void put_replacements(std::vector<MeasuredCase>& cases) {
  std::map<std::string_view, const MeasuredCase*> replaced;  // by id
  for (const MeasuredCase& each : cases)
    if (!each.planned.stands_for.empty()) replaced[each.planned.stands_for] = nullptr;
  for (MeasuredCase& each : cases)
    if (const auto it = replaced.find(each.planned.id); it != replaced.end()) {
      it->second = &each;
      each.replaced = true;
    }
  // As often as there are replacements: a record that was tampered with may name a circle.
  for (MeasuredCase& each : cases)
    for (const MeasuredCase* at = &each; each.before.size() < replaced.size();) {
      const auto it = replaced.find(at->planned.stands_for);
      if (it == replaced.end() || it->second == nullptr) break;
      at = it->second;
      each.before.insert(each.before.begin(), at);
    }
}

}  // namespace

MeasuredCase::MeasuredCase(const CaseRecord& record)
    : planned(record.planned),
      attempts(record.attempts),
      not_run(record.not_run),
      benchmark(planned_benchmark(planned)),
      counted(counted_results(record)),
      own(own_results(counted, benchmark)) {}

// What points into its vectors still does when it is moved.
MeasuredCampaign::MeasuredCampaign(CampaignRecord stored)
    : record(std::move(stored)), cases(record.cases.begin(), record.cases.end()) {
  put_replacements(cases);
  by_id_.reserve(cases.size());
  for (const MeasuredCase& each : cases) by_id_.emplace(each.planned.id, &each);
  if (is_external(record)) machines = differing_machines(cases);
}

const MeasuredCase* MeasuredCampaign::case_with(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

bool is_own_program(const Case& planned) {
  return planned.implementation == own_implementation;
}

std::string benchmark_title(std::string_view suite, std::string_view implementation) {
  const SuiteFacts* facts = suite_facts(suite);
  if (implementation == own_implementation && facts != nullptr && !facts->own_title.empty())
    return std::string(facts->own_title);
  return suite_title(suite);
}

std::string benchmark_title(const Case& planned) {
  return benchmark_title(planned.suite, planned.implementation);
}

std::string benchmark_title(const MeasuredCampaign& campaign, std::string_view case_id,
                            std::string_view suite) {
  const MeasuredCase* found = campaign.case_with(case_id);
  if (found != nullptr) return benchmark_title(found->planned);
  const auto first = std::ranges::find_if(
      campaign.cases, [&](const MeasuredCase& each) { return each.planned.suite == suite; });
  return first == campaign.cases.end() ? suite_title(suite) : benchmark_title(first->planned);
}

}  // namespace shakedown
