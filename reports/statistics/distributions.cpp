#include "reports/statistics/distributions.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>

namespace shakedown {
namespace {

namespace bm = boost::math;
namespace bp = boost::math::policies;
using Quiet = bp::policy<bp::domain_error<bp::ignore_error>, bp::pole_error<bp::ignore_error>,
                         bp::overflow_error<bp::ignore_error>, bp::underflow_error<bp::ignore_error>,
                         bp::evaluation_error<bp::ignore_error>, bp::promote_double<false>>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

bool is_share(double value) {
  return value > 0 && value < 1;
}

double normal_tail(double x) {
  return std::isnan(x) ? nan : 0.5 * std::erfc(x / std::sqrt(2.0));
}

double normal_limit(double tail) {
  if (!is_share(tail)) return nan;
  return bm::quantile(bm::complement(bm::normal_distribution<double, Quiet>(), tail));
}

double normal_even_median_tail(double x, std::size_t half) {
  if (half == 0 || std::isnan(x)) return nan;
  const auto m = static_cast<double>(half);
  // (2 m)! / ((m - 1)! m!), which the m of the inner integral has divided.
  const double ways =
      std::exp(bm::lgamma(2 * m + 1, Quiet()) - bm::lgamma(m, Quiet()) - bm::lgamma(m + 1, Quiet()));
  const auto integrand = [&](double y) {
    const double density = std::exp(-y * y / 2) / std::sqrt(2 * std::numbers::pi);
    return (std::pow(normal_tail(-y), m) - std::pow(normal_tail(y - 2 * x), m)) *
           std::pow(normal_tail(y), m - 1) * density;
  };
  constexpr double far = 40;  // beyond, a double holds no density
  if (x >= far) return 0;
  const double begin = std::max(x, -far);
  const double end = std::max(begin, 0.0) + far;
  constexpr unsigned most_halvings = 15;
  constexpr double tolerance = 1e-13;
  return ways * boost::math::quadrature::gauss_kronrod<double, 61>::integrate(integrand, begin, end,
                                                                              most_halvings, tolerance);
}

double student_tail(double x, double freedom) {
  if (std::isnan(x) || !(freedom > 0)) return nan;
  if (std::isinf(x)) return x > 0 ? 0 : 1;
  return bm::cdf(bm::complement(bm::students_t_distribution<double, Quiet>(freedom), x));
}

double student_limit(double tail, double freedom) {
  if (!is_share(tail) || !(freedom > 0)) return nan;
  return bm::quantile(bm::complement(bm::students_t_distribution<double, Quiet>(freedom), tail));
}

double binomial_at_most(double successes, std::size_t trials, double chance) {
  if (!(chance >= 0) || !(chance <= 1) || std::isnan(successes)) return nan;
  if (successes < 0) return 0;
  const double n = static_cast<double>(trials);
  if (successes >= n) return 1;
  return bm::cdf(bm::binomial_distribution<double, Quiet>(n, chance), std::floor(successes));
}

double binomial_lower_chance(std::size_t successes, std::size_t trials, double tail) {
  if (trials == 0 || successes > trials || !is_share(tail)) return nan;
  if (successes == 0) return 0;
  return bm::binomial_distribution<double, Quiet>::find_lower_bound_on_p(
      static_cast<double>(trials), static_cast<double>(successes), tail);
}

double hypergeometric(std::size_t k, std::size_t drawn, std::size_t marked, std::size_t all) {
  if (drawn > all || marked > all || k > drawn || k > marked || drawn - k > all - marked) return 0;
  const auto log_ways = [](std::size_t n, std::size_t of) {
    const auto each = [](std::size_t count) { return bm::lgamma(static_cast<double>(count) + 1, Quiet()); };
    return each(n) - each(of) - each(n - of);
  };
  return std::exp(log_ways(marked, k) + log_ways(all - marked, drawn - k) - log_ways(all, drawn));
}

}  // namespace shakedown
