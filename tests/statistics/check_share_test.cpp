#include "reports/statistics/variance_components.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace shakedown;

TEST_CASE("the share of Shrout and Fleiss' six targets and four judges is 0.17") {
  const std::vector<std::vector<double>> targets = {{9, 2, 5, 8}, {6, 1, 3, 2},  {8, 4, 6, 8},
                                                    {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}};
  const auto share = check_share(targets);
  REQUIRE(share);
  CHECK(share->share == Approx(0.17).margin(0.005));
}

TEST_CASE(
    "checks that are one value each share all, checks that differ less than by chance less than nothing") {
  const std::vector<std::vector<double>> alike = {{1, 1, 1}, {2, 2}, {4, 4}};
  CHECK(check_share(alike)->share == Approx(1));
  const std::vector<std::vector<double>> equal = {{1, 2, 3}, {1, 2, 3}};
  CHECK(check_share(equal)->share == Approx(-0.5));
}

TEST_CASE("where nothing is shared the share is 0 on average, and as far off as its error says") {
  std::mt19937_64 random(20261122);
  std::normal_distribution<double> noise(100, 1);
  constexpr int trials = 4000;
  double sum = 0;
  double squares = 0;
  double error = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<std::vector<double>> checks(20, std::vector<double>(2));
    for (auto& check : checks)
      for (double& run : check) run = noise(random);
    const CheckShare found = check_share(checks).value();
    sum += found.share;
    squares += found.share * found.share;
    error = found.error;
  }
  CHECK(sum / trials == Approx(0).margin(0.03));
  CHECK(error == Approx(std::sqrt(1 / 19.0)));
  CHECK(std::sqrt(squares / trials) == Approx(error).epsilon(0.06));
}

TEST_CASE("one check of several runs, equal and broken runs are refused") {
  CHECK_FALSE(check_share(std::vector<std::vector<double>>{{1, 2}, {3}}));
  CHECK_FALSE(check_share(std::vector<std::vector<double>>{{1, 1}, {1, 1}}));
  CHECK_FALSE(check_share(std::vector<std::vector<double>>{{1, 2}, {3, std::nan("")}}));
}
