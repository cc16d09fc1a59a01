#include "parsers/progress.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

TEST_CASE("lines on progress are read in each of the three forms") {
  const auto nvidia = progress_points(
      "\x1b[0;31m Prog= 1.99%\tN_left= 133504\tTime= 1.23\tiGF= 26057.43\tGF= 26000.5\tGF_per= 13028.71 "
      "\x1b[0m\n"
      "noise\n Prog= 3.46%\tN_left= 132832\tTime= 2.04\tiGF= 29667.07\tGF= 27480.81\n");
  REQUIRE(nvidia.size() == 2);
  CHECK(nvidia[0].share == Approx(0.0199));
  CHECK(nvidia[0].gflops == Approx(26000.5));
  CHECK(nvidia[0].now_gflops.value_or(0) == Approx(26057.43));
  const auto intel =
      progress_points("node-0 : Column=000768 Fraction=0.005 Kernel=    0.63 Mflops=1411275.12\n");
  REQUIRE(intel.size() == 1);
  CHECK(intel[0].share == Approx(0.005));
  CHECK(intel[0].gflops == Approx(1411.27512));
  const auto netlib = progress_points("Column=000000192 Fraction= 1.2% Gflops=9.318e+01\n");
  REQUIRE(netlib.size() == 1);
  CHECK(netlib[0].share == Approx(0.012));
  CHECK(netlib[0].gflops == Approx(93.18));
}

TEST_CASE("of several problems the last one's progress is read, and what is no progress is none") {
  const auto points = progress_points("Prog= 50.0% GF= 10\nProg= 99.0% GF= 11\nProg= 2.0% GF= 12\n");
  REQUIRE(points.size() == 1);
  CHECK(points[0].gflops == 12);
  CHECK(progress_points("").empty());
  CHECK(progress_points("Prog= nan% GF= 1\nProg= 120% GF= 1\nProg= 5%\nProg= 5% GF= -1\nFraction=0.5 GF= 1\n")
            .empty());
}
