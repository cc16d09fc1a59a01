#include "reports/statistics/permutation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr std::uint64_t most_enumerated = 200'000;
constexpr std::uint64_t draws = 100'000;

/// C(n, k), or `most_enumerated` + 1 where it is more.
std::uint64_t ways(std::size_t n, std::size_t k) {
  std::uint64_t count = 1;
  for (std::size_t i = 1; i <= std::min(k, n - k); ++i) {
    count = count * (n - i + 1) / i;
    if (count > most_enumerated) return most_enumerated + 1;
  }
  return count;
}

/// Whether a second sample's sum is as far out as the one seen, sums counted from the expected one. Sums that
/// rounding alone tells apart are equal.
struct Extreme {
  Alternative alternative;
  double seen;
  double tolerance;
  [[nodiscard]] bool operator()(double sum) const {
    if (alternative == Alternative::is_less) return sum <= seen + tolerance;
    if (alternative == Alternative::is_greater) return sum >= seen - tolerance;
    return std::abs(sum) >= std::abs(seen) - tolerance;
  }
};

/// The share of all choices of `k` of the values whose sum is extreme.
TestResult enumerated(const std::vector<double>& values, std::size_t k, const Extreme& extreme) {
  TestResult result;
  std::vector<std::size_t> chosen(k);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::uint64_t hits = 0;
  while (true) {
    double sum = 0;
    for (const std::size_t i : chosen) sum += values[i];
    hits += extreme(sum) ? 1 : 0;
    ++result.count;
    std::size_t at = k;
    while (at > 0 && chosen[at - 1] == values.size() - k + at - 1) --at;
    if (at == 0) break;
    ++chosen[at - 1];
    for (std::size_t i = at; i < k; ++i) chosen[i] = chosen[i - 1] + 1;
  }
  result.p = static_cast<double>(hits) / static_cast<double>(result.count);
  result.method = "exact permutation test of the means";
  return result;
}

TestResult drawn(std::vector<double> values, std::size_t k, const Extreme& extreme, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uint64_t hits = 1;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) {
      // The modulo's bias is 2^-50 here, and unlike a distribution of the library it is the same everywhere.
      std::swap(values[i], values[i + random() % (values.size() - i)]);
      sum += values[i];
    }
    hits += extreme(sum) ? 1 : 0;
  }
  TestResult result;
  result.exact = false;
  result.count = draws;
  result.p = static_cast<double>(hits) / static_cast<double>(draws + 1);
  result.error = std::sqrt(result.p * (1 - result.p) / static_cast<double>(draws));
  result.method = "permutation test of the means, drawn";
  return result;
}

}  // namespace

Result<TestResult> permutation_test(std::span<const double> first, std::span<const double> second,
                                    Alternative alternative, std::uint64_t seed) {
  if (auto good = check_two_samples(first, second); !good) return pass_on(good);
  std::vector<double> values(second.begin(), second.end());
  values.insert(values.end(), first.begin(), first.end());
  // Each value is taken from the centre and scaled, so that sums of huge values neither overflow nor lose the
  // differences; sorted, so that no order of the values shows.
  const double largest = std::abs(*std::max_element(
      values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
  const double scale = largest > 0 ? largest : 1;
  double centre = 0;
  for (const double value : values) centre += value / scale / static_cast<double>(values.size());
  for (double& value : values) value = value / scale - centre;
  std::sort(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(second.size()));
  const double seen =
      std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(second.size()), 0.0);
  std::sort(values.begin(), values.end());
  const double spread = values.back() - values.front();
  const Extreme extreme{alternative, seen, 1e-9 * spread};
  const std::size_t all = values.size();
  TestResult result = ways(all, second.size()) <= most_enumerated
                          ? enumerated(values, second.size(), extreme)
                          : drawn(std::move(values), second.size(), extreme, seed);
  result.statistic = moments(second).mean - moments(first).mean;
  return result;
}

}  // namespace shakedown
