#include "reports/statistics/proportion.hpp"

#include <catch2/catch.hpp>
#include <cmath>

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
