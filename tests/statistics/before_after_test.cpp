#include "reports/statistics/before_after.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace shakedown;

namespace {

const std::vector<double> before = {100.2, 99.6, 100.5, 99.9, 100.1, 99.8};
const std::vector<double> lower = {94.9, 95.3, 95.1, 94.6, 95.0, 95.4};

}  // namespace

TEST_CASE("a loss of 5 % over six runs is worse, with its interval") {
  const auto found = before_after(before, lower);
  REQUIRE(found);
  CHECK(found->change == ChangeFinding::worse);
  CHECK(found->shift == Approx(-0.05).margin(0.002));
  CHECK(found->low < found->shift);
  CHECK(found->high < -0.04);
  CHECK(found->p == Approx(2.0 / 924));
  CHECK(before_after(before, lower, Better::lower)->change == ChangeFinding::better);
  CHECK(before_after(lower, before)->change == ChangeFinding::better);
}

TEST_CASE("what is sure and below 2 % is no change") {
  std::vector<double> slightly;
  for (const double value : before) slightly.push_back(value * 0.985);
  CHECK(before_after(before, slightly)->p < 0.05);
  CHECK(before_after(before, slightly)->change == ChangeFinding::same);
  CHECK(before_after(before, slightly, Better::higher, {.magnitude = 0.01})->change == ChangeFinding::worse);
  CHECK(before_after(before, before)->change == ChangeFinding::same);
}

TEST_CASE("an interval that holds a loss that counts is undecided, though none is significant") {
  // Three of five runs lost 2.2 %: p is 0.29, and the change that would be found 1.7 %.
  const auto found = before_after(std::vector<double>{50.00, 50.05, 49.95, 50.02, 49.98},
                                  std::vector<double>{48.90, 48.90, 48.95, 50.01, 50.03});
  REQUIRE(found);
  CHECK(found->can_be_sure);
  CHECK(found->p > 0.05);
  CHECK(found->detectable.value() < 0.02);
  CHECK(found->low < -0.02);
  CHECK(found->change == ChangeFinding::undecided);
}

TEST_CASE("a sure change whose size may or may not count is undecided") {
  std::vector<double> nearly;
  for (const double value : before) nearly.push_back(value * 0.981);
  const auto found = before_after(before, nearly);
  CHECK(found->p < 0.05);
  CHECK(found->shift > -0.02);
  CHECK(found->low < -0.02);
  CHECK(found->change == ChangeFinding::undecided);
}

TEST_CASE("three runs against three are undecided, whatever they show") {
  const auto found = before_after(std::span(before).first(3), std::span(lower).first(3));
  REQUIRE(found);
  CHECK(found->change == ChangeFinding::undecided);
  CHECK(found->coverage == Approx(0.9));
  CHECK(found->text.ends_with("so few runs can't reach p = 0.05"));
}

TEST_CASE("noise that hides a change of the magnitude leaves it undecided") {
  const std::vector<double> noisy = {90, 110, 95, 105, 99, 102};
  const auto found = before_after(before, noisy);
  CHECK(found->change == ChangeFinding::undecided);
  CHECK(found->detectable.value() > 0.02);
  CHECK(found->text.find("80 % of comparisons of as many runs find a change of ") != std::string::npos);
}

TEST_CASE("a single published value and a median that is not above 0 are refused") {
  CHECK_FALSE(before_after(std::vector<double>{100}, lower));
  CHECK_FALSE(before_after(std::vector<double>{-1, -2, -3}, lower));
  CHECK_FALSE(before_after(before, lower, Better::higher, {.significance = 0}));
}
