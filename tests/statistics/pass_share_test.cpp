#include "reports/statistics/pass_share.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace shakedown;

TEST_CASE("the share of Shrout and Fleiss' six targets and four judges is 0.17") {
  const std::vector<std::vector<double>> targets = {{9, 2, 5, 8}, {6, 1, 3, 2},  {8, 4, 6, 8},
                                                    {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}};
  const auto share = pass_share(targets);
  REQUIRE(share);
  CHECK(*share == Approx(0.17).margin(0.005));
}

TEST_CASE("passes that are one value each share all, passes that differ by chance nothing") {
  const std::vector<std::vector<double>> alike = {{1, 1, 1}, {2, 2}, {4, 4}};
  CHECK(*pass_share(alike) == Approx(1));
  const std::vector<std::vector<double>> equal = {{1, 2, 3}, {1, 2, 3}};
  CHECK(*pass_share(equal) == 0);
}

TEST_CASE("one pass of several runs, equal and broken runs are refused") {
  CHECK_FALSE(pass_share(std::vector<std::vector<double>>{{1, 2}, {3}}));
  CHECK_FALSE(pass_share(std::vector<std::vector<double>>{{1, 1}, {1, 1}}));
  CHECK_FALSE(pass_share(std::vector<std::vector<double>>{{1, 2}, {3, std::nan("")}}));
}
