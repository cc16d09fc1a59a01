#include <catch2/catch.hpp>
#include <cmath>

#include "suites/mlperf/reference/adamw.hpp"
#include "suites/mlperf/reference/mllog.hpp"

using namespace training;

namespace {

Schedule constant(double rate) {
  Schedule schedule;
  schedule.rate = schedule.end_rate = rate;
  schedule.warmup_steps = 1;
  schedule.decay_steps = 2;
  return schedule;
}

}  // namespace

TEST_CASE("the rate rises in a line, falls along a cosine and stays") {
  Schedule schedule;
  schedule.rate = 1;
  schedule.end_rate = 0.2;
  schedule.warmup_steps = 10;
  schedule.decay_steps = 30;
  CHECK(schedule.rate_at(1) == Approx(0.1));
  CHECK(schedule.rate_at(10) == Approx(1));
  CHECK(schedule.rate_at(20) == Approx(0.6));
  CHECK(schedule.rate_at(15) == Approx(0.2 + 0.4 * (1 + std::sqrt(0.5))));
  CHECK(schedule.rate_at(30) == Approx(0.2));
  CHECK(schedule.rate_at(1000) == Approx(0.2));
}

TEST_CASE("AdamW's steps are those of the formulas, with weight decay for matrices alone") {
  Parameters<double> parameters;
  const std::size_t matrix = parameters.add("matrix", 2, true);
  const std::size_t gain = parameters.add("gain", 1, false);
  parameters.value(matrix)[0] = 1;
  parameters.value(matrix)[1] = -2;
  parameters.value(gain)[0] = 3;
  AdamW<double> adamw(parameters, constant(0.01));
  const auto give = [&](double a, double b, double c) {
    parameters.gradient(matrix)[0] = a;
    parameters.gradient(matrix)[1] = b;
    parameters.gradient(gain)[0] = c;
  };
  give(0.3, -0.4, 0);
  CHECK(adamw.step() == Approx(0.5));
  // At first m / (1 - b1) = g and v / (1 - b2) = g^2.
  CHECK(parameters.value(matrix)[0] == Approx(1 - 0.01 * 0.1 * 1 - 0.01));
  CHECK(parameters.value(matrix)[1] == Approx(-2 + 0.01 * 0.1 * 2 + 0.01));
  CHECK(parameters.value(gain)[0] == Approx(3));
  for (const double gradient : parameters.gradients()) CHECK(gradient == 0);
  const double before = parameters.value(matrix)[0];
  give(0.1, 0, 0);
  adamw.step();
  const double m = (0.9 * 0.1 * 0.3 + 0.1 * 0.1) / (1 - 0.81);
  const double v = (0.95 * 0.05 * 0.09 + 0.05 * 0.01) / (1 - 0.9025);
  CHECK(parameters.value(matrix)[0] == Approx(before * (1 - 0.001) - 0.01 * m / std::sqrt(v)));
}

TEST_CASE("a gradient longer than the clip is scaled to it") {
  Parameters<double> long_one;
  Parameters<double> unit;
  long_one.add("w", 2, false);
  unit.add("w", 2, false);
  AdamW<double> a(long_one, constant(0.1));
  AdamW<double> b(unit, constant(0.1));
  for (int step = 0; step < 3; ++step) {
    long_one.gradients()[0] = 30;
    long_one.gradients()[1] = -40;
    unit.gradients()[0] = 0.6;
    unit.gradients()[1] = -0.8;
    CHECK(a.step() == Approx(50));
    CHECK(b.step() == Approx(1));
    // A second step of another length shows what the first can't: AdamW ignores a constant factor.
    CHECK(long_one.values()[0] == Approx(unit.values()[0]));
    CHECK(long_one.values()[1] == Approx(unit.values()[1]));
    long_one.gradients()[0] = unit.gradients()[0] = 0.01 * step;
    a.step();
    b.step();
  }
  CHECK(long_one.values()[0] == Approx(unit.values()[0]));
}

TEST_CASE("values of MLPerf's log are JSON") {
  CHECK(Json("a \"b\" \\ \n").text() == R"("a \"b\" \\ ")");
  CHECK(Json(0.1).text() == "0.1");
  CHECK(Json(std::nan("")).text() == "NaN");
  CHECK(Json(true).text() == "true");
  CHECK(Json().text() == "null");
  CHECK(Json(Members{{"throughput", 2.5}, {"n", 3}}).text() == R"({"throughput": 2.5, "n": 3})");
  CHECK(Json(Members{}).text() == "{}");
}
