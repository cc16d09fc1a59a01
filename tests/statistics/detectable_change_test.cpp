#include "reports/statistics/before_after.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/statistics/numbers.hpp"

using namespace shakedown;

TEST_CASE("64 runs a side find half a standard deviation, as in Cohen's tables") {
  // Cohen 1988, table 2.4.1: d = 0.5, power 0.80, two-sided 0.05: n = 64; d = 0.8: n = 26.
  ComparisonDesign design{
      .before = 64, .after = 64, .noise = 1, .significance = 0.05, .power = 0.8, .two_sided = true};
  CHECK(*detectable_change(design) == Approx(0.5).epsilon(0.005));
  CHECK(*runs_needed(0.5, design) == 64);
  CHECK(*runs_needed(0.8, design) == 26);
  CHECK(*runs_needed(0.2, design) == 394);  // his table rounds R's 393.41 down
  // R's power.t.test(n = 20, delta = 1, sd = 1): power = 0.8689528.
  design.before = design.after = 20;
  design.power = 0.8689528;
  CHECK(*detectable_change(design) == Approx(1).epsilon(1e-5));
}

TEST_CASE("what three runs at 1 % noise can't see is said as a change") {
  const auto three = detectable_change({.before = 3, .after = 3, .noise = 0.01});
  REQUIRE(three);
  CHECK(*three > 0.02);
  CHECK(*three < 0.035);
  CHECK(*runs_needed(*three, {.noise = 0.01}) == 3);
}

TEST_CASE("the change grows with the noise and shrinks with the runs") {
  CHECK(rc::check([] {
    ComparisonDesign design;
    design.before = *rc::gen::inRange<std::size_t>(2, 30);
    design.after = *rc::gen::inRange<std::size_t>(2, 30);
    const double change = *detectable_change(design);
    design.noise *= 3;
    RC_ASSERT(std::abs(*detectable_change(design) - 3 * change) < 1e-9);
    ++design.after;
    RC_ASSERT(*detectable_change(design) < 3 * change);
  }));
}

TEST_CASE("a side of one run, no power and no noise are distinguished") {
  CHECK(detectable_change({.before = 1, .after = 5}).error().what ==
        "1 runs before and 5 after: a side without two runs has no spread");
  CHECK_FALSE(detectable_change({.power = 1}));
  CHECK_FALSE(detectable_change({.noise = -1}));
  CHECK_FALSE(detectable_change({.noise = std::nan("")}));
  CHECK(*detectable_change({.noise = 0}) == 0);
  CHECK_FALSE(runs_needed(0, {}));
  CHECK(runs_needed(1e-9, {}).error().what == "more than 10000 runs a side to find that change");
}
