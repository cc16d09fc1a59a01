#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

/// The precisions beside FP64; a report has those that were measured.
Finding further_precisions(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  std::vector<std::string> values;
  int line = 0;
  for (const char* precision : {"fp32", "tf32", "bf16", "fp16", "fp8"}) {
    const std::string rate = fmt::format("{}_gflops", precision);
    const std::string prefix = fmt::format("{}_", precision);
    const bool begun = !trials(result, prefix).empty();
    if (result.metric(rate) == nullptr && !begun) continue;
    Finding check = verified_in(evidence, prefix);
    if (check.status == RuleStatus::pass) check = best_of_trials_in(evidence, rate.c_str(), prefix);
    // A whole report without the check of a precision that it has a rate of.
    if (check.status == RuleStatus::unknown && result.complete)
      check = failed(rate, 0, "the product is not verified, or its best rate is missing");
    if (check.status != RuleStatus::pass) {
      check.value = fmt::format("{} {}", upper(precision), check.value);
      return check;
    }
    values.push_back(fmt::format("{} {}", upper(precision), check.value));
    line = check.line;
  }
  if (values.empty()) return not_applicable("the report has no rate but in FP64");
  return passed(joined(values, "; "), line);
}

/// What each GPU gave alone, of the same products on equal devices.
Finding equal_gpus(const Evidence& evidence) {
  constexpr double most_pct = 5.0;
  const Metric* least = evidence.result->metric("gpu_min_fp64_gflops");
  const Metric* most = evidence.result->metric("gpu_max_fp64_gflops");
  if (least == nullptr || most == nullptr) return not_applicable("no GPU was measured alone");
  const double below = (1 - least->value / most->value) * 100;
  return checked(
      below <= most_pct,
      fmt::format("{} to {}, {} %", flops_text(least->value), flops_text(most->value), number(below, 2)),
      least->line, "a GPU alone is more than 5 % slower than the fastest of its node");
}

Finding steady(const Evidence& evidence) {
  constexpr double most_pct = 5.0;
  const Metric* spread = evidence.result->metric("spread_pct");
  if (spread == nullptr) return unknown("the report has no spread");
  for (const Metric& each : evidence.result->metrics)
    if (each.name.ends_with("_spread_pct") && each.value > spread->value) spread = &each;
  return checked(spread->value <= most_pct, fmt::format("{} %", number(spread->value, 3)), spread->line,
                 "the trials differ by more than 5 %: the machine was disturbed or its clock is not steady");
}

constexpr std::array gemm_table = {
    Rule{"GEMM-01", Severity::validity, "The product is verified against its error bound",
         "shakedown's GEMM program, its own check", verified},
    Rule{"GEMM-02", Severity::validity, "The best rate is that of the best trial",
         "shakedown's GEMM program, report", best_of_trials},
    Rule{"GEMM-02b", Severity::validity,
         "The products in further precisions are verified, and their rates those of their best trials",
         "shakedown's GEMM programs, their own check", further_precisions},
    Rule{"GEMM-03", Severity::warning, "The trials of each precision agree within 5 %",
         "node screening practice: GEMM spread <= 3-5 %", steady},
    Rule{"GEMM-04", Severity::warning, "The GPUs of a node agree within 5 % in FP64",
         "node screening practice: GEMM spread <= 3-5 %", equal_gpus},
};

std::vector<RuleResult> judge_gemm(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied(gemm_table, evidence, std::move(room));
}

}  // namespace

extern const RuleBook gemm;
const RuleBook gemm = {.suite = "gemm", .own_check = "GEMM-01", .judge = judge_gemm};

}  // namespace shakedown::rules
