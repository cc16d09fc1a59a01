#include "orchestrator/cli/text/prediction_text.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

using namespace shakedown;

namespace {

SuiteResult rate(const std::string& case_id, double measured, double low, double high) {
  SuiteResult result;
  result.case_id = case_id;
  result.suite = "hpl";
  result.metric = "rmax_gflops";
  result.measured = measured;
  result.predicted = Prediction{};
  result.predicted->value = (low + high) / 2;
  result.predicted->low = low;
  result.predicted->high = high;
  return result;
}

}  // namespace

TEST_CASE("a result inside its prediction gives no line, one outside of it has one") {
  const std::vector<SuiteResult> inside = {rate("hpl-1n", 90, 82, 100), rate("hpl-2n", 82, 82, 100)};
  CHECK(missed_predictions_text(inside, {}).empty());
  const std::vector<SuiteResult> below = {rate("hpl-1n", 54, 82, 100)};
  CHECK(missed_predictions_text(below, {}) ==
        "  HPL Rmax: 54.00 GFLOP/s is outside its prediction 82.00 to 100.0 GFLOP/s (hpl-1n)\n");
  const std::vector<SuiteResult> above = {rate("hpl-1n", 130, 82, 100)};
  CHECK(missed_predictions_text(above, {}).find("130") != std::string::npos);
}

TEST_CASE("of many cases the one that is farthest off stands for all") {
  const std::vector<SuiteResult> many = {rate("a", 80, 82, 100), rate("b", 40, 82, 100),
                                         rate("c", 90, 82, 100), rate("d", 110, 82, 100)};
  const std::string text = missed_predictions_text(many, {});
  CHECK(text.find("(b and 2 more)\n") != std::string::npos);
  CHECK(std::ranges::count(text, '\n') == 1);
}

TEST_CASE("a range wider than a factor of four is no prediction, and what was not measured misses none") {
  std::vector<SuiteResult> none = {rate("a", 5, 10, 100), rate("b", 54, 82, 100), rate("c", 54, 82, 100)};
  none[1].measured.reset();
  none[2].predicted.reset();
  CHECK(missed_predictions_text(none, {}).empty());
}
