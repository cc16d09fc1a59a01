#include "parsers/number.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

TEST_CASE("half a unit of the last digit is what a printed number may be off by") {
  CHECK(half_unit("12.91") == Approx(0.005));
  CHECK(half_unit("5.0523e+03") == Approx(0.05));
  CHECK(half_unit("3.370e+05") == Approx(50));
  CHECK(half_unit("4.6178e-06") == Approx(5e-11));
  CHECK(half_unit("7") == Approx(0.5));
  CHECK(half_unit("nan") == 0);
  CHECK(half_unit("") == 0);
}

TEST_CASE("a cut exponential is known as cut at every digit") {
  const std::string_view whole = "5.0255e+01";
  CHECK(is_whole_exponential(whole));
  for (size_t length = 0; length < whole.size(); ++length)
    CHECK_FALSE(is_whole_exponential(whole.substr(0, length)));
  CHECK(is_whole_exponential("nan"));
  CHECK(is_whole_exponential("-inf"));
  CHECK_FALSE(is_whole_exponential("5.0255e+0x"));
  CHECK_FALSE(is_whole_exponential("5.0255e+0112:34"));
  CHECK_FALSE(is_whole_exponential("50.255"));
  CHECK_FALSE(is_whole_exponential("nano"));
  CHECK_FALSE(is_whole_exponential("+"));
  CHECK_FALSE(is_whole_exponential(".5e+01"));
  CHECK(is_whole_exponential("5.e+01"));
  CHECK(is_whole_exponential("5e+101"));
}

TEST_CASE("only finite numbers are values") {
  CHECK(finite_number("1e3") == 1000);
  CHECK_FALSE(finite_number("nan"));
  CHECK_FALSE(finite_number("inf"));
  CHECK_FALSE(finite_number("12 "));
  CHECK(positive_integer("12") == 12);
  CHECK_FALSE(positive_integer("0"));
  CHECK_FALSE(positive_integer("-3"));
  CHECK_FALSE(positive_integer("99999999999999999999"));
}
