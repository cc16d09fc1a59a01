#include "reports/statistics/permutation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/statistics/numbers.hpp"

using namespace shakedown;

TEST_CASE("the smallest p is one over the number of ways to deal the values") {
  const std::vector<double> low = {1, 2, 3, 4, 5};
  const std::vector<double> high = {11, 12, 13, 14, 15};
  const auto p_of = [&](std::size_t n, Alternative alternative) {
    return permutation_test(std::span(low).first(n), std::span(high).first(n), alternative)->p;
  };
  CHECK(p_of(3, Alternative::is_greater) == Approx(0.05));
  CHECK(p_of(4, Alternative::is_greater) == Approx(1 / 70.0));
  CHECK(p_of(5, Alternative::is_greater) == Approx(1 / 252.0));
  CHECK(p_of(3, Alternative::differs) == Approx(0.1));  // no 3 against 3 is significant at 0.05 two-sided
  CHECK(p_of(3, Alternative::is_less) == 1);
}

TEST_CASE("the mice of Efron and Tibshirani live longer by chance in one of seven dealings") {
  // "An Introduction to the Bootstrap", 1993, Table 2.1; section 15.2 gives 0.132 from 1000 permutations.
  const std::vector<double> treated = {94, 197, 16, 38, 99, 141, 23};
  const std::vector<double> control = {52, 104, 146, 10, 51, 30, 40, 27, 46};
  const auto test = permutation_test(control, treated, Alternative::is_greater);
  REQUIRE(test);
  CHECK(test->exact);
  CHECK(test->count == 11440);
  CHECK(test->statistic == Approx(30.63).epsilon(1e-3));
  CHECK(std::abs(test->p - 0.132) < 3 * std::sqrt(0.132 * 0.868 / 1000));
}

TEST_CASE("where there are too many ways they are drawn, seeded, with the error of p") {
  std::vector<double> first;
  std::vector<double> second;
  for (int i = 0; i < 12; ++i) {
    first.push_back(i * 37 % 50);
    second.push_back(i * 31 % 50 + 6);
  }
  const auto drawn = *permutation_test(first, second, Alternative::is_greater);
  CHECK_FALSE(drawn.exact);
  CHECK(drawn.error > 0);
  CHECK(permutation_test(first, second, Alternative::is_greater)->p == drawn.p);
  const auto again = *permutation_test(first, second, Alternative::is_greater, 7);
  CHECK(again.p != drawn.p);
  CHECK(std::abs(again.p - drawn.p) < 6 * drawn.error);
  CHECK(permutation_test(first, mapped(second, 1, 1e6), Alternative::is_greater)->p > 0);
}

TEST_CASE("there is no p-value against a single published value") {
  const std::vector<double> runs = {98, 99, 100, 101};
  const std::vector<double> published = {105};
  const auto refused = permutation_test(published, runs);
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) ==
        "the first sample is a single value, which has no spread: no test against it\nhint: compare with it "
        "by a "
        "declared tolerance, or make two runs at least");
  CHECK_FALSE(permutation_test(runs, published));
  CHECK_FALSE(permutation_test(runs, {}));
  CHECK_FALSE(permutation_test(runs, std::vector<double>{1, std::nan("")}));
}

TEST_CASE("equal values differ in every dealing as much, and huge ones don't overflow") {
  CHECK(permutation_test(std::vector<double>(4, 5.0), std::vector<double>(4, 5.0))->p == 1);
  const std::vector<double> low = {-1e308, -1.1e308, -1.2e308};
  const std::vector<double> high = {1e308, 1.1e308, 1.2e308};
  CHECK(permutation_test(low, high, Alternative::is_greater)->p == Approx(0.05));
}

TEST_CASE("p depends neither on the order of the values nor on their unit or zero") {
  CHECK(rc::check([] {
    const auto first = *some_values(2, 7);
    const auto second = *some_values(2, 7);
    for (const Alternative alternative :
         {Alternative::is_less, Alternative::is_greater, Alternative::differs}) {
      const double p = permutation_test(first, second, alternative)->p;
      auto turned = second;
      std::reverse(turned.begin(), turned.end());
      RC_ASSERT(permutation_test(first, turned, alternative)->p == p);
      RC_ASSERT(permutation_test(mapped(first, 3), mapped(second, 3), alternative)->p == p);
      RC_ASSERT(permutation_test(mapped(first, 1, 1000), mapped(second, 1, 1000), alternative)->p == p);
    }
    RC_ASSERT(permutation_test(first, second, Alternative::is_less)->p ==
              permutation_test(mapped(first, -1), mapped(second, -1), Alternative::is_greater)->p);
    RC_ASSERT(permutation_test(first, mapped(second, 1, 5), Alternative::is_greater)->p <=
              permutation_test(first, second, Alternative::is_greater)->p);
  }));
}
