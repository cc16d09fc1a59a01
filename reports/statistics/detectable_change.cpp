#include "reports/statistics/detectable_change.hpp"

#include <algorithm>
#include <cmath>

#include "reports/statistics/distributions.hpp"

namespace shakedown {
namespace {

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
