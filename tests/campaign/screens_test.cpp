#include "orchestrator/campaign/screens.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

Case case_of(std::string suite) {
  Case planned;
  planned.suite = std::move(suite);
  return planned;
}

AttemptRecord attempt_of(const std::string& suite, double value, bool complete = true,
                         Validity validity = Validity::valid) {
  AttemptRecord attempt;
  ResultRecord result;
  result.parsed.suite = suite;
  result.parsed.complete = complete;
  result.parsed.metrics = {{"rate", value, 1}};
  result.validity = validity;
  attempt.results.push_back(std::move(result));
  return attempt;
}

}  // namespace

TEST_CASE("each screen's newest sound result is remembered, with its nodes") {
  MeasuredScreens screens;
  screens.remember(case_of("gemm"), attempt_of("gemm", 1));
  Case stream = case_of("stream");
  stream.nodes = 4;
  screens.remember(stream, attempt_of("stream", 2));
  screens.remember(case_of("gemm"), attempt_of("gemm", 3));
  screens.remember(case_of("gemm"), attempt_of("gemm", 4, false));
  screens.remember(case_of("gemm"), attempt_of("gemm", 5, true, Validity::invalid));
  REQUIRE(screens.all().size() == 2);
  CHECK(screens.all()[0].result.suite == "stream");
  CHECK(screens.all()[0].nodes == 4);
  CHECK(screens.all()[1].result.metrics.front().value == 3);
}

TEST_CASE("a suite that is no screen is no reference for others") {
  MeasuredScreens screens;
  screens.remember(case_of("hpl"), attempt_of("hpl", 1));
  CHECK(screens.all().empty());
}

TEST_CASE("screens of processor cores and of GPUs are remembered beside each other") {
  MeasuredScreens screens;
  AttemptRecord cores = attempt_of("gemm", 1);
  cores.results.front().parsed.implementation = "reference";
  AttemptRecord gpus = attempt_of("gemm", 100);
  gpus.results.front().parsed.implementation = "cuda";
  screens.remember(case_of("gemm"), cores);
  screens.remember(case_of("gemm"), gpus);
  CHECK(screens.all().size() == 2);
}
