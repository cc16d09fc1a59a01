#include <fmt/format.h>

#include <array>
#include <string>
#include <tuple>

#include "orchestrator/core/units.hpp"
#include "parsers/hpl_mxp/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr double mxp_residual_limit = 16.0;

/// A norm of exactly zero is no solution's: it remains where the vectors overflowed.
bool is_exact_zero(const Fact* fact) {
  if (fact == nullptr || !is_whole_exponential(fact->value)) return false;
  const auto value = finite_number(fact->value);
  return value && *value == 0;
}

Finding hpl_mxp_own_check(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* check = result.fact("residual_check");
  const Fact* printed = result.fact("residual_printed");
  if (check == nullptr && printed == nullptr) return unknown("the log has no whole residual check");
  const int line = check != nullptr ? check->line : printed->line;
  const std::string word = check != nullptr ? " " + check->value : "";
  const std::string value = fmt::format("residual {}{}", printed == nullptr ? "?" : printed->value, word);
  if (check != nullptr && check->value != "PASSED")
    return failed(value, line, "the run failed its own residual check");
  const Metric* residual = result.metric("residual");
  if (residual == nullptr) {
    if (printed != nullptr && printed->value.starts_with('-'))
      return failed(value, line, "the refinement did not converge: the residual is below zero");
    if (printed != nullptr) return failed(value, line, "a residual that is no number can't pass");
    return unknown("the log has the verdict without the residual", value, line);
  }
  if (residual->value < 0)
    return failed(value, line, "the refinement did not converge: the residual is below zero");
  if (residual->value >= mxp_residual_limit)
    return failed(value, line, "the scaled residual is not below 16.0");
  if (is_exact_zero(result.fact("||Ax-b||_oo")) || is_exact_zero(printed))
    return failed(value, line, "a residual of exactly zero: the vectors overflowed");
  const auto count = [&](const char* name) -> std::optional<std::int64_t> {
    const Fact* fact = result.fact(name);
    if (fact == nullptr) return std::nullopt;
    const auto parsed = parsed_integer(fact->value);
    return parsed ? std::optional(*parsed) : std::nullopt;
  };
  for (const auto& [footer, rows, said] : {std::tuple("tests_passed", "rows_passed", "passed"),
                                           std::tuple("tests_failed", "rows_failed", "failed")}) {
    const auto counted = count(footer);
    const auto seen = count(rows);
    if (counted && seen && *seen > *counted)
      return failed(
          value, result.fact(footer)->line,
          fmt::format("the footer counts {} tests that {}, the log shows {}", *counted, said, *seen));
  }
  return passed(value, line);
}

Finding residual_from_norms(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto residual = printed_interval(result, "residual_printed");
  const auto Ax_b = printed_interval(result, "||Ax-b||_oo");
  const auto A = printed_interval(result, "||A||_oo");
  const auto x = printed_interval(result, "||x||_oo");
  const auto b = printed_interval(result, "||b||_oo");
  const auto eps = printed_interval(result, "eps");
  const auto N = whole_parameter(result.parameters, "N");
  if (!residual || !Ax_b || !A || !x || !b || !eps || !N) return unknown("the log does not print the norms");
  const auto n = static_cast<double>(*N);
  const PrintedInterval expected{Ax_b->low / (eps->high * n * (A->high * x->high + b->high)),
                                 Ax_b->high / (eps->low * n * (A->low * x->low + b->low)),
                                 residual->line,
                                 {}};
  return checked(residual->holds(expected),
                 fmt::format("{}; the norms give {}", residual->printed, expected.text()), residual->line,
                 "the residual does not follow from the norms printed beside it");
}

Finding residual_of_last_step(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto norm = printed_interval(result, "||Ax-b||_oo");
  const auto last_norm = printed_interval(result, "last_norm");
  if (!norm || !last_norm) return unknown("the log does not print the refinement's steps");
  if (norm->printed.starts_with('-'))
    return unknown("the refinement did not converge", norm->printed, norm->line);
  const std::string value = fmt::format("{}; the last step printed {}", norm->printed, last_norm->printed);
  if (!norm->holds(*last_norm))
    return failed(value, norm->line, "the residual is not that of the last refinement step");
  const auto residual = printed_interval(result, "residual_printed");
  const auto last = printed_interval(result, "last_residual");
  if (residual && last && !residual->holds(*last))
    return failed(fmt::format("{}; the last step printed {}", residual->printed, last->printed),
                  residual->line, "the scaled residual is not that of the last refinement step");
  return passed(value, norm->line);
}

/// Bits of a precision by its name: "FP8", "BF16", "16 bit".
std::optional<std::int64_t> bits_of(std::string_view name) {
  const size_t first = name.find_first_of("0123456789");
  if (first == std::string_view::npos || name.starts_with("sloppy-type")) return std::nullopt;
  const size_t end = name.find_first_not_of("0123456789", first);
  return positive_integer(name.substr(first, end == std::string_view::npos ? end : end - first));
}

Finding lowest_precision(const Evidence& evidence) {
  constexpr std::int64_t least_bits = 16;
  constexpr Day list = 20250610;  // publication of the June 2025 list
  const Value* precision = find_parameter(evidence.result->parameters, "precision");
  if (precision == nullptr) return unknown("the log does not print the factorisation's precision");
  const std::string name = value_text(*precision);
  const auto bits = bits_of(name);
  if (!bits) return unknown("the width of this precision is not known", name);
  if (*bits >= least_bits) return passed(name);
  const auto day = earliest_day(*evidence.result);
  if (!day) return unknown("the log has no date of the run", name);
  const std::string value = fmt::format("{}, {}", name, day->because);
  if (day->day > list)
    return failed(value, day->line,
                  "results submitted after the list of June 2025 have 16 bits or more in all operations");
  if (!day->exact) return unknown("the log has no date of the run", value, day->line);
  return passed(value, day->line, "the rules until the list of June 2025 allowed it");
}

Finding whole_solution(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Metric* rate = result.metric("rmax_gflops");
  if (const Fact* skipped = result.fact("skipped"))
    return failed("skipped " + skipped->value, skipped->line, "the run skipped a part of the solution");
  if (const Fact* mode = result.fact("factorisation"); mode != nullptr && mode->value != "full")
    return failed(mode->value, mode->line, "the factorisation was stopped early: a run for tuning");
  if (rate == nullptr) return unknown("the log has no rate");
  const Metric* factorisation = result.metric("lu_gflops");
  if (factorisation == nullptr) {
    if (const Fact* one = result.fact("one_rate"))
      return unknown("whether the row's time includes the refinement is not printed", one->value, one->line);
    return passed(flops_text(rate->value), rate->line);
  }
  return checked(rate->value <= factorisation->value,
                 fmt::format("{} of both parts, {} of the factorisation", flops_text(rate->value),
                             flops_text(factorisation->value)),
                 rate->line,
                 "the whole solution can't be faster than its factorisation: the two rates are swapped");
}

Finding hard_matrix(const Evidence& evidence) {
  const Fact* matrix = evidence.result->fact("matrix");
  if (matrix == nullptr) return unknown("the log does not print how the matrix was generated");
  return checked(matrix->value != "ddmat" && matrix->value != "diagonally dominant", matrix->value,
                 matrix->line, "the matrix is strictly diagonally dominant: for tests only");
}

constexpr std::array hpl_mxp_numerics_table = {
    Rule{"MXP-01", Severity::validity,
         "The scaled residual is below 16.0, and where the log has a verdict it is PASSED",
         "HPL-MxP, rules; hpl-ai, hpl-ai.c", hpl_mxp_own_check},
    Rule{"MXP-01b", Severity::validity, "The residual follows from the norms, where they are printed",
         "HPL-MxP, rules", residual_from_norms},
    Rule{"MXP-01c", Severity::validity, "The residual is that of the last refinement step",
         "RIKEN-RCCS/hpl-ai, iterative_refinement.hpp", residual_of_last_step},
    Rule{"MXP-02", Severity::eligibility, "The lowest precision has 16 bits or more",
         "HPL-MxP, rules since the list of June 2025", lowest_precision},
    Rule{"MXP-03", Severity::validity,
         "The rate is that of the whole solution: full factorisation and refinement", "HPL-MxP, rules",
         whole_solution},
    Rule{"MXP-05", Severity::warning, "The matrix is not strictly diagonally dominant", "HPL-MxP, rules",
         hard_matrix},
};

}  // namespace

std::span<const Rule> hpl_mxp_numerics_rules() {
  return hpl_mxp_numerics_table;
}

}  // namespace shakedown
