#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/io500/phases.hpp"
#include "parsers/io500/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// A number that lies between two others.
struct Interval {
  double low = 0;
  double high = 0;
};

Interval around(const Io500Printed& printed) {
  return {std::max(0.0, printed.value - printed.error), printed.value + printed.error};
}

Interval geometric_mean(const std::vector<Interval>& parts) {
  double low = 0;
  double high = 0;
  for (const Interval& part : parts) {
    low += std::log(part.low);
    high += std::log(part.high);
  }
  const auto count = static_cast<double>(parts.size());
  return {std::exp(low / count), std::exp(high / count)};
}

/// The scripts' awk prints six significant digits and drops zeros at the end: "71.4", not "71.4000".
Io500Printed of_scripts(const ParsedResult& result, Io500Printed printed) {
  if (result.implementation == "io-500-dev" && printed.value > 0)
    printed.error = 0.5 * std::pow(10, std::floor(std::log10(printed.value)) - 5) * (1 + 1e-9);
  return printed;
}

/// Whether the printed number may be the rounded value of one within the interval.
bool may_be(const Io500Printed& printed, const Interval& interval) {
  constexpr double arithmetic = 1e-9;  // of the program's pow() and ours
  return printed.value + printed.error >= interval.low * (1 - arithmetic) &&
         printed.value - printed.error <= interval.high * (1 + arithmetic);
}

std::string io500_text_of(const Interval& interval) {
  return fmt::format("{} to {}", number(interval.low, 9), number(interval.high, 9));
}

struct Scores {
  Io500Printed BW, MD, SCORE;
};
std::optional<Scores> scores(const ParsedResult& result, std::string_view section) {
  const auto BW = io500_printed(result, fmt::format("{}.BW", section));
  const auto MD = io500_printed(result, fmt::format("{}.MD", section));
  const auto SCORE = io500_printed(result, fmt::format("{}.SCORE", section));
  if (!BW || !MD || !SCORE) return std::nullopt;
  return Scores{of_scripts(result, *BW), of_scripts(result, *MD), of_scripts(result, *SCORE)};
}

/// The means over the phases against the score that the log prints.
Finding means(const Scores& printed, const std::vector<Interval>& BW_parts,
              const std::vector<Interval>& MD_parts) {
  const Interval BW = geometric_mean(BW_parts);
  const Interval MD = geometric_mean(MD_parts);
  const auto root = [](const Interval& a, const Interval& b) {
    return Interval{std::sqrt(a.low * b.low), std::sqrt(a.high * b.high)};
  };
  const Interval of_means = root(around(printed.BW), around(printed.MD));
  // Until May 2018 the scripts printed the product, cut after two decimals.
  constexpr double cut = 0.01;
  const double product = printed.BW.value * printed.MD.value;
  if (!may_be(printed.SCORE, of_means) && std::abs(printed.SCORE.value - product) <= cut + product * 1e-5)
    return failed(
        fmt::format("total {}; the phases give {}", printed.SCORE.text, io500_text_of(of_means)),
        printed.SCORE.line,
        "the total is bandwidth x IOPS, as the scripts printed it until May 2018; the score is its root");
  for (const auto& [name, number_printed, interval] :
       {std::tuple("bandwidth", &printed.BW, BW), std::tuple("IOPS", &printed.MD, MD),
        std::tuple("total", &printed.SCORE, of_means), std::tuple("total", &printed.SCORE, root(BW, MD))})
    if (!may_be(*number_printed, interval))
      return failed(
          fmt::format("{} {}; the phases give {}", name, number_printed->text, io500_text_of(interval)),
          number_printed->line, fmt::format("the {} score does not follow from the phases", name));
  return passed(fmt::format("{} GiB/s, {} kIOPS, {}", printed.BW.text, printed.MD.text, printed.SCORE.text),
                printed.SCORE.line);
}

Finding score_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto printed = scores(result, "SCORE");
  if (!printed) return unknown("the log has no score");
  if (const Fact* other = result.fact("second_score"))
    return failed(fmt::format("{} and {}", printed->SCORE.text, other->value), other->line,
                  "the log has two scores: one of them is not of its phases");
  std::vector<Interval> BW;
  std::vector<Interval> MD;
  for (const Io500Official& phase : io500_official) {
    const auto score = io500_printed(result, std::string(phase.name) + ".score");
    if (!score)
      return unknown(fmt::format("the log has no value of {}", phase.name), printed->SCORE.text,
                     printed->SCORE.line);
    if (score->value + score->error <= 0 || (score->value <= 0 && result.implementation != "io-500-dev"))
      return failed(fmt::format("{} scored {}, total {}", phase.name, score->text, printed->SCORE.text),
                    score->line,
                    "a phase without a rate: the program leaves it out of the mean or makes the mean 0");
    (phase.bandwidth ? BW : MD).push_back(around(*score));
  }
  return means(*printed, BW, MD);
}

Finding extended_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto printed = scores(result, "SCOREX");
  if (!printed) return not_applicable("no extended run");
  std::vector<Interval> BW;
  std::vector<Interval> MD;
  for (const Phase& phase : result.phases) {
    if (!io500_counts_in_extended(phase.name)) continue;
    const auto score = io500_printed(result, phase.name + ".score");
    if (score && score->value > 0) (phase.unit == "GiB/s" ? BW : MD).push_back(around(*score));
  }
  if (BW.empty() || MD.empty()) return unknown("the log has no values of the phases");
  return means(*printed, BW, MD);
}

Finding unit_of_version(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* decimal = result.fact("decimal_unit"))
    return failed(decimal->value, decimal->line,
                  "this program prints GiB/s: the unit or the value was edited");
  if (result.phases.empty()) return unknown("the log has no phases");
  return passed("as printed by its program");
}

/// Seconds of "2025-04-15 23:08:22" since 1970, as if UTC.
std::optional<double> seconds_of(std::string_view text) {
  const auto fields = [](std::string_view part, char separator) {
    std::vector<int> values;
    for (const std::string_view piece : split(part, separator)) {
      const auto value =
          piece.size() <= 4
              ? parsed_integer(piece.starts_with('0') && piece.size() > 1 ? piece.substr(1) : piece)
              : Result<std::int64_t>(-1);
      values.push_back(value && *value >= 0 ? static_cast<int>(*value) : -1);
    }
    return values;
  };
  const auto parts = words(text);
  if (parts.size() != 2) return std::nullopt;
  const auto date = fields(parts[0], '-');
  const auto clock = fields(parts[1], ':');
  if (date.size() != 3 || clock.size() != 3) return std::nullopt;
  if (std::min(*std::min_element(date.begin(), date.end()), *std::min_element(clock.begin(), clock.end())) <
      0)
    return std::nullopt;
  using namespace std::chrono;
  const year_month_day day{year(date[0]), month(static_cast<unsigned>(date[1])),
                           std::chrono::day(static_cast<unsigned>(date[2]))};
  if (!day.ok()) return std::nullopt;
  return static_cast<double>(sys_days(day).time_since_epoch().count()) * 86400.0 + clock[0] * 3600.0 +
         clock[1] * 60.0 + clock[2];
}

/// Whether clocks may be set back by an hour within `length` seconds from `start` (local time): that is done
/// in a night to Sunday at the end of summer, in the north from September to November, in the south from
/// February to April, at the latest at three.
bool may_end_summer(double start, double length) {
  using namespace std::chrono;
  const auto at = [](double seconds) { return sys_seconds(std::chrono::seconds(std::llround(seconds))); };
  const sys_days sunday = ceil<days>(at(start)) - (weekday(ceil<days>(at(start))) - Sunday);
  for (const sys_days night : {sunday, sunday + weeks(1)}) {
    const auto m = static_cast<unsigned>(year_month_day(night).month());
    const bool season = (m >= 2 && m <= 4) || (m >= 9 && m <= 11);
    if (season && at(start) <= night + hours(3) && night <= at(start + length)) return true;
  }
  return false;
}

Finding io500_clock_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  int compared = 0;
  for (const Phase& phase : result.phases) {
    const Fact* started = result.fact(phase.name + ".t_start");
    const Fact* ended = result.fact(phase.name + ".t_end");
    const auto time = io500_printed(result, phase.name + ".time");
    if (started == nullptr || ended == nullptr || !time) continue;
    const auto start = seconds_of(started->value);
    const auto end = seconds_of(ended->value);
    if (!start || !end) continue;
    ++compared;
    // Stamps have whole seconds and enclose what is timed; what is printed meanwhile takes time of its own.
    const double tolerance_s = 1 + 0.001 * time->value;
    constexpr double hour_s = 3600;
    const double by_the_clock =
        *end - *start + (may_end_summer(*start, std::min(time->value, 7 * 24 * hour_s)) ? hour_s : 0);
    if (by_the_clock - time->value < -tolerance_s)
      return failed(
          fmt::format("{}: {} s by the clock, {} s timed", phase.name, number(*end - *start, 7), time->text),
          time->line, "the phase took less time than is printed");
  }
  if (compared == 0) return unknown("the log has no start and end times of the phases");
  return passed(fmt::format("{} phases", compared));
}

/// Short phases are printed with 0.000 s.
Finding phases_took_time(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  int compared = 0;
  for (const Phase& phase : result.phases) {
    const auto time = io500_printed(result, phase.name + ".time");
    if (!time) continue;
    if (time->value < 0)
      return failed(fmt::format("{}: {} s", phase.name, time->text), time->line, "a time below 0");
    ++compared;
  }
  return compared == 0 ? unknown("the log has no times of the phases")
                       : passed(fmt::format("{} phases", compared));
}

constexpr std::array io500_identities_table = {
    Rule{"IO5-03", Severity::validity,
         "The score is the root of bandwidth x IOPS, the geometric means over 4 and 8 phases with a rate",
         "IO500, src/main.c, calc_score()", score_identity},
    Rule{"IO5-03b", Severity::validity, "The extended score follows from its phases likewise",
         "IO500, src/main.c, calc_score()", extended_identity},
    Rule{"IO5-03d", Severity::validity, "Bandwidths are in the unit that the program prints",
         "IO500, src/main.c: phases in GiB/s, the score too behind '[SCORE ]'; the scripts of 2017 to 2020 "
         "GB/s",
         unit_of_version},
    Rule{"IO5-03c", Severity::validity, "No phase's time is longer than from its start to its end",
         "IO500, src/main.c", io500_clock_identity},
    Rule{"IO5-03e", Severity::validity, "No phase's time is below 0", "IO500, src/main.c", phases_took_time},
};

}  // namespace

std::span<const Rule> io500_identity_rules() {
  return io500_identities_table;
}

}  // namespace shakedown
