#include "orchestrator/plan/gpu_code.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "tests/suites/gpu_nodes.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

NodeGroup nodes_with(const char* model) {
  NodeGroup node = sakuraone_nodes(2);
  for (Gpu& gpu : node.gpus) gpu.model = model;
  return node;
}

}  // namespace

TEST_CASE("GPU code runs on its generation from its own compute capability on, PTX on all after it") {
  struct Row {
    std::vector<std::string> built_for;
    const char* capability;
    bool runs;
  };
  // CUDA C++ Programming Guide, Binary Compatibility and PTX Compatibility.
  const Row rows[] = {
      {{"sm_80"}, "8.0", true},          {{"sm_80"}, "8.9", true},          {{"sm_86"}, "8.0", false},
      {{"sm_80"}, "9.0", false},         {{"sm_80"}, "7.0", false},         {{"sm_100"}, "10.3", true},
      {{"sm_100"}, "12.0", false},       {{"compute_90"}, "12.0", true},    {{"compute_90"}, "8.0", false},
      {{"sm_80", "sm_90"}, "9.0", true}, {{"sm_80", "sm_90"}, "", false},   {{}, "9.0", false},
      {{"sm_90a"}, "9.0", true},         {{"sm_100a"}, "10.3", false},      {{"sm_100f"}, "10.3", true},
      {{"compute_100f"}, "10.3", true},  {{"compute_100f"}, "12.0", false}, {{"compute_103f"}, "10.0", false},
      {{"compute_90a"}, "10.0", false}};
  for (const Row& row : rows) {
    CAPTURE(row.built_for, row.capability);
    CHECK(runs_on(row.built_for, row.capability) == row.runs);
  }
}

TEST_CASE("the catalogue's GPUs of NVIDIA have a compute capability") {
  for (const Accelerator& row : accelerators())
    CHECK(row.compute_capability.empty() == (row.vendor != "NVIDIA"));
  CHECK(compute_capability_named("Tesla V100-SXM2-32GB") == "7.0");
  CHECK(compute_capability_named("NVIDIA GB300") == "10.3");
  CHECK(compute_capability_named("AMD Instinct MI300X").empty());
}

TEST_CASE("a program without code for the GPUs is refused, with a way out") {
  struct Row {
    const char* suite;
    const char* id;
    const char* model;
    const char* refused;  ///< empty: it is planned
    const char* next;
  };
  const char* const image = "or an earlier container whose notes list such GPUs: its image and its gpu_code";
  const char* const build = "build shakedown with -D CMAKE_CUDA_ARCHITECTURES=NN";
  const char* const container =
      "has code for sm_80, sm_90, sm_100 (docs.nvidia.com/nvidia-hpc-benchmarks, "
      "System Support), and 'Tesla V100-SXM2-32GB' has compute capability 7.0";
  const Row rows[] = {
      {"hpl", "nvidia", "Tesla V100-SXM2-32GB", container, image},
      {"hpcg", "nvidia", "Tesla V100-SXM2-32GB", container, image},
      {"hpl-mxp", "nvidia", "Tesla V100-SXM2-32GB", container, image},
      {"gemm", "cuda", "Tesla V100-SXM2-32GB", "has compute capability 7.0", build},
      {"stream", "cuda", "Tesla V100-SXM2-32GB", "has compute capability 7.0", build},
      {"hpl", "nvidia", "NVIDIA A100-SXM4-80GB", "", ""},
      {"hpl", "nvidia", "NVIDIA B200", "", ""},
      {"gemm", "cuda", "NVIDIA GB300", "", ""},
      {"hpl", "nvidia", "NVIDIA of which nothing is known", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.suite, row.model);
    const bool screen = std::string_view(row.id) == "cuda";
    NodeGroup node = nodes_with(row.model);
    if (screen) node.hosts = hosts_to(1);
    const auto plan = planned(node, shipped(row.suite, row.id));
    if (*row.refused == '\0') {
      CHECK(plan.has_value());
      continue;
    }
    REQUIRE_FALSE(plan);
    CHECK(plan.error().where == "requirements");
    CHECK(plan.error().what.find(row.refused) != std::string::npos);
    CHECK(plan.error().hint.find(row.next) != std::string::npos);
  }
}

TEST_CASE("a site's own image is planned where the site states that it has code for the GPUs") {
  std::vector<SiteProgram> own(1);
  own.front().implementation = "hpl/nvidia";
  own.front().image = "/images/own.sif";
  const NodeGroup node = nodes_with("Tesla V100-SXM2-32GB");
  const Implementation nvidia = shipped("hpl", "nvidia");
  CHECK_FALSE(planned(node, nvidia, {.programs = own}));
  own.front().gpu_code = {"sm_70"};
  CHECK(planned(node, nvidia, {.programs = own}));
  own.front().gpu_code = {"sm_90"};
  const auto other = planned(node, nvidia, {.programs = own});
  REQUIRE_FALSE(other);
  CHECK(other.error().what.find("sm_90 (gpu_code in [[site.programs]])") != std::string::npos);
}

TEST_CASE("our own kernels are stated with the code that they are built with") {
  const auto build = file_content(PROJECT_FOLDER "/cmake/Dependencies.cmake");
  REQUIRE(build);
  CHECK(build->find("CMAKE_CUDA_ARCHITECTURES 80-real 90)") != std::string::npos);
  CHECK(build->find("CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100)") != std::string::npos);
  // What both have: binary code for 8.x and 9.x, and PTX for all that come after.
  const std::vector<std::string> both = {"sm_80", "sm_90", "compute_90"};
  CHECK(shipped("gemm", "cuda").gpu_code.built_for == both);
  CHECK(shipped("stream", "cuda").gpu_code.built_for == both);
}
