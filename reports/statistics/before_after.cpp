#include "reports/statistics/before_after.hpp"

#include <algorithm>
#include <cmath>
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

Result<void> check(const ComparisonDesign& design) {
  if (design.before < 2 || design.after < 2)
    return fail("",
                fmt::format("{} runs before and {} after: a side without two runs has no spread",
                            design.before, design.after),
                "plan two runs at least on each side");
  if (!(design.noise >= 0) || std::isinf(design.noise))
    return fail("", fmt::format("{} is no coefficient of variation", design.noise), "1 % is 0.01");
  if (!is_share(design.significance) || !is_share(design.power))
    return fail("",
                fmt::format("no test at significance {} with power {}", design.significance, design.power),
                "both lie between 0 and 1");
  return {};
}

/// The change in standard deviations of one run.
double detectable_deviations(const ComparisonDesign& design) {
  const double n = static_cast<double>(design.before);
  const double m = static_cast<double>(design.after);
  const double freedom = n + m - 2;
  const double limit =
      student_limit(design.two_sided ? design.significance / 2 : design.significance, freedom);
  const auto found = [&](double shift) {
    double power = noncentral_student_tail(limit, freedom, shift);
    if (design.two_sided) power += 1 - noncentral_student_tail(-limit, freedom, shift);
    return power;
  };
  if (found(0) >= design.power) return 0;
  double low = 0;
  double high = 1;
  while (found(high) < design.power && high < 1e6) high *= 2;
  while (high - low > 1e-10 * high) {
    const double middle = (low + high) / 2;
    (found(middle) < design.power ? low : high) = middle;
  }
  return high * std::sqrt(1 / n + 1 / m);
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

ChangeFinding change_of(const BeforeAfter& found, Better better, const BeforeAfterLimits& limits) {
  if (found.p <= limits.significance && std::abs(found.shift) >= limits.magnitude)
    return (found.shift > 0) == (better == Better::higher) ? ChangeFinding::better : ChangeFinding::worse;
  const bool refuted = found.low > -limits.magnitude && found.high < limits.magnitude;
  return found.can_be_sure && refuted ? ChangeFinding::same : ChangeFinding::undecided;
}

Result<void> check_limits(const BeforeAfterLimits& limits) {
  const auto is_share = [](double value) { return value > 0 && value < 1; };
  if (is_share(limits.significance) && is_share(limits.power) && limits.magnitude >= 0) return {};
  return fail("",
              fmt::format("no comparison at significance {}, power {} and magnitude {}", limits.significance,
                          limits.power, limits.magnitude),
              "a significance and a power between 0 and 1, a magnitude from 0 on");
}

Result<BeforeAfter> before_after(std::span<const double> before, std::span<const double> after, Better better,
                                 const BeforeAfterLimits& limits) {
  const auto test = mann_whitney_test(before, after);
  if (!test) return failure_of(test);
  if (auto good = check_limits(limits); !good) return failure_of(good);
  const double centre = median(std::vector<double>(before.begin(), before.end()));
  if (!(centre > 0))
    return fail("", fmt::format("the median before is {}: no change in per cent of it", centre),
                "compare rates or times, which lie above 0");
  const auto shift = shift_of(before, after, limits.significance);
  if (!shift) return failure_of(shift);
  const auto detectable = detectable_change({.before = before.size(),
                                             .after = after.size(),
                                             .noise = noise(moments(before), moments(after), centre),
                                             .significance = limits.significance,
                                             .power = limits.power,
                                             .two_sided = true});
  if (!detectable) return failure_of(detectable);
  BeforeAfter found;
  found.shift = shift->estimate / centre;
  found.low = shift->low / centre;
  found.high = shift->high / centre;
  found.coverage = shift->coverage;
  found.p = test->p;
  found.detectable = *detectable;
  found.can_be_sure = 1 - shift->coverage <= limits.significance + 1e-12;
  found.change = change_of(found, better, limits);
  found.text = fmt::format("{}: {}{} after than before, {} interval {} to {}, {} p = {:.2g} ({} and {} runs)",
                           to_string(found.change), percent_text(std::abs(found.shift)),
                           found.shift < 0 ? " less" : " more", percent_text(found.coverage, 0),
                           percent_text(found.low), percent_text(found.high), test->method, found.p,
                           before.size(), after.size());
  if (found.change == ChangeFinding::undecided)
    found.text += found.can_be_sure ? fmt::format("; {} of comparisons of as many runs find a change of {}",
                                                  percent_text(limits.power, 0), percent_text(*detectable))
                                    : fmt::format("; so few runs can't reach p = {:g}", limits.significance);
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
                                  const BeforeAfterLimits& limits) {
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
  found.change = change_of(found, better, limits);
  found.text = fmt::format("{}: {} {}, {} interval {} to {}, sign test p = {:.2g} ({} nodes)",
                           to_string(found.change), percent_text(std::abs(found.shift)),
                           found.shift < 0 ? "less" : "more", percent_text(found.coverage, 0),
                           percent_text(found.low), percent_text(found.high), found.p, shares.size());
  return found;
}

Result<double> detectable_change(const ComparisonDesign& design) {
  if (auto good = check(design); !good) return failure_of(good);
  return design.noise * detectable_deviations(design);
}

Result<std::size_t> runs_needed(double change, ComparisonDesign design) {
  constexpr std::size_t most = 10'000;
  design.before = design.after = 2;
  if (auto good = check(design); !good) return failure_of(good);
  if (!(change > 0)) return fail("", fmt::format("{} is no change to be found", change), "2 % is 0.02");
  const auto enough = [&](std::size_t runs) {
    design.before = design.after = runs;
    return design.noise * detectable_deviations(design) <= change;
  };
  std::size_t high = 2;
  while (high < most && !enough(high)) high = std::min(2 * high, most);
  if (!enough(high))
    return fail("", fmt::format("more than {} runs a side to find that change", most),
                "lower the noise, or look for a larger change");
  std::size_t low = 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace shakedown
