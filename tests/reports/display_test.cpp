// No displayed value rounds across its limit.
#include "reports/measure/display.hpp"

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

using namespace shakedown;

namespace {

/// The number that a reader sees.
double as_read(const std::string& text) {
  std::string digits(split(text, ' ').front());
  if (digits.starts_with("\u2212")) digits = "-" + digits.substr(std::string("\u2212").size());
  double scale = 1;
  if (text.find("TFLOP") != std::string::npos) scale = 1e3;
  if (text.find("PFLOP") != std::string::npos) scale = 1e6;
  if (text.find("EFLOP") != std::string::npos) scale = 1e9;
  if (text.ends_with("%")) scale = 0.01;
  return std::stod(digits) * scale;
}

}  // namespace

TEST_CASE("a value and its limit are written with as many digits as keep them apart") {
  const auto shown = shown_beside("rmax_gflops", 32252499.9, 32252500);
  CHECK(shown.value != shown.limit);
  CHECK(as_read(shown.value) < as_read(shown.limit));
  CHECK(shown_beside("rmax_gflops", 40e6, 32e6).value == "40.00 PFLOP/s");
  CHECK(shown_beside("efficiency_gemm", 0.7046999, 0.7047).value == "70.46999 %");
  CHECK(shown_beside("time_s", 10, 10).value == "10.00 s");
}

TEST_CASE("a unit or a digit before the point hides no difference") {
  // 999.99 GFLOP/s would be 1000.0 GFLOP/s, beside a limit of 1.000 TFLOP/s.
  const auto rate = shown_beside("rmax_gflops", 999.99, 1000);
  CHECK(as_read(rate.value) < as_read(rate.limit));
  const auto time = shown_beside("time_s", 9.9999, 10);
  CHECK(as_read(time.value) < as_read(time.limit));
}

TEST_CASE("values next to their limit lie on their own side of it as they are read") {
  for (const char* metric :
       {"rmax_gflops", "time_s", "efficiency_gemm", "score", "spread_pct", "reliability"}) {
    const bool holds = rc::check([metric] {
      const double limit =
          static_cast<double>(*rc::gen::inRange(1, 2'000'000'000)) * std::pow(10.0, *rc::gen::inRange(-9, 4));
      const int ulps = *rc::gen::inRange(1, 100'000'000);
      const bool below = *rc::gen::arbitrary<bool>();
      const double value = limit * (1 + (below ? -1 : 1) * ulps * std::numeric_limits<double>::epsilon());
      const auto shown = shown_beside(metric, value, limit);
      if (value < limit) RC_ASSERT(as_read(shown.value) <= as_read(shown.limit));
      if (value > limit) RC_ASSERT(as_read(shown.value) >= as_read(shown.limit));
      if (value != limit) RC_ASSERT(shown.value != shown.limit);
    });
    CHECK(holds);
  }
}

TEST_CASE("the distance to a limit is never shown as none where there is one") {
  CHECK(distance_text(103.1, 100) == "+3.1 %");
  CHECK(distance_text(99.9999, 100) == "\u22120.0001 %");
  CHECK(distance_text(100.00001, 100) == "+0.00001 %");
  CHECK(distance_text(100, 100) == "0.0 %");
}

TEST_CASE("shares beside a limit have as many decimals as tell them apart from it") {
  CHECK(decimals_beside(std::vector{0.05, -0.01}, 0.02) == 1);
  CHECK(decimals_beside(std::vector{-0.0196}, 0.02) == 2);
  CHECK(decimals_beside(std::vector{0.02, 0.0199999}, 0.02) == 5);
  CHECK(decimals_beside(std::vector{0.02}, 0.02) == 1);
}
