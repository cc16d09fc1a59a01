#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"
#include "parsers/rules/hpl_rules.hpp"

namespace shakedown {
namespace {

/// netlib's HPL.dat and the check that TOP500 refers to; a threshold that a run loosened does not count.
constexpr double residual_limit = 16.0;

Finding double_precision(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* precision = result.fact("precision"))
    return checked(precision->value.starts_with("FP64"), precision->value, precision->line,
                   fmt::format("the program computes in {}", precision->value));
  const Fact* eps = result.fact("eps");
  if (eps == nullptr) return unknown("the log names no working precision");
  const auto value = finite_number(eps->value);
  if (value && *value > 1e-12)
    return failed("eps = " + eps->value, eps->line,
                  "the machine precision printed is not that of 64-bit numbers");
  return unknown(
      "eps is that of 64-bit numbers, but no log shows what the library multiplies with (refinement, "
      "Strassen)",
      "eps = " + eps->value, eps->line);
}

/// The setting's value by any of `names`, from the log or the plan.
struct Setting {
  std::string name;
  std::string value;
  int line = 0;
};
std::optional<Setting> setting(const Evidence& evidence, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (const Fact* fact = evidence.result->fact(fmt::format("setting {}", name)))
      return Setting{std::string(name), fact->value, fact->line};
    if (evidence.planned == nullptr) continue;
    if (const Value* value = find_parameter(evidence.planned->environment, name))
      return Setting{std::string(name), value_text(*value), 0};
  }
  return std::nullopt;
}

/// Year and month of NVIDIA's version, "25.4.0" -> 2504; 0 for "1.0.0" and what is no such version.
int nvidia_release(std::string_view version) {
  const auto parts = split(version, '.');
  if (parts.size() < 2) return 0;
  const auto year = parsed_integer(parts[0]);
  const auto month = parsed_integer(parts[1]);
  if (!year || !month || *year < 20 || *year > 99 || *month < 1 || *month > 12) return 0;
  return static_cast<int>(*year * 100 + *month);
}

Finding no_emulation(const Evidence& evidence) {
  static constexpr std::array<std::string_view, 3> names = {
      "HPL_EMULATE_DOUBLE_PRECISION", "CUBLAS_EMULATE_DOUBLE_PRECISION", "emulate_double_precision"};
  if (const auto found = setting(evidence, names)) {
    const bool off = found->value == "0" || found->value == "false" || found->value == "off";
    return checked(off, found->name + " = " + found->value, found->line,
                   "64-bit arithmetic is emulated: a class of its own");
  }
  const ParsedResult& result = *evidence.result;
  if (result.implementation == "reference") return passed("FP64 of the CPU");
  if (result.implementation != "nvidia")
    return unknown("the log does not say whether the library emulates FP64");
  constexpr int first_with_emulation = 2504;
  if (result.version.empty())
    return unknown("the log names no version; NVIDIA's HPL can emulate FP64 from 25.04 on");
  if (nvidia_release(result.version) < first_with_emulation) return passed("version " + result.version);
  return unknown("the log does not say whether FP64 emulation was on, which this version offers",
                 "version " + result.version);
}

Finding own_check(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* check = result.fact("residual_check");
  const Metric* residual = result.metric("residual");
  const Fact* printed = result.fact("residual_printed");
  if (check == nullptr)
    return unknown(result.reason.empty() ? "the log has no residual check" : result.reason);
  const std::string shown = printed != nullptr    ? printed->value
                            : residual != nullptr ? number(residual->value, 9)
                                                  : "";
  const std::string value = fmt::format("residual {} {}", shown, check->value);
  if (check->value != "PASSED") return failed(value, check->line, "the run failed its own residual check");
  if (residual == nullptr) return failed(value, check->line, "a residual that is no number can't pass");
  if (!(residual->value >= 0 && residual->value < residual_limit))
    return failed(value, check->line, "the line says PASSED with a residual that is not below 16.0");
  // Each row is judged by its own line; the footer must bear it out, since a word is easily changed.
  const auto count = [&](const char* name) -> std::optional<std::int64_t> {
    const Fact* fact = result.fact(name);
    if (fact == nullptr) return std::nullopt;
    const auto parsed = parsed_integer(fact->value);
    return parsed ? std::optional(*parsed) : std::nullopt;
  };
  for (const auto& [footer, rows, word] : {std::tuple("tests_passed", "rows_passed", "passed"),
                                           std::tuple("tests_failed", "rows_failed", "failed")}) {
    const auto counted = count(footer);
    const auto seen = count(rows);
    if (counted && seen && *seen > *counted)
      return failed(
          value, result.fact(footer)->line,
          fmt::format("the footer counts {} tests that {}, the log shows {}", *counted, word, *seen));
  }
  return passed(value, check->line);
}

/// A printed number and the largest error of its rounding.
struct Printed {
  double value = 0;
  double error = 0;
};
std::optional<Printed> printed_fact(const ParsedResult& result, const char* name) {
  const Fact* fact = result.fact(name);
  if (fact == nullptr) return std::nullopt;
  const auto value = finite_number(fact->value);
  if (!value) return std::nullopt;
  return Printed{*value, half_unit(fact->value) * (1 + 1e-9)};
}

Finding residual_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto residual = printed_fact(result, "residual_printed");
  const auto Ax_b = printed_fact(result, "||Ax-b||_oo");
  const auto A = printed_fact(result, "||A||_oo");
  const auto x = printed_fact(result, "||x||_oo");
  const auto b = printed_fact(result, "||b||_oo");
  const auto N = whole_parameter(result.parameters, "N");
  if (!residual || !Ax_b || !A || !x || !b || !N) return unknown("the log does not print the norms");
  const int line = result.fact("residual_printed")->line;
  if (result.implementation == "hpl-gpu") return unknown("HPL-GPU scales its norms in its own way", {}, line);
  const auto eps = printed_fact(result, "eps").value_or(Printed{0x1p-53, 0});
  const auto quotient = [&](double sign) {
    const double below =
        (eps.value - sign * eps.error) * static_cast<double>(*N) *
        ((A->value - sign * A->error) * (x->value - sign * x->error) + b->value - sign * b->error);
    return (Ax_b->value + sign * Ax_b->error) / below + sign * residual->error;
  };
  const std::string value = fmt::format("{}; the norms give {} to {}", result.fact("residual_printed")->value,
                                        number(quotient(-1), 6), number(quotient(1), 6));
  return checked(residual->value >= quotient(-1) && residual->value <= quotient(1), value, line,
                 "the residual does not follow from the norms printed below it");
}

Finding rate_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Metric* rate = result.metric("rmax_gflops");
  const Metric* time = result.metric("time_s");
  const auto N = whole_parameter(result.parameters, "N");
  const Fact* rate_printed = result.fact("rmax_printed");
  const Fact* time_printed = result.fact("time_printed");
  if (rate == nullptr || time == nullptr || !N || rate_printed == nullptr || time_printed == nullptr)
    return unknown("the log has no whole result row with N, time and rate");
  const double operations = hpl_operations(static_cast<double>(*N)) * 1e-9;
  // Both are rounded to the digits printed, so a rate is true if some time that prints alike gives one that
  // does.
  const double time_error = half_unit(time_printed->value) * (1 + 1e-9);
  const double rate_error = half_unit(rate_printed->value) * (1 + 1e-9);
  const double shortest = time->value - time_error;
  const double lowest = operations / (time->value + time_error) - rate_error;
  const double highest =
      shortest > 0 ? operations / shortest + rate_error : std::numeric_limits<double>::infinity();
  const std::string expected = shortest > 0 ? fmt::format("{} to {}", number(lowest, 6), number(highest, 6))
                                            : fmt::format("above {}", number(lowest, 6));
  const std::string value = fmt::format("{} GFLOP/s; N = {} in {} s gives {}", rate_printed->value, *N,
                                        time_printed->value, expected);
  if (rate->value < lowest * (1 - 1e-12) || rate->value > highest)
    return failed(value, rate->line, "the rate does not follow from N and the time");
  if (shortest <= 0)
    return unknown("the time is printed with too few digits to check the rate", value, rate->line);
  return passed(value, rate->line);
}

/// Seconds since 1970 as if UTC of "Sat Nov 21 11:35:20 2026"; the weekday isn't looked at.
std::optional<double> seconds_of(std::string_view text) {
  static constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto parts = words(text);
  if (parts.size() != 5) return std::nullopt;
  const auto month = std::find(months.begin(), months.end(), parts[1]);
  const auto clock = split(parts[3], ':');
  const auto day = positive_integer(parts[2]);
  const auto year = positive_integer(parts[4]);
  if (month == months.end() || clock.size() != 3 || !day || !year || *day > 31 || *year > 9999)
    return std::nullopt;
  std::tm time{};
  time.tm_year = static_cast<int>(*year) - 1900;
  time.tm_mon = static_cast<int>(month - months.begin());
  time.tm_mday = static_cast<int>(*day);
  const std::array<int*, 3> fields = {&time.tm_hour, &time.tm_min, &time.tm_sec};
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto field = parsed_integer(clock[i]);
    if (!field || *field < 0 || *field > 60) return std::nullopt;
    *fields[i] = static_cast<int>(*field);
  }
  return static_cast<double>(timegm(&time));
}

Finding clock_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Metric* time = result.metric("time_s");
  const Fact* started = result.fact("started");
  const Fact* ended = result.fact("ended");
  if (time == nullptr || started == nullptr || ended == nullptr)
    return unknown("the log has no start and end time of the solver");
  const auto start = seconds_of(started->value);
  const auto end = seconds_of(ended->value);
  if (!start || !end)
    return unknown("start and end time can't be read", started->value + " to " + ended->value, started->line);
  // Stamps have whole seconds, and HPL times the slowest rank while rank 0 prints them.
  constexpr double tolerance_s = 2.0;
  const double by_clock = *end - *start;
  return checked(std::abs(by_clock - time->value) <= tolerance_s + 0.01 * time->value,
                 fmt::format("{} s by the clock, {} s timed", number(by_clock, 6), number(time->value, 6)),
                 time->line, "the time does not fit the start and end time printed below it");
}

constexpr std::array rules = {
    Rule{"HPL-01", Severity::validity,
         "The system is solved in 64-bit arithmetic, without refinement or Strassen's method",
         "TOP500, rules for HPL; netlib HPL FAQ", double_precision},
    Rule{"HPL-02", Severity::validity, "FP64 is computed by the hardware, not emulated",
         "NVIDIA HPC Benchmarks, release notes 25.04", no_emulation},
    Rule{"HPL-03", Severity::validity,
         "The scaled residual is below 16.0, its line ends in PASSED, and the footer bears it out",
         "netlib HPL 2.3, HPL.dat line 13 and HPL_pdtest.c", own_check},
    Rule{"HPL-03b", Severity::validity, "The residual follows from the norms, where they are printed",
         "netlib HPL 2.3, HPL_pdtest.c", residual_identity},
    Rule{"HPL-04", Severity::validity, "Gflops is (2/3 N^3 + 3/2 N^2) / time, within the digits printed",
         "netlib HPL 2.3, HPL_pdtest.c", rate_identity},
    Rule{"HPL-04b", Severity::warning, "The time agrees with the solver's start and end time",
         "netlib HPL 2.3, HPL_pdtest.c", clock_identity},
};

}  // namespace

double hpl_operations(double N) {
  return (2.0 / 3.0) * N * N * N + 1.5 * N * N;
}

std::span<const Rule> hpl_numerics_rules() {
  return rules;
}

}  // namespace shakedown
