#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"
#include "parsers/rules/finding.hpp"

namespace shakedown::rules {
namespace {

/// The check of the product in one precision; `prefix` is that of its facts.
Finding verified_in(const Evidence& evidence, const std::string& prefix) {
  const ParsedResult& result = *evidence.result;
  const Fact* fact = result.fact(prefix + "verification");
  if (fact == nullptr)
    return unknown(result.reason.empty() ? "the report has no verification" : result.reason);
  const Fact* error = result.fact(prefix + "verification_error");
  const Fact* bound = result.fact(prefix + "verification_bound");
  std::string value = fact->value;
  if (error != nullptr && bound != nullptr) {
    value += fmt::format(", error {} with bound {}", error->value, bound->value);
    const auto measured = finite_number(error->value);
    const auto limit = finite_number(bound->value);
    if (!measured || !limit || *measured > *limit)
      return failed(value, fact->line, "the error of the product is not within its bound");
  }
  return checked(fact->value == "PASSED", value, fact->line, "the product is wrong");
}

Finding verified(const Evidence& evidence) {
  return verified_in(evidence, "");
}

/// The trials' rates as printed.
std::vector<std::string_view> trials(const ParsedResult& result, const std::string& prefix) {
  std::vector<std::string_view> rates;
  for (const Fact& fact : result.facts)
    if (fact.name.starts_with(prefix + "trial ")) rates.push_back(words(fact.value).front());
  return rates;
}

Finding best_of_trials_in(const Evidence& evidence, const char* metric, const std::string& prefix) {
  const ParsedResult& result = *evidence.result;
  const Metric* best = result.metric(metric);
  const Fact* printed = result.fact(prefix + "best_printed");
  const auto rates = trials(result, prefix);
  if (best == nullptr || printed == nullptr || rates.empty())
    return unknown("the report has no best rate or no trials");
  double largest = 0;
  double rounding = 0;
  for (const std::string_view rate : rates)
    if (const auto value = finite_number(rate); value && *value > largest) {
      largest = *value;
      rounding = half_unit(rate);
    }
  return checked(
      std::abs(best->value - largest) <= (half_unit(printed->value) + rounding) * (1 + 1e-9),
      fmt::format("{} of {} trials, the best {}", printed->value, rates.size(), number(largest, 9)),
      best->line, "the best rate is not that of the best trial");
}

Finding best_of_trials(const Evidence& evidence) {
  return best_of_trials_in(evidence, "fp64_gflops", "");
}

/// Reports of before FP32 was measured have none.
Finding fp32(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Metric* rate = result.metric("fp32_gflops");
  if (rate == nullptr) return not_applicable("the report has no rate in FP32");
  Finding check = verified_in(evidence, "fp32_");
  return check.status == RuleStatus::pass ? best_of_trials_in(evidence, "fp32_gflops", "fp32_") : check;
}

Finding steady(const Evidence& evidence) {
  constexpr double most_pct = 5.0;
  const Metric* spread = evidence.result->metric("spread_pct");
  if (spread == nullptr) return unknown("the report has no spread");
  return checked(spread->value <= most_pct, fmt::format("{} %", number(spread->value, 3)), spread->line,
                 "the trials differ by more than 5 %: the machine was disturbed or its clock is not steady");
}

constexpr std::array gemm_table = {
    Rule{"GEMM-01", Severity::validity, "The product is verified against its error bound",
         "shakedown's GEMM program, its own check", verified},
    Rule{"GEMM-02", Severity::validity, "The best rate is that of the best trial",
         "shakedown's GEMM program, report", best_of_trials},
    Rule{"GEMM-02b", Severity::validity, "The FP32 product is verified and its rate that of its best trial",
         "shakedown's GEMM program, its own check", fp32},
    Rule{"GEMM-03", Severity::warning, "The trials agree within 5 %",
         "node screening practice: GEMM spread <= 3-5 %", steady},
};

std::vector<RuleResult> judge_gemm(const Evidence& evidence) {
  return applied(gemm_table, evidence);
}

}  // namespace

extern const RuleBook gemm;
const RuleBook gemm = {.suite = "gemm", .own_check = "GEMM-01", .judge = judge_gemm};

}  // namespace shakedown::rules
