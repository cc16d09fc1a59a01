#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

ParsedResult burn_result(const std::string& text) {
  const auto results = logs::parsed(text);
  REQUIRE(results.size() == 1);
  return results.front();
}

RuleStatus burn_status(const ParsedResult& result, const char* id) {
  return logs::rule(logs::judge(result), id).status;
}

}  // namespace

TEST_CASE("gpu-burn gives the rates of the slowest and the fastest GPU, and each GPU's verdict") {
  const ParsedResult result = burn_result(logs::fixture("probes/gpu-burn.out"));
  CHECK(result.suite == "gpu-burn");
  CHECK(result.complete);
  CHECK(logs::parameter(result, "seconds") == "60");
  CHECK(logs::parameter(result, "gpus") == "2");
  CHECK(logs::parameter(result, "listed_gpus") == "2");
  CHECK(logs::parameter(result, "arithmetic") == "floats");
  CHECK(logs::parameter(result, "tensor_cores") == "yes");
  CHECK(logs::metric(result, "least_gflops") == 47227);
  CHECK(logs::metric(result, "most_gflops") == 47288);
  CHECK(logs::metric(result, "hottest_celsius") == 67);
  CHECK(logs::metric(result, "faulty_gpus") == 0);
  CHECK(logs::fact(result, "verdict GPU 1") == "OK");
  CHECK(logs::judge(result).validity == Validity::valid);
}

TEST_CASE("what gpu-burn prints twice into a file is one run, and a second run is another") {
  const std::string log = logs::fixture("probes/gpu-burn-h100.out");
  const ParsedResult result = burn_result(log);
  CHECK(result.complete);
  CHECK(logs::parameter(result, "seconds") == "18");
  CHECK(logs::metric(result, "least_gflops") > 350e3);
  CHECK(logs::metric(result, "hottest_celsius") == 65);
  CHECK(burn_status(result, "BURN-02") == RuleStatus::pass);
  CHECK(logs::judge(result).validity == Validity::valid);
  CHECK(logs::parsed(log + log).size() == 2);
  CHECK(logs::parsed(log.substr(0, log.find("Killing")) + log).size() == 2);
}

TEST_CASE("a GPU whose products came out wrong makes gpu-burn's result invalid, though it exits with 0") {
  const ParsedResult result = burn_result(logs::fixture("probes/gpu-burn-faulty.out"));
  CHECK(result.complete);
  CHECK(logs::metric(result, "faulty_gpus") == 1);
  CHECK(logs::fact(result, "errors GPU 1") == "6");
  CHECK(burn_status(result, "BURN-01") == RuleStatus::fail);
  CHECK(burn_status(result, "BURN-03") == RuleStatus::pass);
  CHECK(logs::judge(result).validity == Validity::invalid);
}

TEST_CASE("a GPU whose process died is no GPU that is well, whatever gpu-burn calls it") {
  const ParsedResult result = burn_result(logs::fixture("probes/gpu-burn-died.out"));
  CHECK(logs::fact(result, "verdict GPU 0") == "OK");
  CHECK(logs::fact(result, "died") == "GPU 0");
  CHECK(burn_status(result, "BURN-01") == RuleStatus::pass);
  CHECK(burn_status(result, "BURN-02") == RuleStatus::fail);
  CHECK(logs::judge(result).validity == Validity::invalid);
}

TEST_CASE("a verdict against the errors above it is a contradiction, and a GPU that is missing is no pass") {
  const std::string faulty = logs::fixture("probes/gpu-burn-faulty.out");
  const ParsedResult forged = burn_result(logs::replaced(faulty, "FAULTY", "OK"));
  CHECK(burn_status(forged, "BURN-03") == RuleStatus::fail);
  CHECK(logs::judge(forged).validity == Validity::invalid);

  std::string one = logs::fixture("probes/gpu-burn.out");
  one = logs::replaced(logs::replaced(one, "Tested 2 GPUs", "Tested 1 GPUs"), "\tGPU 1: OK\n", "");
  const ParsedResult lost = burn_result(one);
  CHECK(lost.complete);
  CHECK(burn_status(lost, "BURN-04") == RuleStatus::fail);
}

TEST_CASE("a gpu-burn that was stopped has no verdict, and says how far it came") {
  const std::string whole = logs::fixture("probes/gpu-burn.out");
  const ParsedResult cut = burn_result(whole.substr(0, whole.find("Killing")));
  CHECK_FALSE(cut.complete);
  CHECK(cut.metrics.empty());
  CHECK(cut.reason.find("before the verdicts of all GPUs, at 100.0 % of the time") != std::string::npos);
  CHECK(logs::judge(cut).validity == Validity::unknown);

  const ParsedResult aborted =
      burn_result(whole.substr(0, whole.find("Killing")) + "\n\nNo clients are alive!  Aborting\n");
  CHECK(aborted.reason.find("gpu-burn stopped: 'No clients are alive!  Aborting'") != std::string::npos);
}

TEST_CASE("gpu-burn that burned for a shorter time than planned has a warning") {
  const ParsedResult result = burn_result(logs::fixture("probes/gpu-burn.out"));
  Case planned;
  planned.parameters = {{"seconds", std::int64_t{60}}};
  Evidence evidence;
  evidence.result = &result;
  evidence.planned = &planned;
  CHECK(logs::rule(judged(evidence), "BURN-05").status == RuleStatus::pass);
  planned.parameters = {{"seconds", std::int64_t{600}}};
  CHECK(logs::rule(judged(evidence), "BURN-05").status == RuleStatus::fail);
}

TEST_CASE("two runs of gpu-burn in one log are two results") {
  const auto results =
      logs::parsed(logs::fixture("probes/gpu-burn.out") + logs::fixture("probes/gpu-burn-faulty.out"));
  REQUIRE(results.size() == 2);
  CHECK(logs::metric(results[0], "faulty_gpus") == 0);
  CHECK(logs::metric(results[1], "faulty_gpus") == 1);
}
