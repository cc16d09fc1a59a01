#include "reports/statistics/variance_components.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace shakedown;

namespace {

/// The 18 batting averages of 45 times at bat each that Efron and Morris (1977) draw together.
std::vector<Estimate> batting_averages() {
  std::vector<Estimate> found;
  for (const double each : {.400, .378, .356, .333, .311, .311, .289, .267, .244, .244, .222, .222, .222,
                            .222, .222, .200, .178, .156})
    found.push_back({each, std::sqrt(.265 * (1 - .265) / 45)});
  return found;
}

}  // namespace

TEST_CASE("Efron and Morris' batting averages are drawn to .294 and .242") {
  const auto drawn = shrunk(batting_averages());
  REQUIRE(drawn);
  CHECK(drawn->front() == Approx(.294).margin(.001));
  CHECK(drawn->back() == Approx(.242).margin(.001));
}

TEST_CASE("order and scale of the estimates are of no account") {
  auto turned = batting_averages();
  std::ranges::reverse(turned);
  for (Estimate& each : turned) each = {1000 * each.value, 1000 * each.error};
  const auto drawn = shrunk(turned);
  const auto before = shrunk(batting_averages());
  REQUIRE(drawn);
  for (std::size_t i = 0; i < turned.size(); ++i)
    CHECK((*drawn)[i] == Approx(1000 * (*before)[turned.size() - 1 - i]));
}

TEST_CASE("what is known well stays where it is, what is not known goes to the mean") {
  const std::vector<Estimate> known = {{1, .001}, {2, .001}, {3, .001}, {4, .001}};
  CHECK(shrunk(known)->front() == Approx(1).margin(1e-5));
  const std::vector<Estimate> mixed = {{0, 0}, {10, 100}, {0, 0}, {2, 0}, {3, 0}};
  CHECK(shrunk(mixed)->at(0) == 0);
  CHECK(shrunk(mixed)->at(1) ==
        Approx(6.5));  // the mean is 3; with five values half of the pull to it is dropped
}

TEST_CASE("three and fewer estimates tell nothing of each other; broken ones are refused") {
  const std::vector<Estimate> three = {{1, 5}, {2, 5}, {3, 5}};
  CHECK(*shrunk(three) == std::vector<double>{1, 2, 3});
  CHECK(shrunk({})->empty());
  CHECK_FALSE(shrunk(std::vector<Estimate>{{1, -1}}));
  CHECK_FALSE(shrunk(std::vector<Estimate>{{std::nan(""), 1}}));
}
