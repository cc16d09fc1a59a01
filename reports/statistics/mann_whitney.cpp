#include "reports/statistics/mann_whitney.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/distributions.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_exact = 60;
constexpr std::size_t smaller_exact = 12;
constexpr double most_steps = 2e7;    // of counting, some 20 ms
constexpr double rounded = 1 + 1e-9;  // 1 - 0.9 is not quite 0.1

/// Twice the mid-rank of each value of the second sample, and of all: whole numbers.
struct Ranks {
  std::vector<std::size_t> all;
  std::size_t second_sum = 0;
  double ties = 0;  ///< sum of t^3 - t over groups of t equal values
};

Ranks ranks(std::span<const double> first, std::span<const double> second) {
  std::vector<std::pair<double, bool>> values;
  for (const double value : first) values.emplace_back(value, false);
  for (const double value : second) values.emplace_back(value, true);
  std::sort(values.begin(), values.end());
  Ranks found;
  for (std::size_t from = 0; from < values.size();) {
    std::size_t to = from;
    while (to < values.size() && values[to].first == values[from].first) ++to;
    const double size = static_cast<double>(to - from);
    found.ties += size * size * size - size;
    for (std::size_t i = from; i < to; ++i) {
      found.all.push_back(from + to + 1);
      if (values[i].second) found.second_sum += from + to + 1;
    }
    from = to;
  }
  return found;
}

/// The probability of each sum of `k` of the ranks, which ascend, each choice as likely.
std::vector<double> sum_distribution(const std::vector<std::size_t>& of, std::size_t k) {
  const std::size_t most =
      std::accumulate(of.end() - static_cast<std::ptrdiff_t>(k), of.end(), std::size_t{0});
  // ways[j][s]: how many choices of j ranks have the sum s, as shares of C(n, k) so that nothing overflows.
  std::vector<std::vector<double>> ways(k + 1, std::vector<double>(most + 1, 0.0));
  ways[0][0] = 1;
  for (const std::size_t rank : of)
    for (std::size_t j = k; j > 0; --j)
      for (std::size_t sum = rank; sum <= most; ++sum) ways[j][sum] += ways[j - 1][sum - rank];
  double all = 0;
  for (const double count : ways[k]) all += count;
  for (double& count : ways[k]) count /= all;
  return ways[k];
}

/// P(sum <= at) and P(sum >= at).
std::pair<double, double> tails(const std::vector<double>& distribution, std::size_t at) {
  double below = 0;
  double above = 0;
  for (std::size_t sum = 0; sum < distribution.size(); ++sum) {
    if (sum <= at) below += distribution[sum];
    if (sum >= at) above += distribution[sum];
  }
  return {std::min(below, 1.0), std::min(above, 1.0)};
}

/// How many of `k` things there are among `n`.
double choices(std::size_t n, std::size_t k) {
  double count = 1;
  for (std::size_t i = 0; i < k; ++i) count *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return count;
}

/// P(sum <= at) and P(sum >= at) of `k` of the ranks, each choice as likely, counted from the nearer end on:
/// sums beyond `at` are never looked at. Nothing: that takes too long.
std::optional<std::pair<double, double>> counted_tails(std::vector<std::size_t> of, std::size_t k,
                                                       std::size_t at) {
  const std::size_t mirror = 2 * of.size() + 2;
  const bool upper = 2 * at > k * mirror;
  if (upper) {
    for (std::size_t& rank : of) rank = mirror - rank;
    at = k * mirror - at;
  }
  const auto few = std::count_if(of.begin(), of.end(), [&](std::size_t rank) { return rank <= at; });
  if (static_cast<double>(few) * static_cast<double>(k * at) > most_steps) return std::nullopt;
  std::vector<std::vector<double>> ways(k + 1, std::vector<double>(at + 1, 0.0));
  ways[0][0] = 1;
  for (const std::size_t rank : of)
    for (std::size_t j = rank <= at ? k : 0; j > 0; --j)
      for (std::size_t sum = rank; sum <= at; ++sum) ways[j][sum] += ways[j - 1][sum - rank];
  double below = 0;
  for (const double count : ways[k]) below += count;
  const double all = choices(of.size(), k);
  const std::pair found{below / all, 1 - (below - ways[k][at]) / all};
  return upper ? std::pair(found.second, found.first) : found;
}

double chosen(std::pair<double, double> tails, Alternative alternative) {
  if (alternative == Alternative::is_less) return tails.first;
  if (alternative == Alternative::is_greater) return tails.second;
  return std::min(1.0, 2 * std::min(tails.first, tails.second));
}

/// Of n and m values without ties: the greatest c with P(U < c) <= missed; 0: there is none.
std::size_t lowest_pair(std::size_t n, std::size_t m, double missed) {
  std::vector<std::size_t> untied;
  for (std::size_t rank = 1; rank <= n + m; ++rank) untied.push_back(rank);
  const std::vector<double> distribution = sum_distribution(untied, m);
  const std::size_t least = m * (m + 1) / 2;
  double below = 0;
  std::size_t c = 0;
  while (c < n * m && below + distribution[least + c] <= missed * rounded) below += distribution[least + c++];
  return c;
}

double at_most(std::size_t n, std::size_t m, std::size_t u) {
  std::vector<std::size_t> untied;
  for (std::size_t rank = 1; rank <= n + m; ++rank) untied.push_back(rank);
  return tails(sum_distribution(untied, m), m * (m + 1) / 2 + u).first;
}

}  // namespace

Result<TestResult> mann_whitney_test(std::span<const double> first, std::span<const double> second,
                                     Alternative alternative) {
  if (auto good = check_two_samples(first, second); !good) return failure_of(good);
  Ranks found = ranks(first, second);
  const double n = static_cast<double>(first.size());
  const double m = static_cast<double>(second.size());
  TestResult result;
  result.statistic = static_cast<double>(found.second_sum) / 2 - m * (m + 1) / 2;
  if (found.all.size() <= most_exact) {
    if (found.ties == 0) {  // whole ranks, and half as many sums
      for (std::size_t& rank : found.all) rank /= 2;
      found.second_sum /= 2;
    }
    result.p = chosen(tails(sum_distribution(found.all, second.size()), found.second_sum), alternative);
    result.method = "exact Mann-Whitney test";
    return result;
  }
  const bool second_smaller = second.size() <= first.size();
  const std::size_t smaller = second_smaller ? second.size() : first.size();
  if (smaller <= smaller_exact) {
    std::size_t sum = found.second_sum;
    if (!second_smaller) sum = std::accumulate(found.all.begin(), found.all.end(), std::size_t{0}) - sum;
    if (auto both = counted_tails(found.all, smaller, sum)) {
      if (!second_smaller) std::swap(both->first, both->second);
      result.p = chosen(*both, alternative);
      result.method = "exact Mann-Whitney test";
      return result;
    }
  }
  result.exact = false;
  result.method = "Mann-Whitney test, normal approximation";
  const double all = n + m;
  const double deviation = std::sqrt(n * m / 12 * (all + 1 - found.ties / (all * (all - 1))));
  if (!(deviation > 0)) return result;
  const double distance = result.statistic - n * m / 2;
  result.p = chosen({normal_tail(-(distance + 0.5) / deviation), normal_tail((distance - 0.5) / deviation)},
                    alternative);
  return result;
}

Result<Shift> hodges_lehmann_shift(std::span<const double> first, std::span<const double> second,
                                   double confidence) {
  if (auto good = check_two_samples(first, second); !good) return failure_of(good);
  if (!(confidence > 0) || !(confidence < 1))
    return fail("", fmt::format("no interval at {} confidence", confidence), "it lies between 0 and 1");
  const std::size_t n = first.size();
  const std::size_t m = second.size();
  std::vector<double> differences;
  differences.reserve(n * m);
  for (const double before : first)
    for (const double after : second) differences.push_back(after - before);
  std::sort(differences.begin(), differences.end());
  Shift shift;
  shift.estimate = median(differences);
  const double missed = (1 - confidence) / 2;
  std::size_t c = 0;
  if (n + m <= most_exact) {
    c = lowest_pair(n, m, missed);
    if (c == 0) {
      std::size_t enough = std::min(n, m);
      while (lowest_pair(enough, enough, missed) == 0) ++enough;
      return fail(
          "",
          fmt::format("{} runs before and {} after give no {} interval of the shift: from {} to {} is {}", n,
                      m, percent_text(confidence, 0), number(differences.front()), number(differences.back()),
                      percent_text(1 - 2 * at_most(n, m, 0))),
          fmt::format("{} runs before and as many after would do", enough));
    }
    shift.coverage = 1 - 2 * at_most(n, m, c - 1);
  } else {
    const double pairs = static_cast<double>(n) * static_cast<double>(m);
    const double deviation = std::sqrt(pairs * static_cast<double>(n + m + 1) / 12);
    c = static_cast<std::size_t>(std::max(1.0, std::floor(pairs / 2 - normal_limit(missed) * deviation)));
    shift.exact = false;
    shift.coverage = confidence;
  }
  shift.low = differences[c - 1];
  shift.high = differences[n * m - c];
  return shift;
}

}  // namespace shakedown
