#include <algorithm>
#include <catch2/catch.hpp>

#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/planning/derivation.hpp"
#include "tests/suites/gpu_nodes.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

Layout shipped_layout() {
  const std::filesystem::path build = BUILD_FOLDER;
  return {build / "bin/shakedown", build / "libexec/shakedown", build / "share/shakedown"};
}

NodeGroup group(NodeGroup node, const char* name, const char* hosts) {
  node.name = name;
  node.hosts = hosts;
  return node;
}

/// More nodes with processors alone than with GPUs.
Inventory mixed_cluster() {
  Inventory inventory;
  inventory.system = "mixed";
  inventory.groups = {group(cpu_nodes(1), "cpu", "c[1-8]"), group(sakuraone_nodes(1), "gpu", "g[1-4]"),
                      group(mi300x_nodes(1), "amd", "a[1-2]")};
  inventory.groups.front().cpu.base_mhz = 2400;
  inventory.groups.front().cpu.fp64_flop_per_cycle = 16;  // 8 nodes: 59 TFLOP/s, less than one of H100
  return inventory;
}

Plan plan_of(const Inventory& inventory, const std::string& implementation, int nodes = 0,
             const Acceptance& acceptance = {}) {
  PlanOptions options;
  options.inventory = "given";
  if (acceptance.runs.empty()) options.suites = {"hpl"};
  options.implementation = implementation;
  options.nodes = nodes;
  auto plan = derived_plan(options, acceptance, inventory, shipped_layout());
  if (!plan) throw std::runtime_error(to_string(plan.error()));
  return *std::move(plan);
}

const Case& case_of(const Plan& plan, std::string_view suite) {
  const auto found = std::ranges::find(plan.cases, suite, &Case::suite);
  if (found == plan.cases.end()) throw std::runtime_error("no case of " + std::string(suite));
  return *found;
}

}  // namespace

TEST_CASE("--implementation picks the nodes of a mixed cluster that can run it") {
  const Plan usual = plan_of(mixed_cluster(), "");
  CHECK(case_of(usual, "hpl").hosts == "a[1-2]");  // 16 x 163.4 TFLOP/s against 32 x 66.9
  CHECK(mentions(
      usual.warnings,
      "not all nodes are of one kind: planned for the 2 like 'amd', of the highest FP64 peak; "
      "--implementation hpcc plans the 8 like 'cpu'; --implementation nvidia plans the 4 like 'gpu'"));
  CHECK(case_of(plan_of(mixed_cluster(), "hpcc"), "hpl").hosts == "c[1-8]");
  const Plan nvidia = plan_of(mixed_cluster(), "nvidia");
  CHECK(case_of(nvidia, "hpl").hosts == "g[1-4]");
  CHECK(case_of(nvidia, "hpl").ranks == 32);
  CHECK(case_of(nvidia, "gemm").hosts == "g1");
  CHECK(mentions(nvidia.warnings,
                 "not all nodes are of one kind: planned for the 4 like 'gpu', which 'nvidia' runs on"));
  const Plan amd = plan_of(mixed_cluster(), "amd");
  CHECK(case_of(amd, "hpl").hosts == "a[1-2]");
}

TEST_CASE("each run of a configuration is planned on the nodes that can run its implementation") {
  Acceptance acceptance;
  AcceptanceRun run;
  run.suite = "hpl";
  run.implementation = "reference";
  run.place = "runs 1";
  acceptance.runs.push_back(run);
  run.implementation = "nvidia";
  run.place = "runs 2";
  acceptance.runs.push_back(run);
  const Plan plan = plan_of(mixed_cluster(), "", 0, acceptance);
  REQUIRE(plan.cases.size() == 2);
  CHECK(plan.cases[0].hosts == "c[1-8]");
  CHECK(plan.cases[1].hosts == "g[1-4]");
}

TEST_CASE("on a mixed cluster each run has the numbers that its kind of nodes has alone") {
  struct Row {
    const char* suite;
    const char* implementation;
    const char* hosts;
    std::vector<Parameter> numbers;  // by the rules of tests/suites/expert_nodes_test.cpp
  };
  const auto numbers = [](std::int64_t N, std::int64_t P, std::int64_t Q) {
    return std::vector<Parameter>{{"N", N}, {"P", P}, {"Q", Q}};
  };
  const auto cube = [](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t nx, std::int64_t nz) {
    return std::vector<Parameter>{{"npx", x}, {"npy", y}, {"npz", z}, {"nx", nx}, {"nz", nz}};
  };
  const Row rows[] = {{"hpl", "nvidia", "g[1-4]", numbers(528384, 8, 4)},  // 32 GPUs, 0.822 of their memory
                      {"hpl-mxp", "nvidia", "g[1-4]", numbers(609280, 8, 4)},  // 0.548, 4 bytes
                      {"hpcg", "nvidia", "g[1-4]", cube(4, 4, 2, 512, 288)},   // 32 = 2^5
                      {"hpl", "netlib", "c[1-8]", numbers(812160, 32, 48)},    // 1536 cores, 0.8 of 6 TiB
                      {"hpl-mxp", "reference", "c[1-8]", numbers(1148544, 32, 48)},
                      {"hpcg", "official", "c[1-8]", cube(8, 16, 12, 120, 112)}};
  Acceptance acceptance;
  for (const Row& row : rows) {
    AcceptanceRun& run = acceptance.runs.emplace_back();
    run.suite = row.suite;
    run.implementation = row.implementation;
    run.place = "runs";
  }
  const Plan plan = plan_of(mixed_cluster(), "", 0, acceptance);
  for (const Row& row : rows) {
    CAPTURE(row.suite, row.implementation);
    const auto found = std::ranges::find_if(plan.cases, [&](const Case& each) {
      return each.suite == row.suite && each.implementation == row.implementation;
    });
    REQUIRE(found != plan.cases.end());
    CHECK(found->hosts == row.hosts);
    for (const Parameter& number : row.numbers) {
      const Value* value = find_parameter(found->parameters, number.name);
      REQUIRE(value != nullptr);
      CHECK(value_text(*value) == value_text(number.value));
    }
  }
}

TEST_CASE("runs that name their nodes are not said to be planned for others") {
  Acceptance acceptance;
  AcceptanceRun run;
  run.suite = "hpl";
  run.implementation = "reference";
  run.place = "runs 1";
  run.hosts = "c[1-8]";
  acceptance.runs.push_back(run);
  CHECK_FALSE(
      mentions(plan_of(mixed_cluster(), "", 0, acceptance).warnings, "not all nodes are of one kind"));
  acceptance.runs.front().hosts.clear();
  CHECK(mentions(plan_of(mixed_cluster(), "", 0, acceptance).warnings, "not all nodes are of one kind"));
}

TEST_CASE("a run is planned on the nodes whose GPUs the site's own program has code for") {
  Inventory inventory;
  inventory.system = "mixed";
  inventory.groups = {group(sakuraone_nodes(1), "gpu", "g[1-4]"), group(sakuraone_nodes(1), "old", "v[1-8]")};
  for (Gpu& gpu : inventory.groups.back().gpus) {
    gpu.model = "Tesla V100-SXM2-32GB";
    gpu.memory_bytes = static_cast<std::int64_t>(31.7 * gibi);
    gpu.peak = {};  // the catalogue's
  }
  Acceptance acceptance;
  AcceptanceRun run;
  run.suite = "hpl";
  run.implementation = "nvidia";
  run.place = "runs 1";
  acceptance.runs.push_back(run);
  CHECK(case_of(plan_of(inventory, "", 0, acceptance), "hpl").hosts == "g[1-4]");
  SiteProgram own;
  own.implementation = "hpl/nvidia";
  own.image = "/images/own.sif";
  own.gpu_code = {"sm_70"};
  acceptance.site.programs = {own};
  CHECK(case_of(plan_of(inventory, "", 0, acceptance), "hpl").hosts == "v[1-8]");
  // So is one that names no implementation.
  acceptance.runs.front().implementation.clear();
  CHECK(case_of(plan_of(inventory, "", 0, acceptance), "hpl").hosts == "v[1-8]");
  acceptance.runs.front().implementation = "nvidia";
  acceptance.site.programs.front().gpu_code = {"sm_70", "sm_90"};
  CHECK(case_of(plan_of(inventory, "", 0, acceptance), "hpl").hosts == "g[1-4]");
}

TEST_CASE("a plan of processors begins from what was measured on its kind, whichever is the largest") {
  PlanOptions options;
  options.inventory = "given";
  options.suites = {"hpl"};
  options.implementation = "netlib";
  options.measured["cpu"] = {3000, 400, 0, 0, "campaign c1"};
  options.measured["gpu"] = {1000, 200, 0, 0, "campaign c2"};
  // As a campaign that is planned again reads them.
  const auto read = plan_options_from_json(plan_options_json(options));
  REQUIRE(read);
  CHECK(read->measured == options.measured);
  const auto plan = derived_plan(*read, {}, mixed_cluster(), shipped_layout());
  REQUIRE(plan);
  const Case& hpl = case_of(*plan, "hpl");
  CHECK(hpl.hosts == "c[1-8]");
  CHECK(mentions({hpl.model.text}, "24.00 TFLOP/s of FP64 GEMM, measured (campaign c1)"));
}

TEST_CASE("the nodes are chosen by the suites that are planned, not by another's program of that name") {
  PlanOptions options;
  options.inventory = "given";
  options.suites = {"hpcg"};
  options.implementation = "official";  // gpu-burn has one, too, for GPUs alone
  const auto plan = derived_plan(options, {}, mixed_cluster(), shipped_layout());
  REQUIRE(plan);
  REQUIRE_FALSE(plan->cases.empty());
  for (const Case& each : plan->cases) {
    INFO(each.id);
    CHECK(each.hosts.starts_with("c"));
  }
  CHECK(mentions(plan->warnings, "like 'cpu'"));
}

TEST_CASE("screens run on each node by itself, on the nodes that the suites run on") {
  Inventory inventory;
  inventory.system = "many";
  inventory.groups = {group(sakuraone_nodes(1), "gpu", "n[00001-12500]")};
  const Plan plan = plan_of(inventory, "nvidia");
  int screens = 0;
  for (const Case& planned : plan.cases) {
    if (planned.suite != "gemm") continue;
    ++screens;
    REQUIRE(planned.nodes == 1);
    REQUIRE(planned.ranks <= 96);
    REQUIRE(planned.bound);
  }
  CHECK(screens == 12'500);
  CHECK(case_of(plan, "hpl").ranks == 100'000);
  // A few of them: the screens are of the same nodes.
  const Plan few = plan_of(inventory, "nvidia", 3);
  CHECK(std::ranges::count(few.cases, std::string("gemm"), &Case::suite) == 3);
  CHECK(case_of(few, "gemm").id == "gemm-cuda-1n-n00001");
  const Plan one = plan_of(inventory, "nvidia", 1);
  CHECK(case_of(one, "gemm").id == "gemm-cuda-1n-n00001");
}

TEST_CASE("a plan of GPUs has no suite on processor cores unless it is named") {
  Inventory inventory;
  inventory.system = "amd";
  inventory.groups = {group(mi300x_nodes(1), "amd", "a[1-4]")};
  PlanOptions options;
  options.inventory = "given";
  const auto all = derived_plan(options, {}, inventory, shipped_layout());
  REQUIRE(all);
  for (const Case& planned : all->cases) {
    INFO(planned.id);
    CHECK(planned.suite != "gemm");
    CHECK(planned.suite != "mlperf");
  }
  const auto mlperf = std::ranges::find(all->refused, "mlperf", &Refusal::suite);
  REQUIRE(mlperf != all->refused.end());
  CHECK(mlperf->because == "none of MLPerf's programs for GPUs (nvidia) is for AMD Instinct MI300X");
  CHECK(mlperf->next_good == "--suite mlperf plans 'reference' on processor cores");
  options.suites = {"mlperf"};
  const auto named = derived_plan(options, {}, inventory, shipped_layout());
  REQUIRE(named);
  CHECK(case_of(*named, "mlperf").implementation == "reference");
  CHECK(case_of(*named, "gemm").implementation == "reference");
}

TEST_CASE("a case on fewer nodes than there are says who asked for that, and what all of them would cost") {
  Inventory inventory;
  inventory.system = "odd";
  inventory.groups = {group(sakuraone_nodes(1), "gpu", "n[01-97]")};
  CHECK(case_of(plan_of(inventory, "nvidia", 40), "hpl").fewer_nodes == "40 of 97 nodes: as --nodes states");
  const std::string near = case_of(plan_of(inventory, "nvidia", 96), "hpl").fewer_nodes;
  CHECK(near.starts_with("96 of 97 nodes: as --nodes states; all 97, arranged as 8 x 97, give "));
  CHECK(near.ends_with(" % less per rank"));
  CHECK(case_of(plan_of(inventory, "nvidia"), "hpl").fewer_nodes.empty());
}

TEST_CASE("of the cases of one program only the widest says why it has not all nodes") {
  Inventory inventory;
  inventory.system = "odd";
  inventory.groups = {group(sakuraone_nodes(1), "gpu", "n[01-97]")};
  AcceptanceRun run;
  run.suite = "hpl";
  run.implementation = "nvidia";
  run.nodes = {8, 96, 40};
  run.repetitions = 2;
  run.place = "a.toml:9";
  Acceptance acceptance;
  acceptance.runs = {run};
  const Plan plan = plan_of(inventory, "", 0, acceptance);
  REQUIRE(plan.cases.size() == 6);
  for (const Case& planned : plan.cases) {
    INFO(planned.id);
    CHECK(planned.fewer_nodes.starts_with("96 of 97 nodes: as a.toml:9 states; all 97") ==
          (planned.nodes == 96));
    CHECK(planned.fewer_nodes.empty() == (planned.nodes != 96));
  }
}
