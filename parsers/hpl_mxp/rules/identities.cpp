#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/hpl_mxp/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// "2026-08-21" as 20260821.
std::optional<Day> day_of(std::string_view text) {
  const auto parts = split(text, '-');
  if (parts.size() != 3) return std::nullopt;
  const auto year = parsed_integer(parts[0]);
  const auto month = parsed_integer(parts[1]);
  const auto day = parsed_integer(parts[2]);
  if (!year || !month || !day || *year < 1970 || *year > 9999 || *month < 1 || *month > 12 || *day < 1 ||
      *day > 31)
    return std::nullopt;
  return static_cast<Day>(*year * 10000 + *month * 100 + *day);
}

/// "26.2.0", year and month of the release.
std::optional<Day> release_of(std::string_view version) {
  const auto parts = split(version, '.');
  if (parts.size() < 2) return std::nullopt;
  const auto year = parsed_integer(parts[0]);
  const auto month = parsed_integer(parts[1]);
  if (!year || !month || *year < 20 || *year > 99 || *month < 1 || *month > 12) return std::nullopt;
  return static_cast<Day>((2000 + *year) * 10000 + *month * 100 + 1);
}

/// Whether a printed rate follows from N and a time, within the range that rounding allows.
Finding rate_follows(const std::optional<PrintedInterval>& rate, std::optional<std::int64_t> N,
                     const std::optional<PrintedInterval>& time, std::string_view what) {
  if (!rate || !time) return unknown(fmt::format("the log does not print the {}'s rate and time", what));
  if (!N) return unknown("the log does not print N", rate->printed + " GFLOP/s", rate->line);
  const PrintedInterval expected = rate_interval(*N, *time);
  const std::string value =
      fmt::format("{} GFLOP/s; N = {} in {} s gives {}", rate->printed, *N, time->printed, expected.text());
  if (!rate->holds(expected))
    return failed(value, rate->line, fmt::format("the {}'s rate does not follow from N and the time", what));
  // The columns are factorised one after the other, each by processors that wait for the one before.
  constexpr double column_s = 1e-8;
  if (time->high < static_cast<double>(*N) * column_s)
    return failed(value, rate->line, "in this time the columns would be factorised in less than 10 ns each");
  if (time->low <= 0)
    return unknown("the time is printed with too few digits to check the rate", value, rate->line);
  return passed(value, rate->line);
}

std::optional<std::int64_t> order_of(const Evidence& evidence) {
  return whole_parameter(evidence.result->parameters, "N");
}

Finding solution_rate(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  return rate_follows(printed_interval(result, "rmax_printed"), order_of(evidence), solution_time(result),
                      "solution");
}

Finding factorisation_rate(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  return rate_follows(printed_interval(result, "lu_printed"), order_of(evidence),
                      time_interval(result, "lu_time"), "factorisation");
}

/// Whether the rate per GPU times the process grid is the total.
Finding product(const Evidence& evidence, const char* total_fact, const char* each_fact, double unit) {
  const ParsedResult& result = *evidence.result;
  const auto total = printed_interval(result, total_fact);
  const auto each = printed_interval(result, each_fact);
  const auto P = whole_parameter(result.parameters, "P");
  const auto Q = whole_parameter(result.parameters, "Q");
  if (!each) return not_applicable("the log does not print a rate per GPU");
  if (!total)
    return unknown("the log does not print the total beside the rate per GPU", each->printed, each->line);
  if (!P || !Q) return unknown("the log does not print P and Q", each->printed, each->line);
  const double ranks = static_cast<double>(*P) * static_cast<double>(*Q) * unit;
  const PrintedInterval expected{each->low * ranks, each->high * ranks, each->line, {}};
  return checked(total->holds(expected),
                 fmt::format("{} GFLOP/s; {} x {} of {} give {}", total->printed, *P, *Q, each->printed,
                             expected.text()),
                 total->line, "the total is not the rate per GPU times the GPUs");
}

Finding per_gpu(const Evidence& evidence) {
  if (evidence.result->fact("rmax_tflops_per_gpu_printed") != nullptr)
    return product(evidence, "rmax_printed", "rmax_tflops_per_gpu_printed", 1e3);
  return product(evidence, "rmax_printed", "rmax_per_gpu_printed", 1);
}

Finding lu_per_gpu(const Evidence& evidence) {
  return product(evidence, "lu_printed", "lu_per_gpu_printed", 1);
}

/// Over the ranks a mean lies between the extremes that are printed beside it.
Finding mean_of_ranks(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  std::string values;
  for (const char* part : {"lu_time", "refinement_time"}) {
    const auto mean = printed_interval(result, fmt::format("{}_printed", part));
    const auto least = printed_interval(result, fmt::format("{}_min", part));
    const auto most = printed_interval(result, fmt::format("{}_max", part));
    if (!mean || !least || !most) continue;
    const std::string value = fmt::format("{} s of {} to {} s", mean->printed, least->printed, most->printed);
    if (mean->high < least->low || mean->low > most->high)
      return failed(value, mean->line, "the mean time is not between the least and the largest");
    values += (values.empty() ? "" : "; ") + value;
  }
  if (values.empty()) return not_applicable("the log does not print the times' extremes over the ranks");
  return passed(values);
}

/// The reference times its parts one after the other within the whole.
Finding sum_of_parts(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto total = printed_interval(result, "time_printed");
  if (!total) return unknown("the log does not print the whole's time");
  if (result.fact("solve_time_printed") == nullptr && result.fact("to_double_printed") == nullptr)
    return not_applicable("the log does not print the times of the parts");
  PrintedInterval sum;
  for (const char* part :
       {"lu_time_printed", "solve_time_printed", "to_double_printed", "refinement_time_printed"}) {
    const auto time = printed_interval(result, part);
    if (!time) return unknown("the log does not print the times of all parts");
    sum.low += std::max(time->low, 0.0);
    sum.high += time->high;
  }
  const std::string value = fmt::format("{} s; the parts take {} s", total->printed, sum.text());
  return checked(total->high >= sum.low, value, total->line, "the parts take longer than the whole");
}

Finding by_the_clock(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Metric* time = result.metric("time_s");
  const Fact* started = result.fact("started");
  const Fact* ended = result.fact("ended");
  if (started == nullptr && ended == nullptr) return not_applicable("the log prints no start and end time");
  if (time == nullptr || started == nullptr || ended == nullptr)
    return unknown("the log has no time, or not both of start and end");
  const auto start = calendar_seconds(started->value);
  const auto end = calendar_seconds(ended->value);
  if (!start || !end)
    return unknown("start and end time can't be read", started->value + " to " + ended->value, started->line);
  constexpr double tolerance_s = 2.0;  // stamps have whole seconds
  return checked(
      time->value <= *end - *start + tolerance_s,
      fmt::format("{} s by the clock, {} s timed", number(*end - *start, 6), number(time->value, 6)),
      time->line, "the time is longer than that between the start and the end");
}

Finding repeated_values(const Evidence& evidence) {
  struct Pair {
    const char* result;
    const char* submitted;
  };
  static constexpr std::array pairs = {
      Pair{"rmax_printed", "submitted_gflops"}, Pair{"time_printed", "submitted_time_s"},
      Pair{"residual_printed", "submitted_residual"}, Pair{"||Ax-b||_oo", "submitted_norm"}};
  const ParsedResult& result = *evidence.result;
  std::string same;
  for (const Pair& pair : pairs) {
    const auto once = printed_interval(result, pair.result);
    const auto again = printed_interval(result, pair.submitted);
    if (!once || !again) continue;
    const std::string value = fmt::format("{}, then {}", once->printed, again->printed);
    if (!once->holds(*again))
      return failed(value, again->line, "the values for the submission are not those of the result line");
    same += (same.empty() ? "" : "; ") + value;
  }
  if (same.empty()) return not_applicable("the log does not repeat its values");
  return passed(same);
}

constexpr std::array hpl_mxp_identities_table = {
    Rule{"MXP-04", Severity::validity,
         "The rate is (2/3 N^3 + 3/2 N^2) / time of factorisation and refinement, within the digits printed",
         "HPL-MxP, rules; hpl-ai, hpl-ai.c", solution_rate},
    Rule{"MXP-04b", Severity::validity, "The factorisation's rate follows from N and its time",
         "NVIDIA HPC Benchmarks, HPL-MxP", factorisation_rate},
    Rule{"MXP-04c", Severity::validity, "The rate per GPU times the GPUs is the total",
         "NVIDIA HPC Benchmarks, HPL-MxP; OpenMxP, main.cpp", per_gpu},
    Rule{"MXP-04d", Severity::validity, "The factorisation's rate per GPU times the GPUs is its total",
         "NVIDIA HPC Benchmarks, HPL-MxP", lu_per_gpu},
    Rule{"MXP-04e", Severity::validity, "The parts take no longer than the whole", "hpl-ai, hpl-ai.c",
         sum_of_parts},
    Rule{"MXP-04f", Severity::validity, "Values that are printed twice are the same", "OpenMxP, main.cpp",
         repeated_values},
    Rule{"MXP-04h", Severity::validity, "The mean time over the ranks lies between the least and the largest",
         "NVIDIA HPC Benchmarks, HPL-MxP", mean_of_ranks},
    Rule{"MXP-04g", Severity::warning, "The time fits the start and end time",
         "rocHPL-MxP, hplmxp_ptest.cpp; RIKEN-RCCS/hpl-ai, main.cpp", by_the_clock},
};

}  // namespace

std::string PrintedInterval::text() const {
  if (high == std::numeric_limits<double>::infinity()) return fmt::format("above {}", number(low, 6));
  return fmt::format("{} to {}", number(low, 6), number(high, 6));
}

std::optional<PrintedInterval> printed_interval(const ParsedResult& result, std::string_view fact) {
  const Fact* found = result.fact(fact);
  if (found == nullptr) return std::nullopt;
  const auto value = finite_number(found->value);
  if (!value) return std::nullopt;
  const double error = half_unit(found->value) * (1 + 1e-9);
  return PrintedInterval{*value - error, *value + error, found->line, found->value};
}

std::optional<PrintedInterval> time_interval(const ParsedResult& result, std::string_view part) {
  auto interval = printed_interval(result, fmt::format("{}_printed", part));
  if (!interval) return std::nullopt;
  const auto least = printed_interval(result, fmt::format("{}_min", part));
  const auto most = printed_interval(result, fmt::format("{}_max", part));
  if (least) interval->low = std::min(interval->low, least->low);
  if (most) interval->high = std::max(interval->high, most->high);
  return interval;
}

std::optional<PrintedInterval> solution_time(const ParsedResult& result) {
  if (auto whole = printed_interval(result, "time_printed")) return whole;
  const auto factorisation = time_interval(result, "lu_time");
  const auto refinement = time_interval(result, "refinement_time");
  if (!factorisation || !refinement) return std::nullopt;
  return PrintedInterval{factorisation->low + refinement->low, factorisation->high + refinement->high,
                         refinement->line,
                         fmt::format("{} + {}", factorisation->printed, refinement->printed)};
}

PrintedInterval rate_interval(std::int64_t N, const PrintedInterval& time) {
  const auto n = static_cast<double>(N);
  const double giga_operations = ((2.0 / 3.0) * n * n * n + 1.5 * n * n) * 1e-9;
  const double highest = time.low > 0 ? giga_operations / time.low : std::numeric_limits<double>::infinity();
  return {giga_operations / time.high * (1 - 1e-12), highest * (1 + 1e-12), time.line, {}};
}

std::optional<EarliestDay> earliest_day(const ParsedResult& result) {
  for (const char* name : {"started", "ended"})
    if (const Fact* fact = result.fact(name))
      if (const auto time = calendar_time(fact->value))
        return EarliestDay{(time->tm_year + 1900) * 10000 + (time->tm_mon + 1) * 100 + time->tm_mday, true,
                           "run on " + fact->value, fact->line};
  if (const Fact* fact = result.fact("date"))
    if (const auto day = day_of(fact->value))
      return EarliestDay{*day, true, "run on " + fact->value, fact->line};
  if (result.implementation == "nvidia")
    if (const auto day = release_of(result.version))
      return EarliestDay{*day, false, fmt::format("version {}", result.version), 0};
  return std::nullopt;
}

std::span<const Rule> hpl_mxp_identity_rules() {
  return hpl_mxp_identities_table;
}

}  // namespace shakedown
