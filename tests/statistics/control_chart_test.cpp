#include "reports/statistics/control_region.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "reports/statistics/sample.hpp"

using namespace shakedown;

TEST_CASE("with few values the limits are wider than three deviations") {
  // Student's t of a tail of 0.01 is 31.82 / 6.965 / 4.541 / 2.998 at 1 / 2 / 3 / 7 degrees of freedom (any
  // table).
  const auto three = *prediction_limits(moments(std::vector<double>{99, 100, 101}), 0.01);
  CHECK(three.low == Approx(100 - 6.965 * std::sqrt(1 + 1 / 3.0)).epsilon(1e-4));
  CHECK(three.high == Approx(200 - three.low));
  const auto eight =
      *prediction_limits(moments(std::vector<double>{98, 99, 100, 101, 102, 99, 100, 101}), 0.01);
  CHECK(eight.high == Approx(100 + 2.998 * std::sqrt(12.0 / 7) * std::sqrt(1.125)).epsilon(1e-4));
  CHECK_FALSE(prediction_limits(moments(std::vector<double>{1, 2}), 0.01));
  CHECK_FALSE(prediction_limits(moments(std::vector<double>{1, 2, 3}), 0.5));
}

TEST_CASE("the trend of Anscombe's first set is the one he published") {
  // F. J. Anscombe, "Graphs in Statistical Analysis", 1973: slope 0.500, standard error 0.118, t 4.24; the
  // set's y in the order of x = 4 ... 14.
  const std::vector<double> y = {4.26, 5.68, 7.24, 4.82, 6.95, 8.81, 8.04, 8.33, 10.84, 7.58, 9.96};
  const auto trend = linear_trend(y);
  REQUIRE(trend);
  CHECK(trend->slope == Approx(0.500).epsilon(1e-3));
  CHECK(trend->error == Approx(0.1179).epsilon(1e-3));
  CHECK(2 * trend->p_rising == Approx(0.00217).epsilon(2e-3));
  CHECK(trend->p_falling > 0.99);
  CHECK(trend->total == Approx(5).epsilon(1e-3));
}

TEST_CASE("a line without spread is beyond doubt, a level one has no trend") {
  CHECK(linear_trend(std::vector<double>{3, 2, 1})->p_falling < 1e-9);
  CHECK(linear_trend(std::vector<double>{1, 2, 3})->p_rising < 1e-9);
  const auto level = *linear_trend(std::vector<double>(5, 7.0));
  CHECK(level.slope == 0);
  CHECK(level.p_falling == 1);
  CHECK_FALSE(linear_trend(std::vector<double>{1, 2}));
}
