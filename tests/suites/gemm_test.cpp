#include <catch2/catch.hpp>

#include <algorithm>

#include "orchestrator/plan/suite_facts.hpp"
#include "tests/suites/inventories.hpp"

using namespace shakedown;
using namespace shakedown::tests;

TEST_CASE("the GEMM screen runs on all usable cores with one thread each") {
  CHECK(is_screen("gemm"));
  const auto gemm = planned(two_core_node(), shipped("gemm", "reference"));
  REQUIRE(gemm);
  CHECK(gemm->id == "gemm-reference-1n");
  CHECK(gemm->program == "/opt/shakedown/libexec/shakedown/gemm");
  CHECK(gemm->arguments == std::vector<std::string>{"--trials", "3", "--seconds", "1"});
  CHECK(gemm->parser == "gemm");
  CHECK(gemm->ranks == 2);
  CHECK(gemm->threads_per_rank == 1);
  CHECK(gemm->time_limit_s > 0);
}

TEST_CASE("the GEMM screen is predicted from cores, FLOP per cycle and clock") {
  NodeGroup node = two_core_node();
  const auto gemm = planned(node, shipped("gemm", "reference"));
  REQUIRE(gemm);
  const Prediction rate = prediction(*gemm, "fp64_gflops");
  CHECK(rate.value == Approx(83.2));
  CHECK(rate.high == Approx(1.5 * 83.2));
  node.cpu.max_mhz = 3400;
  CHECK(prediction(*planned(node, shipped("gemm", "reference")), "fp64_gflops").high == Approx(2 * 16 * 3.4));
  node.cpu.fp64_flop_per_cycle = 0;
  const auto blind = planned(node, shipped("gemm", "reference"));
  REQUIRE(blind);
  CHECK(find_prediction(*blind, "fp64_gflops") == nullptr);
  CHECK(std::ranges::any_of(blind->warnings,
                            [](const auto& text) { return text.find("no FP64 rate") != std::string::npos; }));
}

TEST_CASE("the GEMM screen of GPUs is one process on one node, predicted by the peaks that are known") {
  NodeGroup node = h100_nodes("gpu01");
  for (Gpu& gpu : node.gpus) {
    gpu.peak.fp64_vector_tflops = 33.5;
    gpu.peak.fp64_tensor_tflops = 66.9;
    gpu.peak.bf16_dense_tflops = gpu.peak.fp16_dense_tflops = 989.4;
  }
  const auto gemm = planned(node, shipped("gemm", "cuda"));
  REQUIRE(gemm);
  CHECK(gemm->id == "gemm-cuda-1n");
  CHECK(gemm->screen);
  CHECK(gemm->tested == "run-here");
  CHECK(gemm->program == "/opt/shakedown/libexec/shakedown/gemm-cuda");
  CHECK(gemm->arguments ==
        std::vector<std::string>{"--gpus", "8", "--n", "8192", "--trials", "3", "--seconds", "1"});
  CHECK(gemm->ranks == 1);
  CHECK(gemm->binding == "none");
  CHECK(parameter(*gemm, "gpus") == 8);
  // Measured on one H100 (docs/benchmarks.md): 53.02 TFLOP/s; SAKURAONE, Table 5: 55.34, the best of 784.
  const Prediction fp64 = prediction(*gemm, "fp64_gflops");
  CHECK(fp64.value == Approx(8 * 53020).epsilon(0.005));
  CHECK(fp64.high > 8 * 55340);
  CHECK(fp64.high == Approx(8 * 66900));
  CHECK(fp64.low < 0.9 * 8 * 53020);
  // Measured on one H100: 709 TFLOP/s in BF16; Bekman, MAMF table: 794.5.
  const Prediction bf16 = prediction(*gemm, "bf16_gflops");
  CHECK(bf16.low < 8 * 709e3);
  CHECK(bf16.high > 8 * 794.5e3);
  CHECK(find_prediction(*gemm, "fp8_gflops") == nullptr);
  CHECK(mentions(gemm->warnings, "does not give the GPUs' peak in FP8"));
  CHECK(gemm->time_limit_s > prediction(*gemm, "wall_time_s").high);
  CHECK_FALSE(planned(two_core_node(), shipped("gemm", "cuda")));
  const auto several = planned(h100_nodes("gpu[01-02]"), shipped("gemm", "cuda"));
  REQUIRE_FALSE(several);
  CHECK(several.error().what.find("runs on one node") != std::string::npos);
}

TEST_CASE("no node's HPL is predicted faster than its FP64 GEMM") {
  struct Row {
    const char* model;
    double memory_gib, fp64_tflops;
  };
  const Row rows[] = {{"NVIDIA A100-SXM4-80GB", 79.2, 19.5},
                      {"NVIDIA H100 80GB HBM3", 79.1, 66.9},
                      {"NVIDIA H200", 139.8, 67},
                      {"NVIDIA B200", 178.3, 37},
                      {"NVIDIA GB200", 184, 40}};
  for (const Row& row : rows) {
    CAPTURE(row.model);
    NodeGroup node = h100_nodes("n1");
    for (Gpu& gpu : node.gpus) {
      gpu.model = row.model;
      gpu.memory_bytes = static_cast<std::int64_t>(row.memory_gib * gibi);
      gpu.peak.fp64_tensor_tflops = row.fp64_tflops;
    }
    const auto gemm = planned(node, shipped("gemm", "cuda"));
    const auto hpl = planned(node, shipped("hpl", "nvidia"), {.system = "another"});
    REQUIRE(gemm);
    REQUIRE(hpl);
    CHECK(prediction(*hpl, "rmax_gflops").value < prediction(*gemm, "fp64_gflops").value);
    CHECK(prediction(*hpl, "rmax_gflops").high <= prediction(*gemm, "fp64_gflops").high);
  }
}
