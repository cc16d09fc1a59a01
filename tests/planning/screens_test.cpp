#include "orchestrator/planning/screens.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "orchestrator/inventory/named_inventory.hpp"
#include "orchestrator/planning/derivation.hpp"
#include "orchestrator/planning/plan_options.hpp"

using namespace shakedown;

namespace {

Layout layout_of_build() {
  return {fs::path(BUILD_FOLDER "/bin/shakedown"), fs::path(BUILD_FOLDER "/libexec/shakedown"),
          fs::path(BUILD_FOLDER "/share/shakedown")};
}

/// The cases that the options plan on a system's nodes; `change` alters its inventory before.
Plan plan_for(PlanOptions options, void (*change)(Inventory&) = nullptr) {
  const Layout layout = layout_of_build();
  auto inventory = chosen_inventory(options, {}, layout);
  REQUIRE(inventory);
  if (change != nullptr) change(*inventory);
  const auto plan = derived_plan(options, {}, *inventory, layout);
  if (!plan) FAIL(to_string(plan.error()));
  return *plan;
}

PlanOptions sakuraone(std::vector<std::string> suites, int nodes, std::string implementation = "") {
  PlanOptions options;
  options.inventory = "sakuraone";
  options.suites = std::move(suites);
  options.nodes = nodes;
  options.implementation = std::move(implementation);
  return options;
}

void with_mi300x(Inventory& inventory) {
  for (NodeGroup& group : inventory.groups)
    for (Gpu& gpu : group.gpus) gpu.model = "AMD Instinct MI300X";
}

std::vector<std::string> case_ids(const Plan& plan) {
  std::vector<std::string> list;
  for (const Case& planned : plan.cases) list.push_back(planned.id);
  return list;
}

}  // namespace

TEST_CASE("beside a program for GPUs stands the screen of GPUs alone, of each node that is planned") {
  CHECK(case_ids(plan_for(sakuraone({"hpl"}, 3))) ==
        std::vector<std::string>{"gemm-cuda-1n-cn001", "gemm-cuda-1n-cn002", "gemm-cuda-1n-cn003",
                                 "hpl-nvidia-3n"});
  const Plan hpcg = plan_for(sakuraone({"hpcg"}, 2));
  CHECK(case_ids(hpcg) ==
        std::vector<std::string>{"stream-cuda-1n-cn001", "stream-cuda-1n-cn002", "hpcg-nvidia-2n"});
  CHECK(hpcg.cases.front().bound);
  CHECK(hpcg.cases.front().hosts == "cn001");
  CHECK(std::ranges::count(case_ids(plan_for(sakuraone({"hpl"}, 98))), "gemm-reference-98n") == 0);
}

TEST_CASE("beside a program for processor cores stands the screen of processor cores alone") {
  CHECK(case_ids(plan_for(sakuraone({"hpl"}, 4, "reference"))) ==
        std::vector<std::string>{"gemm-reference-1n-cn001", "gemm-reference-1n-cn002",
                                 "gemm-reference-1n-cn003", "gemm-reference-1n-cn004", "hpl-reference-4n"});
}

TEST_CASE("a screen that is planned alone is by the hardware, or the one that is named") {
  CHECK(case_ids(plan_for(sakuraone({"gemm"}, 1))) == std::vector<std::string>{"gemm-cuda-1n-cn001"});
  CHECK(case_ids(plan_for(sakuraone({"gemm"}, 1, "reference"))) ==
        std::vector<std::string>{"gemm-reference-1n"});
}

TEST_CASE("beside GPUs of a make that no screen is for there is none, and that is said") {
  const Plan plan = plan_for(sakuraone({"hpl"}, 2), with_mi300x);
  CHECK(case_ids(plan) == std::vector<std::string>{"hpl-amd-2n"});
  CHECK(std::ranges::any_of(plan.warnings, [](const std::string& text) {
    return text == "GEMM has no implementation for AMD GPUs: no efficiency of what runs on them refers to it";
  }));
}

TEST_CASE("of a program for GPUs that are not there the refusal is said, not that of its screen") {
  const Layout layout = layout_of_build();
  const PlanOptions options = sakuraone({"hpl", "mlperf"}, 2, "nvidia");
  auto inventory = chosen_inventory(options, {}, layout);
  REQUIRE(inventory);
  with_mi300x(*inventory);
  const auto plan = derived_plan(options, {}, *inventory, layout);
  REQUIRE(plan);
  REQUIRE_FALSE(plan->refused.empty());
  for (const Refusal& refusal : plan->refused)
    CHECK(refusal.because.starts_with("'nvidia' needs nvidia GPUs"));
}

TEST_CASE("that nodes with GPUs get a program for processor cores unasked is said") {
  const std::string said =
      "is planned on processor cores, with 'reference': none of MLPerf's programs for GPUs (nvidia) is for ";
  const auto warns = [&](const Plan& plan) {
    return std::ranges::any_of(plan.warnings,
                               [&](const std::string& text) { return text.find(said) != std::string::npos; });
  };
  CHECK(warns(plan_for(sakuraone({"mlperf"}, 2), with_mi300x)));
  CHECK_FALSE(warns(plan_for(sakuraone({"mlperf"}, 2, "reference"), with_mi300x)));
  CHECK_FALSE(warns(plan_for(sakuraone({"io500"}, 2), with_mi300x)));
}
