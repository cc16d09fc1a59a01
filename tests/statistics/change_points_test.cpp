#include "reports/statistics/change_points.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

using namespace shakedown;

namespace {

/// The scaled energy distance of Matteson and James by its definition, all pairs.
double distance(const std::vector<double>& values, std::size_t at) {
  double across = 0, left = 0, right = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      const double apart = std::abs(values[i] - values[j]);
      if (j < at) left += apart;
      if (i >= at) right += apart;
      if (i < at && j >= at) across += apart;
    }
  const double n = static_cast<double>(at);
  const double m = static_cast<double>(values.size() - at);
  return n * m / (n + m) * (2 * across / (n * m) - 2 * left / (n * (n - 1)) - 2 * right / (m * (m - 1)));
}

std::vector<double> noisy(std::size_t n, double level, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(level, 1);
  std::vector<double> values(n);
  for (double& value : values) value = noise(random);
  return values;
}

std::vector<double> stepped(std::size_t before, std::size_t after, double change, std::uint64_t seed) {
  auto values = noisy(before, 100, seed);
  const auto rest = noisy(after, 100 + change, seed + 1);
  values.insert(values.end(), rest.begin(), rest.end());
  return values;
}

}  // namespace

TEST_CASE("the split is the one whose distance, all pairs counted, is largest") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto values = stepped(5 + seed % 7, 6, static_cast<double>(seed % 5), seed);
    const EnergySplit split = energy_split(values, 3);
    double largest = -1e300;
    for (std::size_t at = 3; at + 3 <= values.size(); ++at) largest = std::max(largest, distance(values, at));
    CHECK(split.distance == Approx(largest));
    CHECK(distance(values, split.at) == Approx(largest));
  }
  CHECK(energy_split(std::vector<double>{1, 2, 3}, 2).at == 0);
}

TEST_CASE("both methods find where a step begins, and by how much") {
  const auto values = stepped(20, 20, -5, 3);
  for (const auto& points :
       {*hunter_change_points(values, {.magnitude = 0.02}), *divisive_change_points(values)}) {
    REQUIRE(points.size() == 1);
    CHECK(points[0].index >= 19);
    CHECK(points[0].index <= 21);
    CHECK(points[0].change() == Approx(-0.05).margin(0.01));
    CHECK(points[0].p < 0.001);
  }
}

TEST_CASE("a series turned round has its change points turned round, and a unit changes none") {
  auto values = stepped(15, 18, 4, 9);
  const auto points = *hunter_change_points(values);
  REQUIRE(points.size() == 1);
  auto scaled = values;
  for (double& value : scaled) value *= 1e6;
  CHECK(hunter_change_points(scaled)->front().index == points[0].index);
  std::reverse(values.begin(), values.end());
  CHECK(hunter_change_points(values)->front().index == 33 - points[0].index);
}

TEST_CASE("E-divisive repeats itself with its seed, and says how many permutations its p takes") {
  const auto values = stepped(12, 12, 2, 5);
  const auto once = *divisive_change_points(values);
  const auto again = *divisive_change_points(values);
  REQUIRE(once.size() == again.size());
  for (std::size_t i = 0; i < once.size(); ++i) CHECK(once[i].index == again[i].index);
  const auto few = divisive_change_points(values, {.p = 0.01, .permutations = 20});
  REQUIRE_FALSE(few);
  CHECK(few.error().hint == "take 99");
}

TEST_CASE("changes are found across the borders of windows") {
  auto values = noisy(200, 100, 1);
  for (std::size_t i = 70; i < 130; ++i) values[i] -= 6;
  const auto points = *hunter_change_points(values, {.magnitude = 0.02});
  REQUIRE(points.size() == 2);
  CHECK(std::abs(static_cast<double>(points[0].index) - 70) <= 1);
  CHECK(std::abs(static_cast<double>(points[1].index) - 130) <= 1);
}

TEST_CASE("with the settings for weekly runs a level takes three values") {
  const std::vector<double> values = {100, 101, 99, 100, 100.5, 99.5, 100.2, 99.8, 90, 90.2};
  CHECK(hunter_change_points(values, {.p = 0.01, .magnitude = 0.02})->size() == 1);
  const auto weekly = hunter_change_points(values, weekly_hunter).value();
  for (const ChangePoint& point : weekly) CHECK(point.index <= 7);
  CHECK_FALSE(hunter_change_points(values, {.window = 5, .least_segment = 3}));
}

TEST_CASE("short, level and broken series have no change points") {
  CHECK(hunter_change_points({})->empty());
  CHECK(hunter_change_points(std::vector<double>{1, 2, 3})->empty());
  CHECK(hunter_change_points(std::vector<double>(60, 4.0))->empty());
  CHECK(divisive_change_points(std::vector<double>(20, 4.0))->empty());
  CHECK_FALSE(hunter_change_points(std::vector<double>{1, std::nan("")}));
  CHECK_FALSE(hunter_change_points(std::vector<double>{1, 2}, {.window = 3}));
  CHECK_FALSE(divisive_change_points(std::vector<double>{HUGE_VAL}));
}
