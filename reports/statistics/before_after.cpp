#include "reports/statistics/before_after.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <vector>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/distributions.hpp"
#include "reports/statistics/mann_whitney.hpp"
#include "reports/statistics/order_interval.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// The noise of one run, both sides together, as a share of the median before.
double noise(const Moments& before, const Moments& after, double centre) {
  const double n = static_cast<double>(before.n) - 1;
  const double m = static_cast<double>(after.n) - 1;
  const double squares = before.deviation * before.deviation * n + after.deviation * after.deviation * m;
  return std::sqrt(squares / (n + m)) / centre;
}

/// The interval at 1 - significance; the whole range of the differences where there is none.
Result<Shift> shift_of(std::span<const double> before, std::span<const double> after, double significance) {
  if (auto shift = hodges_lehmann_shift(before, after, 1 - significance)) return shift;
  std::vector<double> differences;
  for (const double one : before)
    for (const double other : after) differences.push_back(other - one);
  const double lowest = *std::min_element(differences.begin(), differences.end());
  const double highest = *std::max_element(differences.begin(), differences.end());
  std::vector<double> low(before.size());
  std::vector<double> high(after.size());
  for (std::size_t i = 0; i < low.size(); ++i) low[i] = static_cast<double>(i);
  for (std::size_t i = 0; i < high.size(); ++i) high[i] = static_cast<double>(low.size() + i);
  const auto least = mann_whitney_test(low, high);  // all of one above all of the other
  if (!least) return failure_of(least);
  return Shift{median(std::move(differences)), lowest, highest, 1 - least->p, true};
}

/// Interval and p of a shift between two days, by what is known of days. `error` is the shift's.
void put_days(BeforeAfter& found, const DaySpread& days, double error, double significance) {
  const double freedom = static_cast<double>(days.independent) - 1;
  const double half = student_limit(significance / 2, freedom) * error;
  found.low = found.shift - half;
  found.high = found.shift + half;
  found.coverage = 1 - significance;
  found.can_be_sure = true;
  found.p = error > 0 ? 2 * student_tail(std::abs(found.shift) / error, freedom) : found.shift == 0 ? 1 : 0;
  found.days = days;
}

/// The standard error of the difference of two days: of their levels, and of their runs where these are fewer
/// than on the days that the spread is known from, which have theirs in it.
double error_between_days(const DaySpread& days, double run_noise, std::size_t before, std::size_t after) {
  const double runs = 1 / static_cast<double>(before) + 1 / static_cast<double>(after) - 2 / days.runs;
  return std::sqrt(2 * days.deviation * days.deviation + run_noise * run_noise * std::max(0.0, runs));
}

}  // namespace

std::string_view to_string(ChangeFinding change) {
  switch (change) {
    case ChangeFinding::undecided:
      return "undecided";
    case ChangeFinding::same:
      return "no change";
    case ChangeFinding::worse:
      return "worse";
    case ChangeFinding::better:
      return "better";
  }
  return "";
}

std::vector<long> independent_dates(std::span<const long> dates, long apart) {
  std::vector<long> found;
  for (const long date : dates | std::views::reverse)
    if (found.empty() || found.back() - date >= apart) found.push_back(date);
  return found;
}

std::optional<DaySpread> day_spread(std::span<const MeasuredDay> days, long apart) {
  std::vector<long> dates;
  std::vector<double> levels;
  dates.reserve(days.size());
  levels.reserve(days.size());
  double inverse = 0;
  for (const MeasuredDay& day : days) {
    dates.push_back(day.date);
    levels.push_back(std::log(median(day.values)));
    inverse += 1 / static_cast<double>(day.values.size());
  }
  const std::size_t independent = independent_dates(dates, apart).size();
  if (independent < fewest_days) return std::nullopt;
  double squares = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < levels.size(); ++i)
    for (std::size_t j = 0; j < i && dates[i] - dates[j] >= apart; ++j) {
      squares += (levels[i] - levels[j]) * (levels[i] - levels[j]);
      ++pairs;
    }
  return DaySpread{.deviation = std::sqrt(squares / pairs / 2),
                   .days = days.size(),
                   .runs = static_cast<double>(days.size()) / inverse,
                   .apart = apart,
                   .independent = independent};
}

ChangeFinding change_of(const BeforeAfter& found, Better better, const BeforeAfterLimits& limits) {
  if (found.p <= limits.significance && std::abs(found.shift) >= limits.magnitude)
    return (found.shift > 0) == (better == Better::higher) ? ChangeFinding::better : ChangeFinding::worse;
  const double loss = better == Better::higher ? -found.shift : found.shift;
  if (!found.can_be_sure && found.p_loss <= limits.significance && loss >= limits.magnitude)
    return ChangeFinding::worse;
  const bool refuted = found.low > -limits.magnitude && found.high < limits.magnitude;
  return found.can_be_sure && refuted ? ChangeFinding::same : ChangeFinding::undecided;
}

Result<void> check_limits(const BeforeAfterLimits& limits) {
  if (is_share(limits.significance) && limits.magnitude >= 0) return {};
  return fail(
      "",
      fmt::format("no comparison at significance {} and magnitude {}", limits.significance, limits.magnitude),
      "a significance between 0 and 1, a magnitude from 0 on");
}

Result<BeforeAfter> before_after(std::span<const double> before, std::span<const double> after, Better better,
                                 const BeforeAfterLimits& limits, const std::optional<DaySpread>& days) {
  const auto test = mann_whitney_test(before, after);
  if (!test) return failure_of(test);
  const auto loss = mann_whitney_test(
      before, after, better == Better::higher ? Alternative::is_less : Alternative::is_greater);
  if (!loss) return failure_of(loss);
  if (auto good = check_limits(limits); !good) return failure_of(good);
  const double centre = median(std::vector<double>(before.begin(), before.end()));
  if (!(centre > 0))
    return fail("", fmt::format("the median before is {}: no change in per cent of it", centre),
                "compare rates or times, which lie above 0");
  const auto shift = shift_of(before, after, limits.significance);
  if (!shift) return failure_of(shift);
  BeforeAfter found;
  found.shift = shift->estimate / centre;
  found.low = shift->low / centre;
  found.high = shift->high / centre;
  found.coverage = shift->coverage;
  found.p = test->p;
  found.p_loss = loss->p;
  found.can_be_sure = 1 - shift->coverage <= limits.significance + 1e-12;
  if (days) {
    const double run_noise = noise(moments(before), moments(after), centre);
    put_days(found, *days, error_between_days(*days, run_noise, before.size(), after.size()),
             limits.significance);
  }
  found.change = change_of(found, better, limits);
  found.text = fmt::format("{}: {}{} after than before, {} interval {} to {}, {} p = {:.2g} ({} and {} runs)",
                           to_string(found.change), percent_text(std::abs(found.shift)),
                           found.shift < 0 ? " less" : " more", percent_text(found.coverage, 0),
                           percent_text(found.low), percent_text(found.high),
                           days ? "Student's t" : test->method, found.p, before.size(), after.size());
  return found;
}

namespace {

/// Two-sided; what did not change at all has no direction and does not count.
double sign_p(std::span<const double> shares) {
  const auto up = std::ranges::count_if(shares, [](double share) { return share > 0; });
  const auto down = std::ranges::count_if(shares, [](double share) { return share < 0; });
  if (up + down == 0) return 1;
  const auto fewer = static_cast<double>(std::min(up, down));
  return std::min(1.0, 2 * binomial_at_most(fewer, static_cast<std::size_t>(up + down), 0.5));
}

}  // namespace

Result<BeforeAfter> paired_change(std::span<const double> shares, Better better,
                                  const BeforeAfterLimits& limits, const std::optional<DaySpread>& days) {
  if (auto good = check_sample(shares, 2, "the nodes"); !good) return failure_of(good);
  if (auto good = check_limits(limits); !good) return failure_of(good);
  BeforeAfter found;
  found.shift = median(std::vector<double>(shares.begin(), shares.end()));
  if (const auto interval = median_interval(shares, 1 - limits.significance)) {
    found.low = interval->low;
    found.high = interval->high;
    found.coverage = interval->coverage;
    found.can_be_sure = true;
  } else {
    const auto [least, most] = std::ranges::minmax(shares);
    found.low = least;
    found.high = most;
    found.coverage = 1 - std::pow(0.5, static_cast<double>(shares.size()) - 1);
  }
  found.p = sign_p(shares);
  if (days && found.can_be_sure) {
    const BeforeAfter of_nodes = found;
    put_days(found, *days, std::sqrt(2.0) * days->deviation, limits.significance);
    found.low = found.shift - std::hypot(found.shift - found.low, of_nodes.shift - of_nodes.low);
    found.high = found.shift + std::hypot(found.high - found.shift, of_nodes.high - of_nodes.shift);
    found.p = std::max(found.p, of_nodes.p);
  }
  found.change = change_of(found, better, limits);
  found.text = fmt::format("{}: {} {}, {} interval {} to {}, sign test p = {:.2g} ({} nodes)",
                           to_string(found.change), percent_text(std::abs(found.shift)),
                           found.shift < 0 ? "less" : "more", percent_text(found.coverage, 0),
                           percent_text(found.low), percent_text(found.high), found.p, shares.size());
  return found;
}

}  // namespace shakedown
