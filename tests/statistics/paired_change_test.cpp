#include "reports/statistics/before_after.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

using namespace shakedown;

TEST_CASE("nodes that each lost are worse, though they differ by more than they lost") {
  const auto found = paired_change(std::vector{-0.030, -0.031, -0.029, -0.033, -0.028, -0.030});
  REQUIRE(found);
  CHECK(found->change == ChangeFinding::worse);
  CHECK(found->shift == Approx(-0.03));
  CHECK(found->low == -0.033);  // of six the whole range: 1 - 2^-5
  CHECK(found->high == -0.028);
  CHECK(found->coverage == Approx(0.96875));
  CHECK(found->p == Approx(2.0 / 64));
  CHECK(paired_change(std::vector{0.03, 0.031, 0.029, 0.033, 0.028, 0.03}, Better::lower)->change ==
        ChangeFinding::worse);
}

TEST_CASE("the sign test gives Conover's p, and what did not move counts on neither side") {
  // Conover, 3.4, example 1: eight of ten customers prefer B, one prefers A, one has no preference.
  const auto found = paired_change(std::vector{0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, -0.01, 0.0});
  CHECK(found->p == Approx(2 * 10.0 / 512));
}

TEST_CASE("an interval within the magnitude is the same; five nodes are too few for one") {
  std::vector<double> shares = {0.001, -0.002, 0.003, -0.001, 0.002, 0.0};
  CHECK(paired_change(shares)->change == ChangeFinding::same);
  shares.pop_back();
  const auto five = paired_change(shares);
  CHECK(five->change == ChangeFinding::undecided);
  CHECK_FALSE(five->can_be_sure);
  CHECK(five->coverage == Approx(0.9375));
}

TEST_CASE("nodes that lost together lost no more than days differ") {
  const std::vector<double> shares = {-0.030, -0.031, -0.029, -0.033, -0.028, -0.030};
  CHECK(paired_change(shares, Better::higher, {}, DaySpread{.deviation = 0.002, .days = 9, .independent = 9})
            ->change == ChangeFinding::worse);
  const auto found =
      paired_change(shares, Better::higher, {}, DaySpread{.deviation = 0.02, .days = 9, .independent = 9});
  CHECK(found->change == ChangeFinding::undecided);
  CHECK(found->low < -0.09);
  CHECK(found->high > 0.03);
  CHECK(found->p > 0.05);
}

TEST_CASE("an interval that holds a loss that counts is undecided") {
  CHECK(paired_change(std::vector{-0.03, -0.03, -0.03, 0.0, 0.001, 0.002})->change ==
        ChangeFinding::undecided);
}

TEST_CASE("one node, what is no number, and limits that are none are refused") {
  CHECK_FALSE(paired_change(std::vector{0.1}));
  CHECK_FALSE(paired_change(std::vector{0.1, std::numeric_limits<double>::quiet_NaN()}));
  CHECK_FALSE(paired_change(std::vector{0.1, 0.1}, Better::higher, {.significance = 1}));
}
