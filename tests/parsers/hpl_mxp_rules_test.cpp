#include <catch2/catch.hpp>

#include "parsers/hpl_mxp/rules/rules.hpp"
#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

std::string hpl_mxp_rules_log(const char* name) {
  return fixture(std::string("hpl_mxp/") + name);
}

ParsedResult first(std::string_view text) {
  return parsed(text).front();
}

RuleStatus hpl_mxp_rules_status(const ParsedResult& result, std::string_view id) {
  return rule(judge(result), id).status;
}

RuleStatus hpl_mxp_rules_status(const char* name, std::string_view id) {
  return hpl_mxp_rules_status(first(hpl_mxp_rules_log(name)), id);
}

constexpr RuleStatus hpl_mxp_rules_pass = RuleStatus::pass;
constexpr RuleStatus hpl_mxp_rules_fail_ = RuleStatus::fail;
constexpr RuleStatus hpl_mxp_rules_unknown_ = RuleStatus::unknown;

/// A case and a result that agree, to be put at odds.
struct HplMxpRulesScene {
  ParsedResult result = first(hpl_mxp_rules_log("nvidia-26.02-two-loops.out"));
  Case planned;

  HplMxpRulesScene() {
    planned.nodes = 1;
    planned.ranks = 4;
    planned.parameters = {{"N", std::int64_t{200704}},
                          {"NB", std::int64_t{1024}},
                          {"P", std::int64_t{2}},
                          {"Q", std::int64_t{2}},
                          {"precision", std::string("FP16")}};
  }
  [[nodiscard]] RuleResult judge(std::string_view id) const {
    Evidence evidence;
    evidence.result = &result;
    evidence.planned = &planned;
    return rule(judged(evidence), id);
  }
};

}  // namespace

TEST_CASE("every HPL-MxP rule has a source, and says why it fails or is unknown") {
  for (const std::string& name : fixtures()) {
    if (!name.starts_with("hpl_mxp/")) continue;
    INFO(name);
    for (const ParsedResult& result : parsed(fixture(name)))
      for (const RuleResult& rule : judge(result).rules) {
        INFO(rule.id);
        CHECK(rule.id.starts_with("MXP-0"));
        CHECK_FALSE(rule.source.empty());
        if (rule.status != RuleStatus::pass) CHECK_FALSE(rule.text.empty());
      }
  }
}

TEST_CASE("MXP-01 takes the verdict and the number, and the number alone where there is no verdict") {
  CHECK(hpl_mxp_rules_status("nvidia-24.03-block.out", "MXP-01") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("riken-passed.out", "MXP-01") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("nvidia-failed.out", "MXP-01") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("hpl-ai-21.4-nan.out", "MXP-01") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("riken-warmup.out", "MXP-01") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("riken-overflowed.out", "MXP-01") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("rochpl-mxp-announced.out", "MXP-01") == hpl_mxp_rules_unknown_);
  const std::string text = replaced(hpl_mxp_rules_log("rochpl-mxp.out"), "0.0191789", "0.0000000");
  CHECK(hpl_mxp_rules_status(first(text), "MXP-01") ==
        hpl_mxp_rules_pass);  // too small for the digits printed
}

TEST_CASE("MXP-01b recomputes the residual from the norms") {
  CHECK(hpl_mxp_rules_status("nvidia-24.03-block.out", "MXP-01b") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("nvidia-failed.out", "MXP-01b") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("rochpl-mxp.out", "MXP-01b") == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status(
            first(replaced(hpl_mxp_rules_log("nvidia-24.03-block.out"), "1.301000E+05", "2.301000E+05")),
            "MXP-01b") == hpl_mxp_rules_fail_);
}

TEST_CASE("MXP-01c compares the residual with that of the last refinement step") {
  CHECK(hpl_mxp_rules_status("nvidia-26.02-two-loops.out", "MXP-01c") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("riken-passed.out", "MXP-01c") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("openmxp.out", "MXP-01c") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("riken-warmup.out", "MXP-01c") == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status("icl-passed.out", "MXP-01c") == hpl_mxp_rules_unknown_);
  const std::string text = hpl_mxp_rules_log("openmxp.out");
  CHECK(hpl_mxp_rules_status(first(replaced(text, "hpl-harness = 0.251289911", "hpl-harness = 0.151289911")),
                             "MXP-01c") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status(first(replaced(text, "1.682938764204205e-10", "1.582938764204205e-10")),
                             "MXP-01c") == hpl_mxp_rules_fail_);
}

TEST_CASE("MXP-02 holds 8 bits against the list of June 2025, by the log's own dates") {
  CHECK(hpl_mxp_rules_status("nvidia-26.02-two-loops.out", "MXP-02") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("icl-passed.out", "MXP-02") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("amd-zen.out", "MXP-02") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("rochpl-mxp.out", "MXP-02") == hpl_mxp_rules_unknown_);
  // 25.4.0 alone: it may have run on either side of the list.
  const std::string fp8 = hpl_mxp_rules_log("nvidia-25.04-fp8.out");
  CHECK(hpl_mxp_rules_status(first(fp8), "MXP-02") == hpl_mxp_rules_unknown_);
  const auto dated = [&](const std::string& stamp) {
    return hpl_mxp_rules_status(first(replaced(fp8, "LU seconds:", stamp + "\nLU seconds:")), "MXP-02");
  };
  CHECK(dated("2025-05-20 10:00:00.000") == hpl_mxp_rules_pass);
  CHECK(dated("2025-06-10 10:00:00.000") == hpl_mxp_rules_pass);
  CHECK(dated("2025-06-11 10:00:00.000") == hpl_mxp_rules_fail_);
  // A program that was released later can't have run before.
  CHECK(hpl_mxp_rules_status(first(replaced(fp8, "25.4.0", "25.9.0")), "MXP-02") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("nvidia-nan.out", "MXP-02") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status(first(replaced(fp8, "SLOPPY-TYPE = 1", "SLOPPY-TYPE = 7")), "MXP-02") ==
        hpl_mxp_rules_unknown_);
  for (const RuleResult& rule : judge(first(fp8)).rules)
    if (rule.id == "MXP-02") CHECK(rule.severity == Severity::eligibility);
}

TEST_CASE("MXP-03 wants the whole solution's rate") {
  CHECK(hpl_mxp_rules_status("nvidia-24.03-block.out", "MXP-03") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("hpl-ai-20.10.out", "MXP-03") == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status("rochpl-mxp-announced.out", "MXP-03") == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status("riken-warmup.out", "MXP-03") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("riken-skipped-lu.out", "MXP-03") == hpl_mxp_rules_fail_);
  std::string text = replaced(hpl_mxp_rules_log("openmxp.out"), "\tGPU Initialization", "\tSkipping TRSM");
  CHECK(hpl_mxp_rules_status(first(text), "MXP-03") == hpl_mxp_rules_fail_);
}

TEST_CASE("MXP-04 recomputes the rate from N and the time of both parts") {
  for (const char* name :
       {"nvidia-26.02-two-loops.out", "hpl-ai-21.4.out", "hpl-ai-20.10.out", "rochpl-mxp.out",
        "riken-passed.out", "openmxp.out", "amd-zen.out", "sysu-hpl-ai.out"}) {
    INFO(name);
    CHECK(hpl_mxp_rules_status(name, "MXP-04") == hpl_mxp_rules_pass);
  }
  CHECK(hpl_mxp_rules_status("nvidia-24.03-block.out", "MXP-04") == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status("icl-passed.out", "MXP-04") == hpl_mxp_rules_unknown_);
  const auto wrong =
      rule(judge(first(replaced(hpl_mxp_rules_log("riken-passed.out"), "n=1200 ", "n=1260 "))), "MXP-04");
  CHECK(wrong.status == hpl_mxp_rules_fail_);
  CHECK(wrong.value.find("N = 1260 in ") != std::string::npos);
}

TEST_CASE("MXP-04 allows what rounding explains and nothing more") {
  const std::string text = hpl_mxp_rules_log("rochpl-mxp-failed.out");
  // 2.41 s means 2.405 to 2.415 s, so 64026 to 64292 GFLOP/s.
  CHECK(hpl_mxp_rules_status(first(text), "MXP-04") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status(first(replaced(text, "6.416e+04", "6.429e+04")), "MXP-04") ==
        hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status(first(replaced(text, "6.416e+04", "6.403e+04")), "MXP-04") ==
        hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status(first(replaced(text, "6.416e+04", "6.431e+04")), "MXP-04") ==
        hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status(first(replaced(text, "6.416e+04", "6.401e+04")), "MXP-04") ==
        hpl_mxp_rules_fail_);
}

TEST_CASE("MXP-04b, c and d hold the factorisation's rate and the rates per GPU to their sources") {
  CHECK(hpl_mxp_rules_status("nvidia-26.02-two-loops.out", "MXP-04b") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("hpl-ai-iterations.out", "MXP-04b") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("riken-passed.out", "MXP-04b") == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status(first(replaced(hpl_mxp_rules_log("hpl-ai-21.4.out"), "2.398e+04", "2.498e+04")),
                             "MXP-04b") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("nvidia-24.03-block.out", "MXP-04c") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("nvidia-24.03-block.out", "MXP-04d") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("openmxp.out", "MXP-04c") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("rochpl-mxp.out", "MXP-04c") == RuleStatus::not_applicable);
  CHECK(hpl_mxp_rules_status("rochpl-mxp.out", "MXP-04d") == RuleStatus::not_applicable);
  CHECK(hpl_mxp_rules_status(first(replaced(hpl_mxp_rules_log("openmxp.out"), "= 199.336", "= 189.336")),
                             "MXP-04c") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status(
            first(replaced(hpl_mxp_rules_log("nvidia-24.03-block.out"), "NPROW = 4", "NPROW = 8")),
            "MXP-04d") == hpl_mxp_rules_fail_);
}

TEST_CASE("MXP-04e: the reference's parts take no longer than the whole") {
  CHECK(hpl_mxp_rules_status("icl-passed.out", "MXP-04e") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("riken-passed.out", "MXP-04e") == RuleStatus::not_applicable);
  const std::string total = "Total time                        :        0.110";
  CHECK(hpl_mxp_rules_status(first(replaced(hpl_mxp_rules_log("icl-passed.out"), total,
                                            "Total time                        :        0.035")),
                             "MXP-04e") == hpl_mxp_rules_fail_);
}

TEST_CASE("MXP-04f: what OpenMxP repeats for the submission is the same") {
  CHECK(hpl_mxp_rules_status("openmxp-submission.out", "MXP-04f") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("openmxp.out", "MXP-04f") == RuleStatus::not_applicable);
  CHECK(hpl_mxp_rules_status(first(replaced(hpl_mxp_rules_log("openmxp-submission.out"), "GFLOPS : 6378754.6",
                                            "GFLOPS : 7378754.6")),
                             "MXP-04f") == hpl_mxp_rules_fail_);
}

TEST_CASE("MXP-04g warns of a time that the stamps around it do not leave room for") {
  CHECK(hpl_mxp_rules_status("rochpl-mxp.out", "MXP-04g") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("riken-passed.out", "MXP-04g") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("nvidia-24.03-block.out", "MXP-04g") == RuleStatus::not_applicable);
  const std::string text = replaced(hpl_mxp_rules_log("openmxp.out"), "04:32:45", "04:31:45");
  CHECK(hpl_mxp_rules_status(first(text), "MXP-04g") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status(first(replaced(text, "04:31:45", "later")), "MXP-04g") ==
        hpl_mxp_rules_unknown_);
}

TEST_CASE("MXP-05 warns of a strictly diagonally dominant matrix") {
  CHECK(hpl_mxp_rules_status("riken-passed.out", "MXP-05") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("riken-overflowed.out", "MXP-05") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("nvidia-24.03-block.out", "MXP-05") == hpl_mxp_rules_unknown_);
  CHECK(judge(first(hpl_mxp_rules_log("riken-passed.out"))).validity == Validity::valid);
}

TEST_CASE("MXP-06 warns of a refinement that is too long for its benchmark") {
  CHECK(hpl_mxp_rules_status("nvidia-26.02-two-loops.out", "MXP-06") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("nvidia-24.03-block.out", "MXP-06") == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status("riken-timed-out-tagged.out", "MXP-06") == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status("nvidia-nan.out", "MXP-06") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status(first(replaced(hpl_mxp_rules_log("hpl-ai-21.4.out"), "_niter 2", "_niter 51")),
                             "MXP-06") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("nvidia-26.02-two-loops.out", "MXP-06b") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("rochpl-mxp.out", "MXP-06b") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("nvidia-nan.out", "MXP-06b") == hpl_mxp_rules_unknown_);
  const std::string slow = replaced(hpl_mxp_rules_log("amd-zen.out"), "time: 48.077266", "time: 4.077266");
  CHECK(hpl_mxp_rules_status(first(slow), "MXP-06b") == hpl_mxp_rules_fail_);
}

TEST_CASE("MXP-06c to g look at ranks, plan, sizes and memory") {
  CHECK(hpl_mxp_rules_status("openmxp.out", "MXP-06c") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("nvidia-24.03-block.out", "MXP-06c") == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status(first(replaced(hpl_mxp_rules_log("openmxp.out"), "Ranks = 32", "Ranks = 64")),
                             "MXP-06c") == hpl_mxp_rules_fail_);

  HplMxpRulesScene scene;
  CHECK(scene.judge("MXP-06c").status == hpl_mxp_rules_pass);
  CHECK(scene.judge("MXP-06d").status == hpl_mxp_rules_pass);
  scene.planned.ranks = 8;
  CHECK(scene.judge("MXP-06c").status == hpl_mxp_rules_fail_);
  scene.planned.parameters[0].value = std::int64_t{300000};
  CHECK(scene.judge("MXP-06d").status == hpl_mxp_rules_fail_);
  CHECK(scene.judge("MXP-06d").value == "N = 200704, planned 300000");
  scene = HplMxpRulesScene();
  scene.planned.parameters[4].value = std::string("FP8");
  CHECK(scene.judge("MXP-06d").value == "precision = FP16, planned FP8");
  scene.planned.parameters.clear();
  CHECK(scene.judge("MXP-06d").status == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status("riken-passed.out", "MXP-06d") == hpl_mxp_rules_unknown_);

  CHECK(hpl_mxp_rules_status("rochpl-mxp.out", "MXP-06e") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("riken-passed.out", "MXP-06e") == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status(
            first(replaced(hpl_mxp_rules_log("rochpl-mxp.out"), "N      :   61440", "N      :   30720")),
            "MXP-06e") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("riken-passed.out", "MXP-06f") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("hpl-ai-21.4.out", "MXP-06f") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("icl-passed.out", "MXP-06f") == hpl_mxp_rules_unknown_);
  CHECK(hpl_mxp_rules_status("nvidia-26.02-two-loops.out", "MXP-06g") == hpl_mxp_rules_pass);
  CHECK(hpl_mxp_rules_status("nvidia-no-memory.out", "MXP-06g") == hpl_mxp_rules_fail_);
  CHECK(hpl_mxp_rules_status("riken-passed.out", "MXP-06g") == hpl_mxp_rules_unknown_);
}

TEST_CASE("a printed number stands for all that rounds to it") {
  ParsedResult result;
  result.facts = {{"a_printed", "13.04", 3},
                  {"a_min", "12.90", 3},
                  {"a_max", "13.10", 3},
                  {"b_printed", "nan", 4},
                  {"c_printed", "7", 5}};
  const auto a = time_interval(result, "a");
  REQUIRE(a.has_value());
  CHECK_FALSE(time_interval(result, "b").has_value());
  const auto c = printed_interval(result, "c_printed");
  REQUIRE(c.has_value());
  if (!a || !c) return;
  CHECK(a->low == Approx(12.895));
  CHECK(a->high == Approx(13.105));
  CHECK(c->low == Approx(6.5));
}
