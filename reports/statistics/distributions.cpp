#include "reports/statistics/distributions.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace shakedown {
namespace {

namespace bm = boost::math;
namespace bp = boost::math::policies;
using Quiet = bp::policy<bp::domain_error<bp::ignore_error>, bp::pole_error<bp::ignore_error>,
                         bp::overflow_error<bp::ignore_error>, bp::underflow_error<bp::ignore_error>,
                         bp::evaluation_error<bp::ignore_error>, bp::promote_double<false>>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_share(double value) {
  return value > 0 && value < 1;
}

}  // namespace

double normal_tail(double x) {
  return std::isnan(x) ? nan : 0.5 * std::erfc(x / std::sqrt(2.0));
}

double normal_limit(double tail) {
  if (!is_share(tail)) return nan;
  return bm::quantile(bm::complement(bm::normal_distribution<double, Quiet>(), tail));
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

double noncentral_student_tail(double x, double freedom, double shift) {
  if (!std::isfinite(x) || !std::isfinite(shift) || !(freedom > 0)) return nan;
  return bm::cdf(bm::complement(bm::non_central_t_distribution<double, Quiet>(freedom, shift), x));
}

double binomial_at_most(double successes, std::size_t trials, double chance) {
  if (!(chance >= 0) || !(chance <= 1) || std::isnan(successes)) return nan;
  if (successes < 0) return 0;
  const double n = static_cast<double>(trials);
  if (successes >= n) return 1;
  return bm::cdf(bm::binomial_distribution<double, Quiet>(n, chance), std::floor(successes));
}

}  // namespace shakedown
