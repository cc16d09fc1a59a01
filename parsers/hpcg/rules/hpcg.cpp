#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "parsers/hpcg/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown::rules {
namespace {

std::vector<RuleResult> judge_hpcg(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied({hpcg_verdict_rules(), hpcg_shape_rules(), hpcg_identity_rules(), hpcg_advice_rules()},
                 evidence, std::move(room));
}

constexpr std::array<std::string_view, 2> hpcg_by_screens = {"HPCG-10", "HPCG-10b"};
constexpr std::array<std::string_view, 2> hpcg_of_list = {"HPCG-01", "HPCG-07"};
constexpr std::array hpcg_run_length = {RunLengthRule{"HPCG-02"}};  // 1800 s

}  // namespace

extern const RuleBook hpcg;
const RuleBook hpcg = {.suite = "hpcg",
                       .own_check = "HPCG-01",
                       .judge = judge_hpcg,
                       .run_length = hpcg_run_length,
                       .by_screens = hpcg_by_screens,
                       .of_list = hpcg_of_list};

}  // namespace shakedown::rules

namespace shakedown {
namespace {

struct Test {
  const char* fact;
  const char* name;
};
constexpr std::array tests = {
    Test{"spectral_test", "spectral convergence"},
    Test{"symmetry_test", "symmetry"},
    Test{"iteration_test", "iteration count"},
    Test{"reproducibility_test", "reproducibility"},
};

Finding declared_valid(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* verdict = result.fact("verdict");
  if (verdict == nullptr)
    return unknown(result.reason.empty() ? "the log has no verdict of HPCG" : result.reason);
  if (verdict->value != "VALID") {
    const Fact* words = result.fact("verdict_words");
    return failed(verdict->value, verdict->line,
                  words != nullptr && words->value.find("because") != std::string::npos
                      ? fmt::format("HPCG declares the result invalid {}",
                                    words->value.substr(0, words->value.find('.')))
                      : "HPCG declares the result invalid");
  }
  if (const Fact* other = result.fact("second_summary"))
    return failed(fmt::format("VALID, and below it '{}'", other->value), other->line,
                  "the report has two final summaries that differ: one of them is not HPCG's");
  std::string passed_tests;
  const char* missing = nullptr;
  for (const auto& [fact, name] : tests) {
    const Fact* outcome = result.fact(fact);
    if (outcome == nullptr) {
      missing = name;
      continue;
    }
    if (outcome->value != "PASSED")
      return failed(fmt::format("VALID, with the {} test {}", name, outcome->value), outcome->line,
                    "HPCG never declares a result valid when one of its tests failed");
    passed_tests += fmt::format("{}{}", passed_tests.empty() ? "" : ", ", name);
  }
  const Metric* rating = result.metric("rating_gflops");
  if (rating == nullptr) return unknown("the rating is no number", verdict->value, verdict->line);
  if (missing != nullptr)
    return unknown(fmt::format("the log does not print how the {} test ended", missing),
                   fmt::format("VALID, {} GFLOP/s", number(rating->value, 6)), verdict->line);
  return passed(fmt::format("VALID, {} GFLOP/s{}{}", number(rating->value, 6),
                            passed_tests.empty() ? "" : "; passed: ", passed_tests),
                verdict->line);
}

/// A test's measure, and the largest value that passes.
struct Bound {
  const char* test;
  const char* measure;
  const char* limit_fact;  ///< null: `limit`
  double limit;
  bool below;  ///< the measure must be smaller, not just no larger
};
constexpr std::array bounds = {
    Bound{"spectral_test", "unpreconditioned_iterations", "unpreconditioned_expected", 0, false},
    Bound{"spectral_test", "preconditioned_iterations", "preconditioned_expected", 0, false},
    Bound{"symmetry_test", "departure_spmv", nullptr, 1.0, false},
    Bound{"symmetry_test", "departure_mg", nullptr, 1.0, false},
    Bound{"reproducibility_test", "residual_variance", nullptr, 1e-6, true},
};

Finding tests_agree(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  int compared = 0;
  for (const Bound& bound : bounds) {
    const Fact* test = result.fact(bound.test);
    const Fact* measure = result.fact(bound.measure);
    if (test == nullptr || measure == nullptr) continue;
    const Fact* limit_fact = bound.limit_fact == nullptr ? nullptr : result.fact(bound.limit_fact);
    if (bound.limit_fact != nullptr && limit_fact == nullptr) continue;
    const auto limit = limit_fact == nullptr ? std::optional(bound.limit) : finite_number(limit_fact->value);
    if (!limit || test->value != "PASSED") continue;
    const auto value = finite_number(measure->value);
    ++compared;
    if (!value || *value > *limit || (bound.below && *value >= *limit))
      return failed(
          fmt::format("{} = {} with at most {}, PASSED", bound.measure, measure->value, number(*limit, 6)),
          measure->line, "a test is printed as passed, and the values below it fail");
  }
  if (compared == 0) return unknown("the log has no passed test with values");
  return passed(fmt::format("{} values within their bounds", compared));
}

/// The shortest time of an official run, in seconds: from the report, else that of HPCG 3.1.
double official_minimum(const ParsedResult& result) {
  const Fact* said = result.fact("official_minimum");
  const auto value = said == nullptr ? std::nullopt : finite_number(said->value);
  return std::max(1800.0, value.value_or(0));
}

Finding hpcg_long_enough(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Metric* time = result.metric("total_time_s");
  if (time == nullptr || result.fact("time_total") == nullptr)
    return unknown("the log does not print how long the benchmark ran");
  const double least = official_minimum(result);
  const bool quick = result.fact("quick_path") != nullptr;
  return checked(
      time->value >= least,
      fmt::format("{} s of {:.0f}{}", result.fact("time_total")->value, least, quick ? ", QuickPath" : ""),
      time->line,
      quick ? "a QuickPath result is official on legacy systems alone, once HPCG's owners confirm it"
            : "the run is too short for the official list");
}

Finding end_agrees(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* total = result.fact("time_total");
  const Metric* time = result.metric("total_time_s");
  const Fact* official = result.fact("official");
  const Fact* execution = result.fact("execution_time");
  if (total == nullptr || time == nullptr || (official == nullptr && execution == nullptr))
    return unknown("the report's time or its end is missing");
  const double least = official_minimum(result);
  if (official != nullptr)
    return checked(time->value >= least, fmt::format("asks for upload after {} s", total->value),
                   official->line, "HPCG asks for the upload of longer runs only");
  if (execution->value != total->value)
    return failed(fmt::format("{} s in the time summary, {} s at the end", total->value, execution->value),
                  execution->line, "the report states two times for one run");
  return checked(time->value < least, fmt::format("{} s, called too short", total->value), execution->line,
                 "HPCG calls no run of this time too short");
}

/// Whether the reference run was executed, by the console or the plan: only NVIDIA's program can skip it.
Finding reference_ran(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* mode = result.fact("benchmark_mode"))
    return failed(mode->value, mode->line,
                  "NVIDIA's benchmark mode leaves the reference run out, so the rating is none");
  if (result.implementation != "nvidia") return not_applicable("only NVIDIA's HPCG has such a mode");
  if (const Fact* started = result.fact("console_started")) return passed("off", started->line);
  if (evidence.planned != nullptr) {
    const auto& arguments = evidence.planned->arguments;
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i] == "--b=1" ||
          (arguments[i] == "--b" && i + 1 < arguments.size() && arguments[i + 1] == "1"))
        return failed("--b 1 in the plan", 0,
                      "NVIDIA's benchmark mode leaves the reference run out, so the rating is none");
    return passed("not in the planned arguments");
  }
  return unknown("not in the report; NVIDIA's console output has it");
}

Finding uncompressed(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* compression = result.fact("l2_compression"))
    return failed(compression->value, compression->line,
                  "by NVIDIA's documentation, results with L2 compression may not be submitted");
  if (result.implementation != "nvidia") return not_applicable("only NVIDIA's HPCG compresses the L2 cache");
  if (const Fact* started = result.fact("console_started")) return passed("off", started->line);
  return unknown("not in the report; NVIDIA's console output has it");
}

constexpr std::array hpcg_verdict_table = {
    Rule{"HPCG-01", Severity::validity, "HPCG declares the result valid, and each of its tests passed",
         "HPCG 3.1, ReportResults.cpp", declared_valid},
    Rule{"HPCG-01b", Severity::validity, "The tests that passed have values within their bounds",
         "HPCG 3.1, TestCG.cpp, TestSymmetry.cpp, TestNorms.cpp", tests_agree},
    Rule{"HPCG-02", Severity::eligibility, "The timed part took at least 1800 s",
         "HPCG 3.1, README and main.cpp", hpcg_long_enough},
    Rule{"HPCG-02b", Severity::validity, "The end of the report fits its time", "HPCG 3.1, ReportResults.cpp",
         end_agrees},
    Rule{"HPCG-07", Severity::validity, "The reference run was not skipped",
         "NVIDIA/nvidia-hpcg, bin/RUNNING-x86: --b", reference_ran},
    Rule{"HPCG-07b", Severity::eligibility, "The GPU's L2 cache did not compress",
         "NVIDIA/nvidia-hpcg, main.cpp: --l2cmp", uncompressed},
};

}  // namespace

std::span<const Rule> hpcg_verdict_rules() {
  return hpcg_verdict_table;
}

std::optional<PrintedRange> six_digit_range(std::string_view printed) {
  const auto value = finite_number(printed);
  if (!value || *value < 0) return std::nullopt;
  if (*value == 0) return PrintedRange{0, 0};
  const double sixth_digit = std::pow(10.0, std::floor(std::log10(*value)) - 5);
  // The sums are made in double precision, in whatever order.
  const double error = std::min(half_unit(printed), 0.5 * sixth_digit) * (1 + 1e-9) + 1e-12 * *value;
  return PrintedRange{*value - error, *value + error};
}

std::optional<PrintedRange> six_digit_range(const ParsedResult& result, std::string_view fact) {
  const Fact* found = result.fact(fact);
  return found == nullptr ? std::nullopt : six_digit_range(found->value);
}

PrintedRange operator+(PrintedRange a, PrintedRange b) {
  return {a.low + b.low, a.high + b.high};
}
PrintedRange operator*(PrintedRange a, PrintedRange b) {
  return {a.low * b.low, a.high * b.high};
}
PrintedRange operator/(PrintedRange a, PrintedRange b) {
  return {a.low / b.high, a.high / b.low};
}
PrintedRange operator*(double factor, PrintedRange range) {
  return {factor * range.low, factor * range.high};
}

Finding follows(const Fact& printed, PrintedRange expected, std::string_view how, std::string_view broken) {
  const auto range = six_digit_range(printed.value);
  const std::string gives = fmt::format("{} to {}", number(expected.low, 7), number(expected.high, 7));
  const std::string value = fmt::format("{}; {} gives {}", printed.value, how, gives);
  if (!range) return unknown("this is no number", printed.value, printed.line);
  if (!std::isfinite(expected.high))
    return unknown("the values that it follows from are too small to decide", printed.value, printed.line);
  return checked(range->high >= expected.low && range->low <= expected.high, value, printed.line,
                 std::string(broken));
}

std::optional<std::int64_t> whole_fact(const ParsedResult& result, std::string_view fact) {
  const Fact* found = result.fact(fact);
  return found == nullptr ? std::nullopt : positive_integer(found->value);
}

}  // namespace shakedown
