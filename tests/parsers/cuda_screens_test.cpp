// The reports of the screens of GPUs. The logs are written by hand: tests/fixtures/gemm/grammar/SOURCE.md.
#include <catch2/catch.hpp>

#include "parsers/rules/finding.hpp"
#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

ParsedResult only_report(const std::string& text) {
  const auto results = parsed(text);
  REQUIRE(results.size() == 1);
  return results.front();
}

RuleStatus status_of(const ParsedResult& result, const char* id) {
  return rule(judge(result), id).status;
}

}  // namespace

TEST_CASE("the GEMM report of GPUs gives each GPU alone and all at once in each precision") {
  const ParsedResult result = only_report(fixture("gemm/grammar/cuda-eight-gpus.out"));
  CHECK(result.suite == "gemm");
  CHECK(result.implementation == "cuda");
  CHECK(result.complete);
  CHECK(result.warnings.empty());
  CHECK(parameter(result, "gpus") == "8");
  CHECK(parameter(result, "N") == "8192");
  CHECK(parameter(result, "device") == "NVIDIA H100 80GB HBM3");
  CHECK(metric(result, "gpu_0_fp64_gflops") == Approx(61100));
  CHECK(metric(result, "gpu_5_fp64_gflops") == Approx(58200.625));
  CHECK(metric(result, "gpu_min_fp64_gflops") == Approx(58200.625));
  CHECK(metric(result, "gpu_max_fp64_gflops") == Approx(61400.25));
  CHECK(metric(result, "gpu_7_fp8_gflops") == Approx(60.7 * 21.3e3 + 0.875));
  CHECK(metric(result, "fp64_gflops") == metric(result, "fp64_gflops_trial_3"));
  CHECK(metric(result, "fp64_gflops") > 8 * 55000);
  for (const char* precision : {"tf32", "bf16", "fp16", "fp8"}) {
    CHECK(metric(result, std::string(precision) + "_gflops") ==
          metric(result, std::string(precision) + "_gflops_trial_3"));
    CHECK(fact(result, std::string(precision) + "_verification") == "PASSED");
  }
  CHECK(judge(result).validity == Validity::valid);
  CHECK(status_of(result, "GEMM-02b") == RuleStatus::pass);
  CHECK(status_of(result, "GEMM-04") == RuleStatus::fail);  // GPU 5, 5.2 % below GPU 2: a warning
}

TEST_CASE("reports that an H100 and an H200 left are valid") {
  const ParsedResult h100 = only_report(fixture("gemm/cuda-h100.out"));
  CHECK(parameter(h100, "device") == "NVIDIA H100 80GB HBM3");
  CHECK(metric(h100, "gpu_0_fp64_gflops") == Approx(52272.5).epsilon(0.02));
  CHECK(metric(h100, "fp64_gflops") == 53020.367);
  CHECK(judge(h100).validity == Validity::valid);
  const ParsedResult h200 = only_report(fixture("gemm/cuda-h200.out"));
  CHECK(parameter(h200, "device") == "NVIDIA H200");
  CHECK(metric(h200, "fp8_gflops") == 1295253.567);
  CHECK(judge(h200).validity == Validity::valid);
  const ParsedResult memory = only_report(fixture("probes/stream-cuda-h200.out"));
  CHECK(metric(memory, "triad_mb_s") == Approx(4341190.8));
  CHECK(judge(memory).validity == Validity::valid);
  const ParsedResult copies = only_report(fixture("probes/nvbandwidth-h100.json"));
  CHECK(copies.complete);
  CHECK(judge(copies).validity == Validity::valid);
}

TEST_CASE("a failed check in any precision makes the run invalid") {
  const std::string text = fixture("gemm/grammar/cuda-eight-gpus.out");
  for (const char* precision : {"TF32", "BF16", "FP16", "FP8"}) {
    const std::string line = std::string(precision) + " verification: ";
    const ParsedResult failed = only_report(replaced(text, line + "PASSED", line + "FAILED"));
    CHECK(judge(failed).validity == Validity::invalid);
    CHECK(status_of(failed, "GEMM-02b") == RuleStatus::fail);
    CHECK(status_of(failed, "GEMM-01") == RuleStatus::pass);
  }
  CHECK(status_of(only_report(replaced(text, "\nVerification: PASSED", "\nVerification: FAILED")),
                  "GEMM-01") == RuleStatus::fail);
  CHECK(status_of(only_report(replaced(text, "error = 3.010e-02", "error = 3.010e-01")), "GEMM-02b") ==
        RuleStatus::fail);
  CHECK(status_of(only_report(replaced(text, "error = 3.010e-02", "error = inf")), "GEMM-02b") ==
        RuleStatus::fail);
  CHECK(judge(only_report(replaced(text, "FP8 verification: PASSED", "FP8 verifica"))).validity !=
        Validity::valid);
}

TEST_CASE("a precision that the GPUs have no units for is absent, with its reason") {
  const ParsedResult result = only_report(fixture("gemm/grammar/cuda-without-fp8.out"));
  CHECK(result.complete);
  CHECK(result.metric("fp8_gflops") == nullptr);
  CHECK(result.metric("gpu_0_fp8_gflops") == nullptr);
  CHECK(fact(result, "not_measured FP8") == "GPU 0, sm_80, has no units for it");
  CHECK(judge(result).validity == Validity::valid);
}

TEST_CASE("a GEMM report of GPUs that is cut anywhere is incomplete") {
  const std::string text = fixture("gemm/grammar/cuda-eight-gpus.out");
  for (size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1)) {
    INFO(text.substr(0, at).size());
    CHECK_FALSE(only_report(text.substr(0, at + 1)).complete);
  }
}

TEST_CASE("the STREAM report of GPUs gives memory, host and pairs, and the slowest of each") {
  const ParsedResult result = only_report(fixture("probes/stream-cuda.out"));
  CHECK(result.suite == "stream");
  CHECK(result.implementation == "cuda");
  CHECK(result.complete);
  CHECK(result.warnings.empty());
  CHECK(parameter(result, "gpus") == "8");
  CHECK(parameter(result, "l2_bytes") == "52428800");
  CHECK(parameter(result, "device") == "NVIDIA H100 80GB HBM3");
  CHECK(metric(result, "triad_mb_s") == Approx(23534e3).epsilon(1e-4));
  CHECK(metric(result, "gpu_0_copy_mb_s") == 2901000.5);
  CHECK(metric(result, "gpu_7_triad_mb_s") == 2970200);
  CHECK(metric(result, "gpu_min_triad_mb_s") == 2970200);
  CHECK(metric(result, "host_to_gpu_mb_s") == 401200);
  CHECK(metric(result, "gpu_to_host_mb_s") == 389000.5);
  CHECK(metric(result, "gpu_2_host_to_gpu_mb_s") == 55180);
  CHECK(metric(result, "gpu_min_host_to_gpu_mb_s") == 55130);
  CHECK(metric(result, "gpu_min_gpu_to_host_mb_s") == 53960);
  CHECK(metric(result, "gpu_0_to_gpu_1_mb_s") == 391999);
  CHECK(metric(result, "gpu_min_to_gpu_mb_s") == 391924);
  CHECK(result.metric("gpu_0_to_gpu_0_mb_s") == nullptr);
  CHECK(judge(result).validity == Validity::valid);
  CHECK(status_of(result, "STREAM-02") == RuleStatus::pass);
  CHECK(status_of(result, "STREAM-06") == RuleStatus::pass);
}

TEST_CASE(
    "a wrong copy, a wrong rate and arrays that an L2 cache holds make the STREAM run of GPUs invalid") {
  const ParsedResult wrong = only_report(fixture("probes/stream-cuda-wrong-copy.out"));
  CHECK(status_of(wrong, "STREAM-01") == RuleStatus::fail);
  CHECK(judge(wrong).validity == Validity::invalid);
  CHECK(wrong.fact("validation_failed")->value.find("from GPU 3 to GPU 1") != std::string::npos);
  const std::string text = fixture("probes/stream-cuda.out");
  CHECK(
      status_of(only_report(replaced(text, "L2 cache of a GPU = 52428800", "L2 cache of a GPU = 5242880000")),
                "STREAM-06") == RuleStatus::fail);
  CHECK(status_of(only_report(replaced(text, "23534067.4", "33534067.4")), "STREAM-02") == RuleStatus::fail);
  CHECK_FALSE(only_report(text.substr(0, text.find("Solution"))).complete);
}

TEST_CASE("a program for GPUs is held against the screen of GPUs, one of processor cores against theirs") {
  Screen cores;
  cores.result.suite = "stream";
  cores.result.implementation = "reference";
  cores.result.metrics = {{"triad_mb_s", 500e3, 1}};
  Screen gpus;
  gpus.result.suite = "stream";
  gpus.result.implementation = "cuda";
  gpus.result.metrics = {{"triad_mb_s", 24e6, 1}};
  const std::vector<Screen> screens = {cores, gpus};
  Case planned;
  planned.nodes = 2;
  ParsedResult result;
  result.suite = "hpcg";
  result.implementation = planned.implementation = "nvidia";
  result.metrics = {{"bandwidth_gb_s", 40000, 1}};
  Evidence evidence;
  evidence.result = &result;
  evidence.planned = &planned;
  evidence.screens = screens;
  CHECK(rule(judged(evidence), "HPCG-10").value.find("48000 GB/s") != std::string::npos);
  evidence.screens = {screens.data(), 1};
  CHECK(rule(judged(evidence), "HPCG-10").text == "no STREAM reference run on the GPUs in this campaign");
}

TEST_CASE("the rules take those implementations for programs for GPUs that comparisons do") {
  const auto table = file_content(fs::path(PROJECT_FOLDER) / "reports" / "compare" / "comparability.toml");
  REQUIRE(table);
  const size_t at = table->find("gpu_implementations = [");
  REQUIRE(at != std::string::npos);
  const std::string list = table->substr(at, table->find(']', at) - at);
  CHECK(std::ranges::count(list, '"') == 6);
  for (const char* name : {"nvidia", "amd", "cuda"}) {
    CHECK(list.find(std::string("\"") + name + "\"") != std::string::npos);
    CHECK(computes_on_gpus(name));
  }
  for (const char* name : {"reference", "netlib", "intel", ""}) CHECK_FALSE(computes_on_gpus(name));
}
