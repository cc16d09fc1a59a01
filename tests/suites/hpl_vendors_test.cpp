#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "tests/suites/golden.hpp"
#include "tests/suites/gpu_nodes.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

Implementation at(const char* id, const char* program) {
  Implementation implementation = shipped("hpl", id);
  implementation.program = program;
  return implementation;
}

}  // namespace

TEST_CASE("rocHPL gets the choices that it does not refuse") {
  const auto hpl = planned(mi300x_nodes(4), at("amd", "/opt/rochpl/run_rochpl"));
  REQUIRE(hpl);
  const std::string& text = hpl->files.front().content;
  const auto lines = split(text, '\n');
  REQUIRE(lines.size() == 32);  // 31 and what is after the last newline
  CHECK(lines[3].starts_with("6 "));
  CHECK(lines[24].starts_with("1            DEPTHs"));
  CHECK(lines[25].starts_with("1            SWAP"));
  CHECK(lines[28].starts_with("0            U"));
  CHECK(lines[29].starts_with("0            Equilibration"));
  CHECK(joined(hpl->arguments, " ") == "-P 8 -Q 4 -p 8 -q 1 -i HPL.dat");
  CHECK(hpl->model.source == "fit");
}

TEST_CASE("MI300X are rated by the published runs of AMD's GPUs, within a factor of two") {
  NodeGroup node = mi300x_nodes(4);
  const Implementation amd = at("amd", "/opt/rochpl/run_rochpl");
  const auto hpl = planned(node, amd);
  REQUIRE(hpl);
  CHECK(hpl->model.source == "fit");
  const Prediction rate = prediction(*hpl, "rmax_gflops");
  // IronMan has 48.6 TFLOP/s a GPU on 64 MI300X (TOP500, June 2025, rank 380).
  CHECK(rate.low / 32 < 48600);
  CHECK(rate.high / 32 > 48600);
  CHECK(rate.high / rate.low < 2);
}

TEST_CASE(
    "GPUs that nobody measured are rated by the FP64 peak that the inventory states, with a wide band") {
  NodeGroup node = mi300x_nodes(4);
  Implementation amd = at("amd", "/opt/rochpl/run_rochpl");
  amd.results.clear();
  const auto blind = planned(node, amd);
  for (Gpu& gpu : node.gpus) gpu.peak.fp64_tensor_tflops = 163.4;
  const auto reported = planned(node, amd);
  REQUIRE(blind);
  REQUIRE(reported);
  CHECK(reported->model.text.find("32 GPUs x 0.83 x 163.4 TFLOP/s of stated FP64 peak, not measured") !=
        std::string::npos);
  CHECK(mentions(reported->warnings, "83 % of its stated peak is assumed"));
  const Prediction rate = prediction(*reported, "rmax_gflops");
  CHECK(rate.value > 10 * prediction(*blind, "rmax_gflops").value);
  CHECK(rate.high / rate.low > 4);
}

TEST_CASE("oneMKL's HPL runs a rank on each NUMA node with the block of its vector extension") {
  const auto hpl = planned(cpu_nodes(4), at("intel", "/opt/intel/xhpl_intel64_dynamic"));
  REQUIRE(hpl);
  CHECK(hpl->ranks == 8);
  CHECK(hpl->threads_per_rank == 96);
  CHECK(parameter(*hpl, "NB") == 384);
  CHECK(hpl->arguments.empty());
}

TEST_CASE("GPUs smaller than the program's work space are refused with what is missing") {
  NodeGroup node = h100_nodes(hosts_to(4));
  for (Gpu& gpu : node.gpus) gpu.memory_bytes = static_cast<std::int64_t>(6 * gibi);
  const auto refused = planned(node, shipped("hpl", "nvidia"));
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) ==
        "HPL-06: the program's work space of 8 GiB on each GPU exceeds its memory of 6 GiB by 2 GiB\n"
        "hint: GPUs with more memory");
}

TEST_CASE("memory is visible to the runtime of the GPU's make") {
  const auto reason = [](const NodeGroup& node, const Implementation& implementation) {
    return reason_for(planned(node, implementation).value(), "N");
  };
  CHECK(
      reason(h100_nodes(hosts_to(4)), shipped("hpl", "nvidia")).find("of a GPU, visible to CUDA x 32 GPUs") !=
      std::string::npos);
  CHECK(reason(mi300x_nodes(4), shipped("hpl", "amd")).find("of a GPU, visible to HIP x 32 GPUs") !=
        std::string::npos);
}

TEST_CASE("plans of the vendors' HPL are rendered to the last byte") {
  check_golden("hpl-amd-4.json",
               case_json(planned(mi300x_nodes(4), at("amd", "/opt/rochpl/run_rochpl")).value()));
  check_golden("hpl-intel-4.json",
               case_json(planned(cpu_nodes(4), at("intel", "/opt/intel/xhpl_intel64_dynamic")).value()));
}

TEST_CASE("GPU nodes of any number get a grid of their GPUs and a matrix beside the program's work space") {
  const Implementation nvidia = shipped("hpl", "nvidia");
  const bool holds = rc::check([&nvidia] {
    const int nodes = *rc::gen::inRange(1, 20'001);
    const int gpus = *rc::gen::inRange(0, 17);
    NodeGroup node = h100_nodes(hosts_to(nodes));
    node.gpus.resize(static_cast<size_t>(gpus), node.gpus.front());
    const auto visible = *rc::gen::inRange<std::int64_t>(std::int64_t{10} << 30U, std::int64_t{300} << 30U);
    for (Gpu& gpu : node.gpus) gpu.memory_bytes = visible;
    const auto hpl = planned(node, nvidia);
    if (gpus == 0) {
      RC_ASSERT(!hpl.has_value() && hpl.error().where == "requirements");
      return;
    }
    RC_ASSERT(hpl.has_value());
    const double N = parameter(*hpl, "N");
    const double P = parameter(*hpl, "P");
    RC_ASSERT(hpl->ranks == nodes * gpus);
    RC_ASSERT(P * parameter(*hpl, "Q") == hpl->ranks);
    RC_ASSERT(std::fmod(N, parameter(*hpl, "NB")) == 0);
    RC_ASSERT(8 * N * N / hpl->ranks <= static_cast<double>(visible) - 8 * gibi);
    RC_ASSERT(8 * N * N / hpl->ranks <= 0.88 * static_cast<double>(visible));
  });
  CHECK(holds);
}
