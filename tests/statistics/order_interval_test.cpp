#include "reports/statistics/order_interval.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/statistics/numbers.hpp"

using namespace shakedown;

namespace {

std::vector<double> counted(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

/// P(low <= number of values below the median < high) by looking at all 2^n signs.
double enumerated_coverage(std::size_t n, std::size_t low, std::size_t high) {
  std::size_t inside = 0;
  for (std::size_t signs = 0; signs < (std::size_t{1} << n); ++signs) {
    std::size_t below = 0;
    for (std::size_t i = 0; i < n; ++i) below += signs >> i & 1;
    inside += low <= below && below < high ? 1 : 0;
  }
  return static_cast<double>(inside) / static_cast<double>(std::size_t{1} << n);
}

}  // namespace

TEST_CASE("the median's interval has the ranks and the coverage that all signs enumerated give") {
  // Any table of the sign test: P(at most 3 of 16) = 0.0106, so the 4th and the 13th of 16 cover 0.9787.
  const auto sixteen = median_interval(counted(16));
  REQUIRE(sixteen);
  CHECK(sixteen->low == 4);
  CHECK(sixteen->high == 13);
  CHECK(sixteen->coverage == Approx(0.97873).epsilon(1e-4));
  for (std::size_t n = 6; n <= 16; ++n) {
    const auto interval = median_interval(counted(n));
    REQUIRE(interval);
    CHECK(interval->low_rank + interval->high_rank == n + 1);
    CHECK(interval->coverage == Approx(enumerated_coverage(n, interval->low_rank, interval->high_rank)));
    CHECK(interval->coverage >= 0.95);
    // The next narrower one would not do.
    CHECK(enumerated_coverage(n, interval->low_rank + 1, interval->high_rank - 1) < 0.95);
  }
}

TEST_CASE("fewer than 6 values give no 95 % interval of the median, and the error says how many would") {
  const auto none = median_interval(std::vector<double>{98.2, 99.5, 100.1});
  REQUIRE_FALSE(none);
  CHECK(
      to_string(none.error()) ==
      "3 values give no 95 % interval of the median: from 98.20 to 100.1 is 75.0 %\nhint: 6 values would do");
  CHECK(values_needed(0.5, 0.95) == 6);
  CHECK(values_needed(0.5, 0.75) == 3);
  CHECK(values_needed(0.9, 0.95) == 36);  // 0.9^35 > 0.025 >= 0.9^36
  CHECK_FALSE(median_interval(std::vector<double>{}));
  CHECK_FALSE(median_interval(counted(5)));
  CHECK(median_interval(counted(6)));
  CHECK_FALSE(quantile_interval(counted(35), 0.9, 0.95));
  CHECK(quantile_interval(counted(36), 0.9, 0.95)->high == 36);
}

TEST_CASE("a one-sided lower limit of the median needs 5 values at 95 %") {
  CHECK_FALSE(quantile_lower_limit(counted(4), 0.5, 0.95));
  CHECK(
      to_string(quantile_lower_limit(counted(4), 0.5, 0.95).error()) ==
      "4 values give no 95 % lower limit of the median: the least of them, 1.000, is one at 93.8 %\nhint: 5 "
      "values would do");
  const auto limit = quantile_lower_limit(counted(5), 0.5, 0.95);
  REQUIRE(limit);
  CHECK(limit->low == 1);
  CHECK(limit->coverage == Approx(31.0 / 32));
}

TEST_CASE("intervals refuse what is no number and shares that are none") {
  std::vector<double> values = counted(8);
  values[2] = std::nan("");
  CHECK(median_interval(values).error().what == "value 3 of the values is nan, no finite number");
  values[2] = std::numeric_limits<double>::infinity();
  CHECK_FALSE(median_interval(values));
  CHECK_FALSE(quantile_interval(counted(8), 0, 0.95));
  CHECK_FALSE(quantile_interval(counted(8), 0.5, 1));
}

TEST_CASE("equal, negative and huge values have intervals of their own") {
  const auto equal = median_interval(std::vector<double>(7, 3.0));
  CHECK(equal->low == 3);
  CHECK(equal->high == 3);
  CHECK(median_interval(std::vector<double>{-6, -5, -4, -3, -2, -1})->low == -6);
  CHECK(median_interval(mapped(counted(6), 1e300))->high == 6e300);
}

TEST_CASE("an interval moves and stretches with its values, in whatever order they come") {
  CHECK(rc::check([] {
    const auto values = *some_values(6, 40);
    const auto interval = *median_interval(values);
    const auto moved = *median_interval(mapped(values, 4, 100));
    RC_ASSERT(moved.low == interval.low * 4 + 100);
    RC_ASSERT(moved.high == interval.high * 4 + 100);
    auto shuffled = values;
    std::reverse(shuffled.begin(), shuffled.end());
    std::rotate(shuffled.begin(), shuffled.begin() + 2, shuffled.end());
    RC_ASSERT(median_interval(shuffled)->low == interval.low);
    RC_ASSERT(median_interval(values, 0.75)->low >= interval.low);
  }));
}
