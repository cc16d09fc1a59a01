// What a criterion costs vendor and customer: exact formulas against enumeration and simulation.
#include "reports/judge/criteria_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "reports/statistics/distributions.hpp"

using namespace shakedown;

namespace {

/// The chance by enumeration of all ways in which n runs meet or miss a limit: `passes` of how many meet it.
template <class Passes>
double enumerated(int n, double chance, Passes passes) {
  double sum = 0;
  for (unsigned ways = 0; ways < 1U << n; ++ways) {
    const int met = __builtin_popcount(ways);
    if (passes(met)) sum += std::pow(chance, met) * std::pow(1 - chance, n - met);
  }
  return sum;
}

/// The share of 200,000 seeded machines whose value meets the criterion.
double simulated(const Aggregation& how, int runs, double sigmas) {
  std::mt19937_64 random(20261121);
  std::normal_distribution<double> noise(sigmas, 1);
  constexpr int machines = 200'000;
  int passed = 0;
  std::vector<double> points(static_cast<std::size_t>(runs));
  for (int i = 0; i < machines; ++i) {
    std::ranges::generate(points, [&] { return noise(random); });
    passed += *aggregated(how, points, Direction::at_least).value >= 0 ? 1 : 0;
  }
  return static_cast<double>(passed) / machines;
}

}  // namespace

TEST_CASE("every run of 3 passes 60 % of the machines that are one sigma good") {
  const double passes = *pass_probability({.kind = Aggregation::Kind::every}, 3, 1);
  CHECK(passes == Approx(0.5955).margin(1e-4));
  CHECK(passes == Approx(std::pow(0.8413447460685429, 3)));  // the normal distribution's table
  const auto risk = criterion_risk({.kind = Aggregation::Kind::every}, 3, 1, 0.01);
  REQUIRE(risk);
  CHECK(risk->vendor == Approx(1 - passes));
  CHECK(risk->even == Approx(0.125));
  CHECK(risk->customer == Approx(std::pow(1 - 0.8413447460685429, 3)));
}

TEST_CASE("the chances are those of enumerating which runs meet the limit") {
  for (const double sigmas : {-1.0, 0.0, 0.3, 1.0, 2.0}) {
    const double meets = normal_tail(-sigmas);
    for (const int n : {3, 5, 9})
      CHECK(*pass_probability({.kind = Aggregation::Kind::median}, n, sigmas) ==
            Approx(enumerated(n, meets, [&](int met) { return 2 * met > n; })));
    CHECK(*pass_probability({.kind = Aggregation::Kind::best_of, .k = 2, .n = 3}, 3, sigmas) ==
          Approx(enumerated(3, meets, [](int met) { return met >= 2; })));
    // Of 8 runs the second lowest is the lower 95 % limit: one may miss.
    CHECK(*pass_probability({.kind = Aggregation::Kind::lower_confidence}, 8, sigmas) ==
          Approx(enumerated(8, meets, [](int met) { return met >= 7; })));
  }
}

TEST_CASE("the median of an even number of runs passes as simulated, and half of those at the limit") {
  // Of two runs it is their mean, whose deviation is smaller by the square root of 2.
  CHECK(*pass_probability({.kind = Aggregation::Kind::median}, 2, 1) == Approx(normal_tail(-std::sqrt(2.0))));
  CHECK(*pass_probability({.kind = Aggregation::Kind::median}, 2, -0.4) ==
        Approx(normal_tail(0.4 * std::sqrt(2.0))));
  for (const int n : {2, 4, 6, 10, 40})
    CHECK(*pass_probability({.kind = Aggregation::Kind::median}, n, 0) == Approx(0.5));
  for (const int n : {4, 6})
    for (const double sigmas : {-0.5, 0.5, 1.0})
      CHECK(*pass_probability({.kind = Aggregation::Kind::median}, n, sigmas) ==
            Approx(simulated({.kind = Aggregation::Kind::median}, n, sigmas)).margin(0.004));
}

TEST_CASE("each aggregation judges as its formula says: 200,000 simulated machines") {
  for (const double sigmas : {-1.0, 0.0, 1.0}) {
    for (const Aggregation& how :
         {Aggregation{.kind = Aggregation::Kind::every}, Aggregation{.kind = Aggregation::Kind::median},
          Aggregation{.kind = Aggregation::Kind::lower_confidence},
          Aggregation{.kind = Aggregation::Kind::best_of, .k = 3, .n = 5}})
      CHECK(*pass_probability(how, 5, sigmas) == Approx(simulated(how, 5, sigmas)).margin(0.004));
  }
}

TEST_CASE("margins are where 95 % pass and 5 % still do, and scale with the CoV") {
  const auto risk = criterion_risk({.kind = Aggregation::Kind::every}, 3, 1, 0.01);
  REQUIRE(risk);
  CHECK(*pass_probability({.kind = Aggregation::Kind::every}, 3, risk->vendor_margin / 0.01) == Approx(0.95));
  CHECK(*pass_probability({.kind = Aggregation::Kind::every}, 3, risk->customer_margin / 0.01) ==
        Approx(0.05));
  CHECK(criterion_risk({.kind = Aggregation::Kind::every}, 3, 1, 0.02)->vendor_margin ==
        Approx(2 * risk->vendor_margin));
  // One run: 1.645 standard deviations on either side.
  const auto one = criterion_risk({.kind = Aggregation::Kind::every}, 1, 1, 0.01);
  CHECK(one->vendor_margin == Approx(0.01645).epsilon(1e-3));
  CHECK(one->customer_margin == Approx(-0.01645).epsilon(1e-3));
}

TEST_CASE("100 nodes that must each pass almost never do, one sigma good each") {
  const auto risk = criterion_risk({.kind = Aggregation::Kind::every}, 1, 100, 0.01);
  REQUIRE(risk);
  CHECK(risk->vendor == Approx(1 - std::pow(normal_tail(-1), 100)));
  CHECK(risk->vendor > 0.999);
  CHECK(std::pow(normal_tail(-risk->vendor_margin / 0.01), 100) == Approx(0.95));
}

TEST_CASE("too few runs have no risk, they have no value") {
  const auto four = pass_probability({.kind = Aggregation::Kind::lower_confidence}, 4, 1);
  REQUIRE_FALSE(four);
  CHECK(four.error().what == "4 runs make no lower 95 % limit of the median");
  CHECK(four.error().hint == "5 would");
}
