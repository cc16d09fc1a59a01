#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/fio/job.hpp"
#include "parsers/number.hpp"
#include "parsers/rules/finding.hpp"

namespace shakedown::rules {
namespace {

constexpr std::array<std::string_view, 4> directions = {"read", "write", "trim", "mixed"};
constexpr double cut_ms = 1;  ///< fio cuts times to whole milliseconds: 0 is less than this

/// An amount with its unit, as bytes: what it may have been. fio cuts or rounds what it prints.
std::optional<PrintedNumber> fio_bytes_of(std::string_view printed, bool old_units) {
  const size_t digits = std::min(printed.find_first_not_of("0123456789."), printed.size());
  const auto value = finite_number(printed.substr(0, digits));
  std::string_view unit = trimmed(printed.substr(digits));
  if (unit.ends_with("/s")) unit.remove_suffix(2);
  if (!value || !unit.ends_with('B')) return std::nullopt;
  unit.remove_suffix(1);
  const bool binary = unit.ends_with('i') || (old_units && !unit.empty());
  constexpr std::string_view prefixes = "kmgtp";
  double factor = 1;
  if (!unit.empty()) {
    const char prefix = static_cast<char>(unit[0] >= 'A' && unit[0] <= 'Z' ? unit[0] - 'A' + 'a' : unit[0]);
    const size_t power = prefixes.find(prefix);
    if (power == std::string_view::npos) return std::nullopt;
    for (size_t i = 0; i <= power; ++i) factor *= binary ? 1024 : 1000;
  }
  const double error = 2 * half_unit(printed.substr(0, digits));
  return PrintedNumber{*value * factor, (*value - error) * factor, (*value + error) * factor};
}

/// "16.0k" as a count.
std::optional<PrintedNumber> count_of_operations(std::string_view printed) {
  const size_t digits = std::min(printed.find_first_not_of("0123456789."), printed.size());
  const auto value = finite_number(printed.substr(0, digits));
  if (!value) return std::nullopt;
  const std::string_view unit = printed.substr(digits);
  const double factor = unit == "k" ? 1e3 : unit == "M" ? 1e6 : 1;
  const double error = 2 * half_unit(printed.substr(0, digits));
  return PrintedNumber{*value * factor, (*value - error) * factor, (*value + error) * factor};
}

const Fact* fact_of(const ParsedResult& result, std::string_view direction, std::string_view what) {
  return result.fact(fmt::format("{} {}", direction, what));
}

/// The runtime of the first direction that has a rate above 0 and took 0 ms as printed, so that any rate fits
/// it; null: none.
const Fact* no_runtime(const ParsedResult& result) {
  for (const std::string_view direction : directions) {
    const Fact* runtime = fact_of(result, direction, "runtime");
    const auto time = runtime == nullptr ? std::nullopt : finite_number(runtime->value);
    if (!time || *time > 0) continue;
    for (const char* metric : {"bw", "iops"})
      if (const Fact* rate = fact_of(result, direction, metric);
          rate != nullptr && rate->value.find_first_of("123456789") != std::string::npos)
        return runtime;
  }
  return nullptr;
}

Finding fio_no_time(const Fact& runtime) {
  return unknown(
      fmt::format("the {} is printed as {} ms: no rate follows from it", runtime.name, runtime.value),
      runtime.value, runtime.line);
}

Finding fio_no_error(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* error = result.fact("error");
  if (error == nullptr)
    return unknown(result.reason.empty() ? "the report has no error code" : result.reason);
  if (error->value == "0") {
    if (const Fact* other = result.fact("error of run"))
      return failed(fmt::format("err=0; {}", other->value), other->line,
                    "another job of this run ended with an error: the load that was asked for was not there");
    if (const Fact* runtime = no_runtime(result)) return fio_no_time(*runtime);
  }
  return checked(error->value == "0", fmt::format("err={}", error->value), error->line,
                 "the job ended with an error");
}

Finding bandwidths(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const bool old_units = result.fact("units") != nullptr;
  int checks = 0;
  int line = 0;
  for (const std::string_view direction : directions) {
    const Fact* bw = fact_of(result, direction, "bw");
    const Fact* other = fact_of(result, direction, "bw other");
    const Fact* io = fact_of(result, direction, "io");
    const Fact* runtime = fact_of(result, direction, "runtime");
    if (bw == nullptr) continue;
    for (const Fact* fact : {bw, other, io, runtime})
      if (fact != nullptr && fact->value.starts_with('-'))
        return failed(fact->value, fact->line, fmt::format("the {} is below 0", fact->name));
    const auto rate = fio_bytes_of(bw->value, old_units);
    if (!rate) return unknown("the bandwidth can't be read", bw->value, bw->line);
    if (other != nullptr)
      if (const auto second = fio_bytes_of(other->value, old_units); second) {
        if (!overlap(rate->low, rate->high, second->low, second->high))
          return failed(fmt::format("{} and {}", bw->value, other->value), bw->line,
                        fmt::format("the two bandwidths of {} are not the same", direction));
        ++checks;
        line = bw->line;
      }
    if (io == nullptr || runtime == nullptr) continue;
    const auto moved = fio_bytes_of(io->value, old_units);
    const auto time = finite_number(runtime->value);
    if (!moved || !time || *time < 0) continue;
    if (*time == 0 && (rate->value <= 0 || rate->high >= 1000 * moved->low / cut_ms)) continue;
    if (*time == 0 || !overlap(rate->low, rate->high, 1000 * moved->low / *time, 1000 * moved->high / *time))
      return failed(fmt::format("{}; {} in {} ms", bw->value, io->value, runtime->value), bw->line,
                    fmt::format("the bandwidth of {} does not follow from bytes and time", direction));
    ++checks;
    line = bw->line;
  }
  if (const Fact* runtime = no_runtime(result)) return fio_no_time(*runtime);
  return checks == 0 ? unknown("the report has no bandwidth with bytes and time")
                     : passed(fmt::format("{} values", checks), line);
}

Finding fio_rates(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  int checks = 0;
  int line = 0;
  for (const std::string_view direction : directions) {
    const Fact* iops = fact_of(result, direction, "iops");
    const Fact* ios = fact_of(result, direction, "ios");
    const Fact* runtime = fact_of(result, direction, "runtime");
    for (const Fact* fact : {iops, ios})
      if (fact != nullptr && fact->value.starts_with('-'))
        return failed(fact->value, fact->line, fmt::format("the {} are below 0", fact->name));
    if (iops == nullptr || ios == nullptr || runtime == nullptr) continue;
    const auto rate = count_of_operations(iops->value);
    const auto operations = finite_number(ios->value);
    const auto time = finite_number(runtime->value);
    if (!rate || !operations || !time || *time < 0) continue;
    if (*time == 0 && (rate->value <= 0 || rate->high >= 1000 * *operations / cut_ms)) continue;
    const double expected = 1000 * *operations / (*time > 0 ? *time : cut_ms);
    if (*time == 0 || !overlap(rate->low, rate->high, expected, expected))
      return failed(fmt::format("{}; {} operations in {} ms are {}{}", iops->value, ios->value,
                                runtime->value, *time > 0 ? "" : "more than ", number(expected, 7)),
                    iops->line,
                    fmt::format("the IOPS of {} do not follow from operations and time", direction));
    ++checks;
    line = iops->line;
  }
  if (const Fact* runtime = no_runtime(result)) return fio_no_time(*runtime);
  return checks == 0 ? unknown("the report has no IOPS with operations and time")
                     : passed(fmt::format("{} values", checks), line);
}

/// Text shortens large latencies: "max=94.5k".
std::optional<PrintedNumber> latency_of(std::string_view printed) {
  const size_t digits = std::min(printed.find_first_not_of("-0123456789."), printed.size());
  const std::string_view unit = printed.substr(digits);
  if (printed.starts_with('-')) return printed_number(printed);
  return unit.empty() || unit == "k" || unit == "M" ? count_of_operations(printed) : std::nullopt;
}

Finding latencies(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  int checks = 0;
  int line = 0;
  for (const std::string_view direction : directions)
    for (const std::string_view kind : fio_latency_kinds) {
      const Fact* fact = fact_of(result, direction, kind);
      const auto cells = fact == nullptr ? std::vector<std::string_view>() : words(fact->value);
      if (cells.size() != 3) continue;
      const auto least = latency_of(cells[0]);
      const auto mean = latency_of(cells[1]);
      const auto largest = latency_of(cells[2]);
      if (!least || !mean || !largest) continue;
      if (least->high < 0 || least->low > mean->high || mean->low > largest->high)
        return failed(fmt::format("{} to {}, {} on average", cells[0], cells[2], cells[1]), fact->line,
                      fmt::format("the mean {} of {} is not between the least and the largest, or one is "
                                  "below 0",
                                  kind, direction));
      ++checks;
      line = fact->line;
    }
  return checks == 0 ? unknown("the report has no least and largest latency")
                     : passed(fmt::format("{} values", checks), line);
}

Finding nothing_short(const Evidence& evidence) {
  const Fact* less = evidence.result->fact("short");
  if (less == nullptr) return unknown("the report does not count short and dropped operations");
  return checked(less->value == "0", less->value, less->line, "operations were cut short or dropped");
}

constexpr std::array fio_table = {
    Rule{"FIO-01", Severity::validity, "The job, and each that ran with it, ends without an error",
         "fio, HOWTO", fio_no_error},
    Rule{"FIO-02", Severity::validity, "A bandwidth is bytes over time, in both units", "fio, stat.c",
         bandwidths},
    Rule{"FIO-03", Severity::validity, "IOPS are operations over time", "fio, stat.c", fio_rates},
    Rule{"FIO-05", Severity::validity, "The mean latency lies between the least and the largest",
         "fio, stat.c, calc_lat()", latencies},
    Rule{"FIO-04", Severity::warning, "No operation is cut short or dropped", "fio, HOWTO", nothing_short},
};

constexpr std::array<std::string_view, 1> fio_decisive = {"FIO-02"};

std::vector<RuleResult> judge_fio(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied(fio_table, evidence, std::move(room));
}

}  // namespace

extern const RuleBook fio;
const RuleBook fio = {.suite = "fio", .own_check = "FIO-01", .judge = judge_fio, .decisive = fio_decisive};

}  // namespace shakedown::rules
