#include "reports/statistics/watch.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

using namespace shakedown;

namespace {

constexpr double least = 0.0198;         // the logarithm of 1.02
constexpr double significance = 9.6e-5;  // of 40 series, weekly

/// Logarithms of values at levels, 1 % about them.
class Noisy {
 public:
  explicit Noisy(std::uint64_t seed) : random_(seed) {}
  Noisy& at(double level, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values.push_back(std::log(level * (1 + 0.01 * normal_(random_))));
    return *this;
  }
  std::vector<double> values;

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

std::optional<LastingGain> gain_of(const Noisy& series) {
  return lasting_gain(series.values, least, significance);
}

}  // namespace

TEST_CASE("a gain is found once 8 values bear it out, with its place and size") {
  Noisy series(1);
  series.at(100, 12).at(110, 7);
  CHECK_FALSE(gain_of(series));
  const auto found = gain_of(series.at(110, 1));
  REQUIRE(found);
  CHECK(found->from == 12);
  CHECK(found->gain == Approx(std::log(1.1)).margin(0.01));
  CHECK(found->p <= significance);
}

TEST_CASE("a loss is no gain, and neither is a part of it that comes back, nor a short spell") {
  CHECK_FALSE(gain_of(Noisy(2).at(100, 12).at(90, 20)));
  CHECK_FALSE(gain_of(Noisy(3).at(100, 12).at(90, 20).at(95, 20)));
  CHECK_FALSE(gain_of(Noisy(4).at(100, 12).at(90, 20).at(100, 20)));
  CHECK_FALSE(gain_of(Noisy(5).at(100, 12).at(110, 3).at(100, 20)));
}

TEST_CASE("the last of several gains counts, whatever is lost after it") {
  const auto found = gain_of(Noisy(6).at(100, 10).at(106, 10).at(104, 10).at(112, 12).at(107, 9));
  REQUIRE(found);
  CHECK(found->from == 30);
  CHECK(found->gain == Approx(std::log(112.0 / 106)).margin(0.015));
}

TEST_CASE("a gain below what counts is none, however sure it is") {
  CHECK_FALSE(gain_of(Noisy(7).at(100, 200).at(101, 200)));
}

TEST_CASE("noise alone is hardly ever taken for a gain") {
  int taken = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) taken += gain_of(Noisy(seed).at(100, 60)) ? 1 : 0;
  CHECK(taken <= 2);
}
