#include "reports/statistics/proportion.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "reports/statistics/distributions.hpp"
#include "tests/statistics/numbers.hpp"

using namespace shakedown;

TEST_CASE("Wilson's interval is that of Newcombe's table") {
  // Newcombe 1998, Table I, method 3.
  const auto check = [](std::size_t r, std::size_t n, double low, double high) {
    const auto found = wilson_interval(r, n);
    REQUIRE(found);
    CHECK(found->low == Approx(low).margin(5e-5));
    CHECK(found->high == Approx(high).margin(5e-5));
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0.0000, 0.1611);
  check(1, 29, 0.0061, 0.1718);
}

TEST_CASE("what a number of successes proves is exact") {
  struct Row {
    std::size_t successes;
    std::size_t trials;
    double confidence;
    double low;
    double high;
  };
  // R, binom.test(x, n, conf.level)$conf.int; Newcombe 1998, Table I, method 5.
  for (const Row& row :
       {Row{10, 10, 0.9, 0.7411, 1}, Row{29, 29, 0.9, 0.9019, 1}, Row{28, 28, 0.9, 0.8985, 1},
        Row{9, 10, 0.95, 0.5550, 0.9975}, Row{0, 20, 0.95, 0, 0.1684}, Row{81, 263, 0.95, 0.2527, 0.3676},
        Row{15, 148, 0.95, 0.0578, 0.1617}, Row{1, 29, 0.95, 0.0009, 0.1776}}) {
    INFO(row.successes << " of " << row.trials);
    const auto found = exact_interval(row.successes, row.trials, row.confidence);
    REQUIRE(found);
    CHECK(found->low == Approx(row.low).margin(5e-5));
    CHECK(found->high == Approx(row.high).margin(5e-5));
  }
  CHECK_FALSE(exact_interval(0, 0));
  CHECK_FALSE(exact_interval(3, 2));
  CHECK_FALSE(exact_interval(1, 2, 1));
}

TEST_CASE("an exact interval holds every rate at least as often as it says, where Wilson's does not") {
  for (const double rate : {0.5, 0.8, 0.9, 0.95, 0.99}) {
    constexpr std::size_t trials = 12;
    double held = 0;
    for (std::size_t k = 0; k <= trials; ++k)
      if (const auto found = exact_interval(k, trials); found->low <= rate && rate <= found->high)
        held += binomial_at_most(static_cast<double>(k), trials, rate) -
                binomial_at_most(static_cast<double>(k) - 1, trials, rate);
    CHECK(held >= 0.95);
  }
}

TEST_CASE("a success rate stays between 0 and 1 and mirrors its failures") {
  CHECK(rc::check([] {
    const auto n = *rc::gen::inRange<std::size_t>(1, 500);
    const auto r = *rc::gen::inRange<std::size_t>(0, n + 1);
    const auto found = *wilson_interval(r, n);
    const auto mirror = *wilson_interval(n - r, n);
    RC_ASSERT(found.low >= 0);
    RC_ASSERT(found.high <= 1);
    RC_ASSERT(found.low <= found.rate && found.rate <= found.high);
    RC_ASSERT(std::abs(found.low - (1 - mirror.high)) < 1e-12);
  }));
  CHECK_FALSE(wilson_interval(0, 0));
  CHECK(wilson_interval(3, 2).error().what == "3 of 2 is no success rate");
  CHECK_FALSE(wilson_interval(1, 2, 1));
}

TEST_CASE("every run of three passes 60 % of the machines that are one sigma good") {
  const double one = 0.5 * std::erfc(-1 / std::sqrt(2.0));
  CHECK(*chance_of_k_of_n(3, 3, one) == Approx(0.5955).epsilon(1e-3));
  CHECK(*chance_of_k_of_n(1, 3, 0.5) == Approx(7.0 / 8));
  CHECK(*chance_of_k_of_n(2, 3, 0) == 0);
  CHECK(*chance_of_k_of_n(2, 3, 1) == 1);
  CHECK_FALSE(chance_of_k_of_n(4, 3, 0.5));
  CHECK_FALSE(chance_of_k_of_n(1, 3, std::nan("")));
}
