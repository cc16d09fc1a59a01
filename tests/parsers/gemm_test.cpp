#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

TEST_CASE("the report of shakedown's GEMM program gives its trials, its best and its check") {
  const auto results = parsed(fixture("gemm/grammar/two-ranks.out"));
  REQUIRE(results.size() == 1);
  const ParsedResult& result = results.front();
  CHECK(result.suite == "gemm");
  CHECK(result.implementation == "reference");
  CHECK(result.version == "0.1.0");
  CHECK(result.complete);
  CHECK(metric(result, "fp64_gflops") == Approx(105.301));
  CHECK(metric(result, "fp64_gflops_trial_1") == Approx(104.812));
  CHECK(metric(result, "spread_pct") == Approx(0.46));
  CHECK(parameter(result, "N") == "2048");
  CHECK(parameter(result, "ranks") == "2");
  CHECK(parameter(result, "threads") == "1");
  CHECK(judge(result).validity == Validity::valid);
}

TEST_CASE("FP32 stands beside FP64, and each has its own trials, best and check") {
  const std::string text = fixture("gemm/grammar/two-precisions.out");
  const auto results = parsed(text);
  REQUIRE(results.size() == 1);
  const ParsedResult& result = results.front();
  CHECK(result.complete);
  CHECK(result.warnings.empty());
  CHECK(metric(result, "fp64_gflops") == Approx(105.301));
  CHECK(metric(result, "fp64_gflops_trial_2") == Approx(105.301));
  CHECK(metric(result, "spread_pct") == Approx(0.46));
  CHECK(metric(result, "fp32_gflops") == Approx(207.412));
  CHECK(metric(result, "fp32_gflops_trial_1") == Approx(207.412));
  CHECK(metric(result, "fp32_spread_pct") == Approx(0.37));
  CHECK(fact(result, "verification_bound") == "9.095e-13");
  CHECK(fact(result, "fp32_verification_bound") == "1.192e-07");
  CHECK(judge(result).validity == Validity::valid);
  CHECK(rule(judge(result), "GEMM-02b").status == RuleStatus::pass);

  const auto refuses = [&](std::string_view from, std::string_view to) {
    const auto judged = judge(parsed(replaced(text, from, to)).front());
    return judged.validity == Validity::invalid && rule(judged, "GEMM-02b").status == RuleStatus::fail &&
           rule(judged, "GEMM-01").status == RuleStatus::pass;
  };
  CHECK(refuses("FP32 verification: PASSED", "FP32 verification: FAILED"));
  CHECK(refuses("1.7e-11", "1.7e-03"));
  CHECK(refuses("FP32 best GFLOP/s = 207.412", "FP32 best GFLOP/s = 307.412"));
  const auto cut = parsed(text.substr(0, text.find("FP32 best")));
  CHECK(cut.front().reason == "the report has no 'End of gemm.': it is cut");
}

TEST_CASE("a wrong product is invalid") {
  const auto judged = judge(parsed(fixture("gemm/grammar/wrong-product.out")).front());
  CHECK(judged.validity == Validity::invalid);
  CHECK(rule(judged, "GEMM-01").status == RuleStatus::fail);
}

TEST_CASE("a product called right beyond its bound is invalid") {
  const auto judged =
      judge(parsed(replaced(fixture("gemm/grammar/two-ranks.out"), "1.819e-12", "3.1e-01")).front());
  CHECK(rule(judged, "GEMM-01").status == RuleStatus::fail);
}

TEST_CASE("a best rate that no trial reached is invalid and incomplete") {
  const auto results = parsed(
      replaced(fixture("gemm/grammar/two-ranks.out"), "best GFLOP/s = 105.301", "best GFLOP/s = 125.301"));
  CHECK_FALSE(results.front().complete);
  CHECK(results.front().warnings ==
        std::vector<std::string>{
            "line 7: the best rate is given as 125.301000, the trials' best is 105.301000"});
  CHECK(rule(judge(results.front()), "GEMM-02").status == RuleStatus::fail);
}

TEST_CASE("a best rate printed with fewer digits than the trials agrees with them") {
  const auto results = parsed(
      replaced(fixture("gemm/grammar/two-ranks.out"), "best GFLOP/s = 105.301", "best GFLOP/s = 105.3"));
  CHECK(results.front().complete);
  CHECK(rule(judge(results.front()), "GEMM-02").status == RuleStatus::pass);
}

TEST_CASE("trials that differ are a warning") {
  const auto judged = judge(
      parsed(replaced(fixture("gemm/grammar/two-ranks.out"), "spread % = 0.46", "spread % = 7.5")).front());
  CHECK(judged.validity == Validity::valid);
  CHECK(rule(judged, "GEMM-03").status == RuleStatus::fail);
  const auto of_fp32 = judge(parsed(replaced(fixture("gemm/grammar/two-precisions.out"),
                                             "FP32 spread % = 0.37", "FP32 spread % = 6.2"))
                                 .front());
  CHECK(rule(of_fp32, "GEMM-03").status == RuleStatus::fail);
  CHECK(rule(of_fp32, "GEMM-03").value == "6.20 %");
}

TEST_CASE("a report that ends early says so") {
  const std::string text = fixture("gemm/grammar/two-ranks.out");
  const auto before_best = parsed(text.substr(0, text.find("FP64 best")));
  CHECK(before_best.front().reason == "the report ends at line 6 before 'FP64 best GFLOP/s'");
  const auto before_check = parsed(text.substr(0, text.find("Verification")));
  CHECK(before_check.front().reason == "the report has no 'Verification:' line: it is cut");
  const auto before_end = parsed(text.substr(0, text.find("End of gemm")));
  CHECK(before_end.front().reason == "the report has no 'End of gemm.': it is cut");
}
