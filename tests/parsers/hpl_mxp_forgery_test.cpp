#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

/// A log with one value altered, and the rule that detects it.
struct HplMxpForgeryForgery {
  const char* what;
  const char* log;
  const char* genuine;
  const char* forged;
  const char* rule;
};

constexpr HplMxpForgeryForgery hpl_mxp_forgery_forgeries[] = {
    {"the rate doubled", "rochpl-mxp-failed.out", "6.416e+04", "1.283e+05", "MXP-04"},
    {"the rate a hundredth up", "hpl-ai-21.4.out", "1.765e+04", "1.783e+04", "MXP-04"},
    {"the time shortened", "riken-skipped-lu.out", "1.719551240 sec.", "1.619551240 sec.", "MXP-04"},
    {"N enlarged", "amd-zen.out", "N=65536 B", "N=66560 B", "MXP-04"},
    {"N enlarged in NVIDIA's block", "nvidia-25.04-fp8.out", "N = 299008,", "N = 300032,", "MXP-04"},
    {"the factorisation's rate raised", "hpl-ai-iterations.out", "6.385e+05", "6.485e+05", "MXP-04b"},
    {"the rate raised, not that per GPU", "nvidia-24.03-block.out", "       GFLOPS = 1.4",
     "       GFLOPS = 1.5", "MXP-04c"},
    {"the rate per GPU raised", "openmxp.out", "= 199.336", "= 209.336", "MXP-04c"},
    {"the factorisation's rate per GPU raised", "nvidia-24.03-block.out", "LU GFLOPS = 3.3",
     "LU GFLOPS = 3.4", "MXP-04d"},
    {"the factorisation's rate in the place of the whole", "nvidia-24.03-block.out", "       GFLOPS = 1.4",
     "       GFLOPS = 9.4", "MXP-03"},
    {"FAILED made PASSED", "nvidia-failed.out", "FAILED", "PASSED", "MXP-01"},
    {"FAILED made PASSED, above its footer", "rochpl-mxp-failed.out", "21.5191789 ...... FAILED",
     " 1.5191789 ...... PASSED", "MXP-01"},
    {"NAN made PASSED", "hpl-ai-21.4-nan.out", "FAILED", "PASSED", "MXP-01"},
    {"the residual made small", "nvidia-failed.out", "E+02 ...... FAILED", "E-02 ...... PASSED", "MXP-01b"},
    {"a norm made small", "nvidia-26.02-two-loops.out", "=    6.123456E-14", "=    6.123456E-15", "MXP-01c"},
    {"hpl-harness made small", "riken-overflowed.out", "hpl-harness = 0.000000000",
     "hpl-harness = 0.181652325", "MXP-01c"},
    {"the result for the submission raised", "openmxp-submission.out", "GFLOPS : 63", "GFLOPS : 73",
     "MXP-04f"},
    {"the reference's total shortened", "icl-passed.out", "Total time                        :        0.110",
     "Total time                        :        0.030", "MXP-04e"},
    {"the mean time above its extremes", "nvidia-26.02-two-loops.out", "AVG = 5.31, MAX = 5.31",
     "AVG = 6.31, MAX = 5.31", "MXP-04h"},
    {"the warm-up called full", "riken-warmup.out", "warmup", "full", "MXP-04"},
};

}  // namespace

TEST_CASE("each HPL-MxP log with one altered value is invalid by the rule that fits") {
  for (const HplMxpForgeryForgery& forgery : hpl_mxp_forgery_forgeries) {
    INFO(forgery.what << " in " << forgery.log);
    const std::string text = fixture(std::string("hpl_mxp/") + forgery.log);
    const auto results = parsed(replaced(text, forgery.genuine, forgery.forged));
    REQUIRE_FALSE(results.empty());
    const Judged judged = judge(results.front());
    CHECK(judged.validity == Validity::invalid);
    CHECK(rule(judged, forgery.rule).status == RuleStatus::fail);
    CHECK(rule(judged, forgery.rule).severity == Severity::validity);
    const Judged genuine = judge(parsed(text).front());
    if (genuine.validity == Validity::valid) CHECK(rule(genuine, forgery.rule).status != RuleStatus::fail);
  }
}

TEST_CASE("no HPL-MxP fixture that its program calls sound fails an identity") {
  for (const std::string& name : fixtures()) {
    if (!name.starts_with("hpl_mxp/")) continue;
    INFO(name);
    for (const ParsedResult& result : parsed(fixture(name)))
      for (const RuleResult& rule : judge(result).rules) {
        INFO(rule.id << " " << rule.value << " " << rule.text);
        const bool identity = rule.id.starts_with("MXP-04") || rule.id == "MXP-01b" || rule.id == "MXP-01c";
        // The warm-up's rate does not count what was not done, so it doesn't follow from N.
        if (identity && rule.severity == Severity::validity && name != "hpl_mxp/riken-warmup.out")
          CHECK(rule.status != RuleStatus::fail);
      }
  }
}
