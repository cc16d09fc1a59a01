#include "reports/statistics/energy_split.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace shakedown {

EnergySplit energy_split(std::span<const double> values, std::size_t least) {
  least = std::max<std::size_t>(least, 2);
  EnergySplit best;
  if (values.size() < 2 * least) return best;
  const std::size_t n = values.size();
  // Of each value: its distances to all before it, and to all after it.
  std::vector<double> before(n, 0.0);
  std::vector<double> after(n, 0.0);
  double within_left = 0;
  double within_right = 0;
  double across = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double apart = std::abs(values[i] - values[j]);
      after[i] += apart;
      before[j] += apart;
    }
    within_right += after[i];
  }
  for (std::size_t cut = 1; cut < n; ++cut) {
    // The value before the cut goes over to the left.
    const double to_left = before[cut - 1];
    const double to_right = after[cut - 1];
    within_left += to_left;
    within_right -= to_right;
    across += to_right - to_left;
    if (cut < least || n - cut < least) continue;
    const double left = static_cast<double>(cut);
    const double right = static_cast<double>(n - cut);
    const double distance = left * right / (left + right) *
                            (2 * across / (left * right) - within_left / (left * (left - 1) / 2) -
                             within_right / (right * (right - 1) / 2));
    if (best.at == 0 || distance > best.distance) best = {cut, distance};
  }
  return best;
}

}  // namespace shakedown
