#include "reports/statistics/sample.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

TEST_CASE("the median of an even number of values is the mean of the middle two") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 3}) == 2.5);
  CHECK(median({7}) == 7);
}

TEST_CASE("the median absolute deviation ignores how far out an outlier lies") {
  CHECK(median_absolute_deviation({1, 1, 2, 2, 4, 6, 9}) == 1);  // distances 1 1 0 0 2 4 7
  CHECK(median_absolute_deviation({1, 1, 2, 2, 4, 6, 9e9}) == 1);
  CHECK(median_absolute_deviation({5, 5, 5}) == 0);
}
