#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/hpl/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// The floating-point operations that HPL counts for order N.
double operations(double N) {
  return (2.0 / 3.0) * N * N * N + 1.5 * N * N;
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
  if (!Ax_b && !A && !x && !b) return not_applicable("the log does not print the norms");
  if (!residual || !Ax_b || !A || !x || !b || !N) return unknown("the log does not print all of the norms");
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

Finding hpl_rate_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Metric* rate = result.metric("rmax_gflops");
  const Metric* time = result.metric("time_s");
  const auto N = whole_parameter(result.parameters, "N");
  const Fact* rate_printed = result.fact("rmax_printed");
  const Fact* time_printed = result.fact("time_printed");
  if (rate == nullptr || time == nullptr || !N || rate_printed == nullptr || time_printed == nullptr)
    return unknown("the log has no whole result row with N, time and rate");
  const double giga_operations = operations(static_cast<double>(*N)) * 1e-9;
  // Both are rounded to the digits printed, so a rate is true if some time that prints alike gives one that
  // does.
  const double time_error = half_unit(time_printed->value) * (1 + 1e-9);
  const double rate_error = half_unit(rate_printed->value) * (1 + 1e-9);
  const double shortest = time->value - time_error;
  const double lowest = giga_operations / (time->value + time_error) - rate_error;
  const double highest =
      shortest > 0 ? giga_operations / shortest + rate_error : std::numeric_limits<double>::infinity();
  const std::string expected = shortest > 0 ? fmt::format("{} to {}", number(lowest, 6), number(highest, 6))
                                            : fmt::format("above {}", number(lowest, 6));
  const std::string value = fmt::format("{} GFLOP/s; N = {} in {} s gives {}", rate_printed->value, *N,
                                        time_printed->value, expected);
  if (rate->value < lowest * (1 - 1e-12) || rate->value > highest)
    return failed(value, rate->line, "the rate does not follow from N and the time");
  // The columns are factorised one after the other, each with a search for its pivot in memory.
  constexpr double column_s = 1e-7;
  if (giga_operations / rate->value < static_cast<double>(*N) * column_s)
    return failed(value, rate->line, "at this rate the columns would be factorised in less than 100 ns each");
  if (shortest <= 0)
    return unknown("the time is printed with too few digits to check the rate", value, rate->line);
  return passed(value, rate->line);
}

Finding per_gpu_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto rate = printed_fact(result, "rmax_printed");
  const auto each = printed_fact(result, "rmax_per_gpu_printed");
  const auto P = whole_parameter(result.parameters, "P");
  const auto Q = whole_parameter(result.parameters, "Q");
  if (!each) return not_applicable("the log does not print a rate per GPU");
  if (!rate || !P || !Q) return unknown("the log does not print rate, P and Q");
  const double gpus = static_cast<double>(*P) * static_cast<double>(*Q);
  const double low = (each->value - each->error) * gpus;
  const double high = (each->value + each->error) * gpus;
  const Fact* printed = result.fact("rmax_printed");
  return checked(rate->value + rate->error >= low && rate->value - rate->error <= high,
                 fmt::format("{} GFLOP/s; {} x {} of {} give {} to {}", printed->value, *P, *Q,
                             result.fact("rmax_per_gpu_printed")->value, number(low, 6), number(high, 6)),
                 printed->line, "the total is not the rate per GPU times the GPUs");
}

/// HPCC's summary has the best row's rate.
Finding summary_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto rate = printed_fact(result, "rmax_printed");
  const auto best = printed_fact(result, "hpl_tflops");
  if (!best) return not_applicable("the log has no summary of HPCC");
  if (!rate) return unknown("the log has no row beside HPCC's summary");
  const Fact* rows = result.fact("tests_finished");
  const bool only = rows != nullptr && rows->value == "1";
  const double low = rate->value - rate->error - best->error * 1e3;
  const double high = rate->value + rate->error + best->error * 1e3;
  const Fact* printed = result.fact("hpl_tflops");
  return checked(best->value * 1e3 >= low && (!only || best->value * 1e3 <= high),
                 fmt::format("{} GFLOP/s in the row, {} TFLOP/s in the summary",
                             result.fact("rmax_printed")->value, printed->value),
                 printed->line, "the summary is not that of the row");
}

/// Clocks that are disciplined while they run differ by at most 500 ppm, the kernel's limit (adjtimex(2)).
constexpr double clock_rate_error = 500e-6;

/// Of a log without any stamp; that it should have some is HPL-04h's to say.
bool has_no_stamps(const ParsedResult& result) {
  return result.fact("started") == nullptr && result.fact("ended") == nullptr;
}

/// The solver's seconds by the stamps that the log prints, and as it timed them.
struct SolverTimes {
  double by_clock = 0;
  PrintedNumber timed;
  int line = 0;
  bool on_sunday = false;  ///< when clocks are moved for daylight saving
};
std::optional<SolverTimes> solver_times(const ParsedResult& result) {
  const Fact* printed = result.fact("time_printed");
  const Fact* started = result.fact("started");
  const Fact* ended = result.fact("ended");
  if (printed == nullptr || started == nullptr || ended == nullptr) return std::nullopt;
  const auto timed = printed_number(printed->value);
  const auto start = calendar_seconds(started->value);
  const auto end = calendar_seconds(ended->value);
  if (!timed || !start || !end) return std::nullopt;
  constexpr std::int64_t day = 86'400;
  const std::int64_t days = static_cast<std::int64_t>(std::floor(*end / day));  // since Thursday 1 Jan 1970
  return SolverTimes{*end - *start, *timed, printed->line, ((days % 7) + 7) % 7 == 3};
}

std::string both_times(const SolverTimes& times) {
  return fmt::format("{} s by the clock, {} s timed", number(times.by_clock, 6),
                     number(times.timed.value, 6));
}

Finding hpl_clock_identity(const Evidence& evidence) {
  if (has_no_stamps(*evidence.result)) return not_applicable("the log prints no start and end time");
  const auto times = solver_times(*evidence.result);
  if (!times) return unknown("the log has no start and end time of the solver");
  // HPL times the slowest rank, while rank 0 prints the stamps.
  constexpr double tolerance_s = 2.0;
  return checked(times->timed.value <= times->by_clock + tolerance_s + 0.01 * times->timed.value,
                 both_times(*times), times->line,
                 "the time is longer than from the start to the end printed below it");
}

/// HPL takes the stamps, in whole seconds, right outside of what it times: they differ from the time by less
/// than one second.
Finding not_shorter_than_clock(const Evidence& evidence) {
  if (has_no_stamps(*evidence.result)) return not_applicable("the log prints no start and end time");
  const auto times = solver_times(*evidence.result);
  if (!times) return unknown("the log has no start and end time of the solver");
  constexpr double stamp_s = 1.0;
  constexpr double summer_s = 3600;
  const double tolerance_s = stamp_s + clock_rate_error * times->by_clock;
  const double missing = times->by_clock - times->timed.high;
  if (missing <= tolerance_s) return passed(both_times(*times), times->line);
  if (times->on_sunday && std::abs(missing - summer_s) <= tolerance_s)
    return unknown("an hour is missing on a Sunday: daylight saving may have begun during the run",
                   both_times(*times), times->line);
  return failed(both_times(*times), times->line,
                "the time is shorter than from the start to the end printed below it");
}

/// Whether a text in the form of C's ctime(), "Sat Nov 21 11:35:20 2026", is no time of the calendar.
bool is_impossible(std::string_view stamp) {
  static constexpr std::array<std::string_view, 7> weekdays = {"Sun", "Mon", "Tue", "Wed",
                                                               "Thu", "Fri", "Sat"};
  static constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::array<std::string_view, 5> parts;
  std::string_view rest = trimmed(stamp);
  for (std::string_view& part : parts) {
    part = rest.substr(0, rest.find_first_of(" \t\n\v\f\r"));
    rest = trimmed(rest.substr(part.size()));
  }
  if (parts.back().empty() || !rest.empty()) return false;
  const auto weekday = std::ranges::find(weekdays, parts[0]);
  const auto month = std::ranges::find(months, parts[1]);
  const auto day = positive_integer(parts[2]);
  const auto year = positive_integer(parts[4]);
  const std::string_view clock = parts[3];
  if (weekday == weekdays.end() || month == months.end()) return false;
  if (!day || !year || *day > 99 || *year > 9999) return true;
  constexpr std::string_view most = "23:59:60";  // 60: a leap second
  if (clock.size() != most.size() || clock[2] != ':' || clock[5] != ':') return true;
  for (const size_t at : {0, 3, 6}) {
    const std::string_view field = clock.substr(at, 2);
    const bool digits = field.find_first_not_of("0123456789") == std::string_view::npos;
    if (!digits || field > most.substr(at, 2)) return true;
  }
  namespace c = std::chrono;
  const c::year_month_day date{c::year(static_cast<int>(*year)),
                               c::month(static_cast<unsigned>(month - months.begin()) + 1),
                               c::day(static_cast<unsigned>(*day))};
  return !date.ok() ||
         c::weekday(c::sys_days(date)) != c::weekday(static_cast<unsigned>(weekday - weekdays.begin()));
}

/// One start and one end, of a clock that goes forward; an hour back is the end of daylight saving.
Finding possible_stamps(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  for (const char* name : {"started", "ended"})
    if (const Fact* stamp = result.fact(name); stamp != nullptr && is_impossible(stamp->value))
      return failed(stamp->value, stamp->line, "the calendar has no such time, or another weekday for it");
  if (const Fact* second = result.fact("second_stamp"))
    return failed(second->value, second->line, "the row has two different times of its start or end");
  if (has_no_stamps(result)) return not_applicable("the log prints no start and end time");
  const auto times = solver_times(result);
  if (!times) return unknown("the log has no start and end time of the solver");
  constexpr double summer_s = 3600;
  constexpr double tolerance_s = 2.0;  // HPL times the slowest rank, while rank 0 prints the stamps
  if (times->by_clock >= -tolerance_s) return passed(both_times(*times), times->line);
  if (std::abs(times->by_clock + summer_s - times->timed.value) <= tolerance_s + 0.01 * times->timed.value)
    return unknown("an hour is missing: daylight saving may have ended during the run", both_times(*times),
                   times->line);
  return failed(both_times(*times), times->line, "the solver ended before it started");
}

Finding within_attempt(const Evidence& evidence) {
  const Metric* time = evidence.result->metric("time_s");
  if (time == nullptr) return unknown("the log has no time");
  if (!evidence.wall_s) return unknown("the run was not started here: its wall time is not known");
  return checked(time->value <= *evidence.wall_s * (1 + clock_rate_error) + 1,
                 fmt::format("{} s timed, {} s from the attempt's start to its end", number(time->value, 6),
                             number(*evidence.wall_s, 6)),
                 time->line, "the program can't have computed for longer than it ran");
}

/// The stamps are in the node's local time, and the log does not state its zone: they must fit the attempt by
/// some zone. Zones differ from UTC by quarters of an hour, from 12 hours behind to 14 ahead.
Finding written_in_attempt(const Evidence& evidence) {
  const Fact* started = evidence.result->fact("started");
  const Fact* ended = evidence.result->fact("ended");
  const auto start = started == nullptr ? std::nullopt : calendar_seconds(started->value);
  const auto end = ended == nullptr ? std::nullopt : calendar_seconds(ended->value);
  if (has_no_stamps(*evidence.result)) return not_applicable("the log prints no start and end time");
  if (!start || !end) return unknown("the log has no start and end time of the solver");
  if (!evidence.period) return unknown("the run was not started here: its time is not known");
  constexpr double clocks_s = 180;  // of ranks on other nodes than the wrapper's
  constexpr int quarter_s = 900;
  constexpr int hour_s = 3600;
  const Evidence::Period& attempt = *evidence.period;
  bool fits = false;
  for (int zone_s = -12 * hour_s; zone_s <= 14 * hour_s; zone_s += quarter_s)
    fits = fits || (*start - zone_s >= attempt.started_s - clocks_s &&
                    *end - zone_s <= attempt.finished_s + clocks_s);
  return checked(fits,
                 fmt::format("{} to {} in the log; the attempt ran from {} to {}", started->value,
                             ended->value, utc_text(attempt.started_s), utc_text(attempt.finished_s)),
                 started->line, "the log was not written during the attempt, in any time zone");
}

/// HPL prints its stamps since 2.1; of the programs that are made of it, those named here print them, too.
Finding has_stamps(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const std::string& implementation = result.implementation;
  if (implementation != "netlib" && implementation != "reference" && implementation != "intel")
    return not_applicable("not every version of this program prints them");
  const Fact* started = result.fact("started");
  const Fact* ended = result.fact("ended");
  if (started != nullptr && ended != nullptr)
    return passed(fmt::format("{} to {}", started->value, ended->value), started->line);
  if (result.metric("rmax_gflops") == nullptr) return not_applicable("the log has no result");
  const Fact* banner = result.fact("hplinpack");
  if (banner != nullptr && (banner->value.starts_with("1.") || banner->value == "2.0"))
    return not_applicable("HPL prints them since 2.1");
  return unknown("the log does not print when the solver started and ended, as HPL does since 2.1");
}

/// A solver on CPUs keeps at least one of them busy; /proc/stat counts all of the node.
Finding kept_node_busy(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Metric* time = result.metric("time_s");
  if (time == nullptr) return unknown("the log has no time");
  const NodeGroup* group = group_of_case(evidence);
  const bool on_cpus = result.implementation == "netlib" || result.implementation == "reference" ||
                       result.implementation == "intel";
  if (!on_cpus || group == nullptr || !group->gpus.empty())
    return not_applicable("of a program on the CPUs of nodes without GPUs alone");
  if (!evidence.busy_s) return not_applicable("several nodes, or their CPU time was not recorded");
  constexpr double tolerance_s = 2.0;
  return checked(time->value <= *evidence.busy_s + tolerance_s + 0.01 * time->value,
                 fmt::format("{} s timed, {} CPU seconds of the node in use during the attempt",
                             number(time->value, 6), number(*evidence.busy_s, 6)),
                 time->line, "the node was idle while the program is said to have computed");
}

/// The time is printed in hundredths of a second, and the rate is checked by it.
Finding enough_digits(const Evidence& evidence) {
  const Fact* printed = evidence.result->fact("time_printed");
  const auto time = printed == nullptr ? std::nullopt : printed_number(printed->value);
  if (!time) return unknown("the log has no time");
  constexpr double least = 0.01;
  const std::string value = fmt::format("{} s", printed->value);
  if (!(time->low > 0)) return failed(value, printed->line, "the time is printed as 0: it proves no rate");
  return checked(time->high - time->value <= least * time->value, value, printed->line,
                 fmt::format("the time of {} s allows rates {} apart", printed->value,
                             percent_text(time->high / time->low - 1)));
}

constexpr std::array hpl_identities_table = {
    Rule{"HPL-03b", Severity::validity, "The residual follows from the norms, where they are printed",
         "netlib HPL 2.3, HPL_pdtest.c", residual_identity},
    Rule{"HPL-04", Severity::validity, "Gflops is (2/3 N^3 + 3/2 N^2) / time, within the digits printed",
         "netlib HPL 2.3, HPL_pdtest.c", hpl_rate_identity},
    Rule{"HPL-04c", Severity::validity, "The rate per GPU times the GPUs is the total",
         "NVIDIA HPC Benchmarks documentation, HPL", per_gpu_identity},
    Rule{"HPL-04d", Severity::validity, "HPCC's summary repeats the rate of the best row",
         "HPC Challenge 1.5, HPL.c", summary_identity},
    Rule{"HPL-04b", Severity::warning,
         "The time is not longer than the solver's start and end time, but for 2 s and 1 %",
         "netlib HPL 2.3, HPL_pdtest.c", hpl_clock_identity},
    Rule{"HPL-04e", Severity::validity,
         "The time is not shorter than the solver's start and end time, but for their whole seconds",
         "netlib HPL 2.3, HPL_pdtest.c; adjtimex(2): clocks are adjusted by at most 500 ppm",
         not_shorter_than_clock},
    Rule{"HPL-04k", Severity::validity,
         "The solver's start and end time are those of a calendar, one each, the end not before the start",
         "netlib HPL 2.1 to 2.3, HPL_pdtest.c: ctime() of rank 0's clock", possible_stamps},
    Rule{"HPL-04f", Severity::validity, "The time is not longer than the attempt's wall time",
         "the attempt's record; adjtimex(2)", within_attempt},
    Rule{"HPL-04g", Severity::warning,
         "The solver's start and end time lie within the attempt, but for 3 minutes",
         "the attempt's record; netlib HPL 2.3, HPL_pdtest.c", written_in_attempt},
    Rule{"HPL-04h", Severity::validity, "The solver's start and end time are printed, as HPL does since 2.1",
         "netlib HPL 2.1 to 2.3, HPL_pdtest.c", has_stamps},
    Rule{"HPL-04i", Severity::validity,
         "The node was not idle while the solver ran on its CPUs, but for 2 s and 1 %",
         "proc(5), /proc/stat before and after the attempt", kept_node_busy},
    Rule{"HPL-04j", Severity::warning, "The time is printed with digits enough to check the rate within 1 %",
         "netlib HPL 2.3, HPL_pdtest.c: %.2f", enough_digits},
};

}  // namespace

std::span<const Rule> hpl_identity_rules() {
  return hpl_identities_table;
}

}  // namespace shakedown
