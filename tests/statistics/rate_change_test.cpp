#include "reports/statistics/proportion.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

TEST_CASE("the interval of a difference of two rates is Newcombe's") {
  // Newcombe 1998, table II, method 10: 56/70 - 48/80, 9/10 - 3/10, 0/10 - 0/10.
  const auto large = rate_change({48, 80}, {56, 70});
  REQUIRE(large);
  CHECK(large->difference == Approx(0.2));
  CHECK(large->low == Approx(0.0524).margin(5e-5));
  CHECK(large->high == Approx(0.3339).margin(5e-5));
  CHECK(rate_change({3, 10}, {9, 10})->low == Approx(0.1705).margin(5e-5));
  CHECK(rate_change({3, 10}, {9, 10})->high == Approx(0.8090).margin(5e-5));
  CHECK(rate_change({0, 10}, {0, 10})->high == Approx(0.2775).margin(5e-5));
}

TEST_CASE("p is that of Fisher's exact test") {
  CHECK(rate_change({3, 4}, {1, 4})->p == Approx(34.0 / 70));  // his tea taster: 3 of 4 guessed
  // Criminal twins of his, as R's fisher.test gives it: 2 of 17 against 10 of 13.
  CHECK(rate_change({2, 17}, {10, 13})->p == Approx(0.0005367).epsilon(1e-4));
  CHECK(rate_change({5, 5}, {5, 10})->p == Approx(0.1009).margin(5e-5));
  CHECK(rate_change({5, 5}, {5, 5})->p == 1);
  CHECK(rate_change({4000, 4000}, {4000, 4000})->p == 1);
  CHECK(rate_change({4000, 4000}, {3990, 4000})->p == Approx(0.00195).epsilon(0.02));
}

TEST_CASE("swapping the sides turns the difference and keeps p") {
  const auto one = rate_change({7, 9}, {3, 11});
  const auto other = rate_change({3, 11}, {7, 9});
  CHECK(one->difference == -other->difference);
  CHECK(one->low == Approx(-other->high));
  CHECK(one->p == Approx(other->p));
}

TEST_CASE("a side without a trial is refused") {
  CHECK_FALSE(rate_change({0, 0}, {1, 2}));
  CHECK_FALSE(rate_change({1, 2}, {3, 2}));
}
