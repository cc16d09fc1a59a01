#include "reports/statistics/watch_difference.hpp"

#include <cmath>

#include "reports/statistics/distributions.hpp"
#include "reports/statistics/mann_whitney.hpp"

namespace shakedown {

LossTest loss_test(const Moments& control, std::span<const Moments> checks, double shared) {
  LossTest found;
  const double n = static_cast<double>(control.n);
  const double w = static_cast<double>(checks.size());
  double squares = control.deviation * control.deviation * (n - 1);
  double error2 = 1 / n;
  found.freedom = n - 1;
  found.loss = control.mean;
  for (const Moments& check : checks) {
    const double m = static_cast<double>(check.n);
    squares += check.deviation * check.deviation * (m - 1) / (1 - shared);
    found.freedom += m - 1;
    error2 += (shared + (1 - shared) / m) / (w * w);
    found.loss -= check.mean / w;
  }
  found.error = std::sqrt(squares / found.freedom * error2);
  if (found.error > 0)
    found.p = student_tail(found.loss / found.error, found.freedom);
  else if (found.loss != 0)
    found.p = found.loss > 0 ? 0 : 1;
  return found;
}

LossTest loss_test(const Moments& control, const Moments& fresh) {
  return loss_test(control, std::span(&fresh, 1), 0);
}

bool agree(const Moments& fresh, double centre, double level) {
  const double loss = centre - fresh.mean;
  if (fresh.n < 2 || !(fresh.deviation > 0)) return loss > 0;
  const double m = static_cast<double>(fresh.n);
  return student_tail(loss / fresh.deviation * std::sqrt(m), m - 1) <= level;
}

bool below_by_ranks(std::span<const double> control, std::span<const double> fresh, double significance,
                    bool last) {
  const auto test = mann_whitney_test(control, fresh, Alternative::is_less);
  return test && (test->p <= significance || (last && test->statistic == 0));
}

}  // namespace shakedown
