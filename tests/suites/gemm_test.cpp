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
