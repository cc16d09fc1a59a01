#include "reports/statistics/mann_whitney.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/statistics/numbers.hpp"

using namespace shakedown;

namespace {

// Hollander and Wolfe, "Nonparametric Statistical Methods", 1973, page 69: permeability of the human
// chorioamnion at term and between 12 and 26 weeks; the example of R's wilcox.test.
const std::vector<double> at_term = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
const std::vector<double> early = {1.15, 0.88, 0.90, 0.74, 1.21};

double pairs_above(const std::vector<double>& first, const std::vector<double>& second) {
  double u = 0;
  for (const double x : first)
    for (const double y : second) u += y > x ? 1 : y == x ? 0.5 : 0;
  return u;
}

/// P(U >= seen) by looking at every way to deal the values, ties and all.
double enumerated(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> all = first;
  all.insert(all.end(), second.begin(), second.end());
  const double seen = pairs_above(first, second);
  std::vector<bool> is_second(all.size(), false);
  std::fill(is_second.end() - static_cast<std::ptrdiff_t>(second.size()), is_second.end(), true);
  double hits = 0;
  double count = 0;
  do {
    std::vector<double> one;
    std::vector<double> other;
    for (std::size_t i = 0; i < all.size(); ++i) (is_second[i] ? other : one).push_back(all[i]);
    hits += pairs_above(one, other) >= seen ? 1 : 0;
    count += 1;
  } while (std::next_permutation(is_second.begin(), is_second.end()));
  return hits / count;
}

}  // namespace

TEST_CASE("the permeability of Hollander and Wolfe gives U = 35 and p = 0.1272") {
  const auto test = mann_whitney_test(early, at_term, Alternative::is_greater);
  REQUIRE(test);
  CHECK(test->exact);
  CHECK(test->statistic == 35);
  CHECK(test->p == Approx(0.1272).epsilon(1e-3));
  CHECK(mann_whitney_test(early, at_term)->p == Approx(0.2544).epsilon(1e-3));
  const auto shift = hodges_lehmann_shift(early, at_term);
  REQUIRE(shift);
  CHECK(shift->estimate == Approx(0.305));
  CHECK(shift->low == Approx(-0.15));
  CHECK(shift->high == Approx(0.76));
  CHECK(shift->coverage == Approx(0.96).epsilon(0.005));  // their example 4.4: the 96 % interval
}

TEST_CASE("with ties p is what every dealing of the tied values gives") {
  CHECK(rc::check([] {
    const auto coarse = [](std::vector<double> values) {
      for (double& value : values) value = std::floor(value / 20);
      return values;
    };
    const auto first = coarse(*some_values(2, 6));
    const auto second = coarse(*some_values(2, 6));
    RC_ASSERT(std::abs(mann_whitney_test(first, second, Alternative::is_greater)->p -
                       enumerated(first, second)) < 1e-12);
    RC_ASSERT(mann_whitney_test(first, second)->statistic == pairs_above(first, second));
  }));
}

TEST_CASE("ranks know neither order nor unit, and a sample and its mirror agree") {
  CHECK(rc::check([] {
    const auto first = *some_values(2, 12);
    const auto second = *some_values(2, 12);
    const double p = mann_whitney_test(first, second, Alternative::is_less)->p;
    auto turned = first;
    std::reverse(turned.begin(), turned.end());
    RC_ASSERT(mann_whitney_test(turned, second, Alternative::is_less)->p == p);
    RC_ASSERT(mann_whitney_test(mapped(first, 8, 3), mapped(second, 8, 3), Alternative::is_less)->p == p);
    RC_ASSERT(std::abs(mann_whitney_test(second, first, Alternative::is_greater)->p - p) < 1e-12);
  }));
}

TEST_CASE("a shift moves with the second sample and stretches with both") {
  CHECK(rc::check([] {
    const auto first = *some_values(4, 10);
    const auto second = *some_values(4, 10);
    const auto shift = *hodges_lehmann_shift(first, second);
    const auto moved = *hodges_lehmann_shift(first, mapped(second, 1, 16));
    RC_ASSERT(moved.estimate == shift.estimate + 16);
    RC_ASSERT(moved.low == shift.low + 16);
    const auto doubled = *hodges_lehmann_shift(mapped(first, 2), mapped(second, 2));
    RC_ASSERT(doubled.high == 2 * shift.high);
    RC_ASSERT(shift.low <= shift.estimate);
    RC_ASSERT(shift.estimate <= shift.high);
    const auto mirrored = *hodges_lehmann_shift(second, first);
    RC_ASSERT(mirrored.low == -shift.high);
    // A shift of 0 is inside exactly where the test does not reject, but for ties.
    auto all = first;
    all.insert(all.end(), second.begin(), second.end());
    std::sort(all.begin(), all.end());
    RC_PRE(std::adjacent_find(all.begin(), all.end()) == all.end());
    RC_ASSERT((shift.low <= 0 && 0 <= shift.high) ==
              (mann_whitney_test(first, second)->p > 1 - shift.coverage + 1e-9));
  }));
}

TEST_CASE(
    "three runs before and three after give no 95 % interval of the shift, and the error says what would") {
  const auto none = hodges_lehmann_shift(std::vector<double>{100, 101, 102}, std::vector<double>{95, 96, 97});
  REQUIRE_FALSE(none);
  CHECK(to_string(none.error()) ==
        "3 runs before and 3 after give no 95 % interval of the shift: from \u22127.000 to \u22123.000 is "
        "90.0 %\nhint: 4 runs "
        "before and as many after would do");
  CHECK(hodges_lehmann_shift(std::vector<double>{100, 101, 102, 103}, std::vector<double>{95, 96, 97, 98}));
  CHECK(
      hodges_lehmann_shift(std::vector<double>{100, 101, 102}, std::vector<double>{95, 96, 97}, 0.9)->high ==
      -3);
}

TEST_CASE("equal samples have no shift, and single or broken values are refused") {
  const std::vector<double> equal(5, 2.0);
  CHECK(mann_whitney_test(equal, equal)->p == 1);
  CHECK(hodges_lehmann_shift(equal, equal)->high == 0);
  CHECK_FALSE(mann_whitney_test(equal, std::vector<double>{3}));
  CHECK_FALSE(mann_whitney_test(std::vector<double>{1, HUGE_VAL}, equal));
  CHECK_FALSE(hodges_lehmann_shift({}, equal));
}

TEST_CASE("beyond 60 values the normal approximation joins the exact distribution") {
  std::vector<double> first;
  std::vector<double> second;
  for (int i = 0; i < 30; ++i) {
    first.push_back(i * 7 % 31);
    second.push_back(i * 11 % 31 + 3.5);
  }
  const auto exact = *mann_whitney_test(first, second, Alternative::is_greater);
  CHECK(exact.exact);
  first.push_back(17.25);  // one in the middle
  const auto approximate = *mann_whitney_test(first, second, Alternative::is_greater);
  CHECK_FALSE(approximate.exact);
  CHECK(std::abs(approximate.p - exact.p) < 0.02);
  CHECK(mann_whitney_test(std::vector<double>(40, 1.0), std::vector<double>(40, 1.0))->p == 1);
}

TEST_CASE("few values against many are counted, not approximated") {
  std::vector<double> control;
  for (int i = 0; i < 57; ++i) control.push_back(100 + 0.01 * i);
  const std::vector<double> fresh = {90, 90.1, 90.2, 90.3};
  const auto lowest = *mann_whitney_test(control, fresh, Alternative::is_less);
  CHECK(lowest.exact);
  CHECK(lowest.p == Approx(1 / 521'855.0).epsilon(1e-12));  // one of C(61, 4) deals; approximated: 4.7e-4
  CHECK(mann_whitney_test(fresh, control, Alternative::is_greater)->p == Approx(lowest.p));
  CHECK(mann_whitney_test(control, fresh, Alternative::is_greater)->p == Approx(1));
  CHECK(mann_whitney_test(control, fresh)->p == Approx(2 * lowest.p));
  // 8 of 1000: C(1008, 8), and as quick.
  std::vector<double> many(1000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = 100 + static_cast<double>(i);
  const std::vector<double> eight = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(mann_whitney_test(many, eight, Alternative::is_less)->p == Approx(3.889824733461e-20).epsilon(1e-9));
}

TEST_CASE("beyond 60 values the counts are those of every deal, ties and all") {
  std::vector<double> many;
  for (int i = 0; i < 58; ++i) many.push_back((i * 37) % 29);
  for (const std::vector<double>& few :
       {std::vector<double>{3, 3, 17}, std::vector<double>{28, 20, 28}, std::vector<double>{14, 14, 15}}) {
    const double p = enumerated(many, few);
    CHECK(mann_whitney_test(many, few, Alternative::is_greater)->p == Approx(p));
    CHECK(mann_whitney_test(few, many, Alternative::is_less)->p == Approx(p));
  }
}

TEST_CASE("there is no p-value against a single published value") {
  const std::vector<double> runs = {98, 99, 100, 101};
  const auto refused = mann_whitney_test(std::vector<double>{105}, runs);
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) ==
        "the first sample is a single value, which has no spread: no test against it\nhint: compare with it "
        "by a declared tolerance, or make two runs at least");
  CHECK_FALSE(mann_whitney_test(runs, {}));
  CHECK_FALSE(mann_whitney_test(runs, std::vector<double>{1, std::nan("")}));
}

TEST_CASE("the smallest p is one over the number of ways to deal the values") {
  const std::vector<double> low = {1, 2, 3, 4, 5};
  const std::vector<double> high = {11, 12, 13, 14, 15};
  const auto p_of = [&](std::size_t n, Alternative alternative) {
    return mann_whitney_test(std::span(low).first(n), std::span(high).first(n), alternative)->p;
  };
  CHECK(p_of(3, Alternative::is_greater) == Approx(0.05));
  CHECK(p_of(4, Alternative::is_greater) == Approx(1 / 70.0));
  CHECK(p_of(5, Alternative::is_greater) == Approx(1 / 252.0));
  CHECK(p_of(3, Alternative::differs) == Approx(0.1));  // no 3 against 3 is significant at 0.05 two-sided
}
