#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

ParsedResult dcgm_result(const std::string& name) {
  const auto results = logs::parsed(logs::fixture("probes/" + name));
  REQUIRE(results.size() == 1);
  return results.front();
}

RuleResult dcgm_rule(const ParsedResult& result, const char* id) {
  return logs::rule(logs::judge(result), id);
}

}  // namespace

TEST_CASE("dcgmi diag's JSON gives how many tests passed, failed and were skipped") {
  const ParsedResult result = dcgm_result("dcgm-level-3.txt");
  CHECK(result.suite == "dcgm");
  CHECK(result.version == "4.2.3");
  CHECK(result.complete);
  CHECK(logs::parameter(result, "driver") == "570.86.15");
  CHECK(logs::parameter(result, "gpus") == "2");
  CHECK(logs::parameter(result, "tests") == "7");
  CHECK(logs::metric(result, "tests_passed") == 6);
  CHECK(logs::metric(result, "tests_failed") == 0);
  CHECK(logs::metric(result, "tests_skipped") == 1);
  CHECK(logs::fact(result, "result Stress/targeted_power") == "Pass");
  CHECK(logs::judge(result).validity == Validity::valid);
  CHECK(dcgm_rule(result, "DCGM-04").status == RuleStatus::fail);
  CHECK(dcgm_rule(result, "DCGM-04").value == "Hardware/nvbandwidth");
}

TEST_CASE("a test that one GPU fails makes the diagnostics invalid, with what DCGM says") {
  const ParsedResult result = dcgm_result("dcgm-failed.txt");
  CHECK(logs::metric(result, "tests_failed") == 1);
  CHECK(dcgm_rule(result, "DCGM-01").status == RuleStatus::fail);
  CHECK(dcgm_rule(result, "DCGM-01").value ==
        "Hardware/memory: GPU 1: Fail: GPU 1: Detected 2 uncorrectable memory errors");
  CHECK(logs::judge(result).validity == Validity::invalid);
  const ParsedResult persistence = dcgm_result("dcgm-persistence.txt");
  CHECK(dcgm_rule(persistence, "DCGM-01").value.find("Persistence mode for GPU 0 is disabled") !=
        std::string::npos);
}

TEST_CASE("a summary that says Pass over a GPU that failed passes nothing") {
  std::string text = logs::fixture("probes/dcgm-failed.txt");
  const size_t summary = text.find("test_summary", text.find("\"memory\""));
  text.replace(text.find("\"Fail\"", summary), 6, "\"Pass\"");
  const ParsedResult result = logs::parsed(text).front();
  CHECK(logs::metric(result, "tests_failed") == 1);
  CHECK(logs::judge(result).validity == Validity::invalid);
}

TEST_CASE("a word for a status that nobody knows is no pass") {
  const ParsedResult result =
      logs::parsed(logs::replaced(logs::fixture("probes/dcgm-level-3.txt"), "\"Pass\"", "\"Passable\""))
          .front();
  CHECK(logs::metric(result, "tests_passed") == 0);
  CHECK(logs::judge(result).validity == Validity::invalid);
}

TEST_CASE("diagnostics whose tests of the hardware were all skipped tested nothing") {
  const ParsedResult result = dcgm_result("dcgm-3-skipped.txt");
  CHECK(result.version == "3.3.1");
  CHECK(logs::parameter(result, "gpus") == "2");
  CHECK(logs::metric(result, "tests_passed") == 3);
  CHECK(logs::metric(result, "tests_skipped") == 4);
  CHECK(dcgm_rule(result, "DCGM-01").status == RuleStatus::pass);
  CHECK(dcgm_rule(result, "DCGM-02").status == RuleStatus::fail);
  CHECK(logs::judge(result).validity == Validity::invalid);
}

TEST_CASE("an error beside a pass is a warning; diagnostics that stopped are invalid") {
  const ParsedResult noted = dcgm_result("dcgm-pass-with-error.txt");
  CHECK(logs::judge(noted).validity == Validity::valid);
  CHECK(dcgm_rule(noted, "DCGM-05").status == RuleStatus::fail);
  CHECK(dcgm_rule(noted, "DCGM-05").value.find("61.2%") != std::string::npos);
  const ParsedResult stopped = dcgm_result("dcgm-stopped.txt");
  CHECK_FALSE(stopped.complete);
  CHECK(stopped.reason.find("homogeneous group") != std::string::npos);
  CHECK(logs::judge(stopped).validity == Validity::invalid);
}

TEST_CASE("JSON of dcgmi diag that is cut has no counts") {
  const std::string whole = logs::fixture("probes/dcgm-level-3.txt");
  const ParsedResult cut = logs::parsed(whole.substr(0, whole.find("targeted_stress"))).front();
  CHECK_FALSE(cut.complete);
  CHECK(cut.metrics.empty());
  CHECK(cut.reason.find("it is cut") != std::string::npos);
}
