#include "orchestrator/planning/fitted_runs.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "tests/suites/inventories.hpp"

using namespace shakedown;
using tests::mentions;

namespace {

Layout built_layout() {
  const fs::path prefix = BUILD_FOLDER;
  return {prefix / "bin" / "shakedown", prefix / "libexec" / "shakedown", prefix / "share" / "shakedown"};
}

Acceptance shipped_h100() {
  const fs::path path = built_layout().share / "templates" / "acceptance-h100.toml";
  return acceptance_from_toml(file_content(path).value(), path.string()).value();
}

Inventory h100_nodes(const std::string& hosts) {
  Inventory inventory = read_inventory(built_layout().share / "systems" / "sakuraone.toml").value();
  inventory.system = "mine";
  inventory.groups.front().hosts = hosts;
  inventory.pods.clear();
  return inventory;
}

/// The scales of a suite's runs that are not of each node, in order.
std::vector<std::vector<int>> scales(const FittedRuns& fitted, const std::string& suite) {
  std::vector<std::vector<int>> list;
  for (const FittedRun& each : fitted.runs)
    if (each.run.suite == suite && !each.run.each_node) list.push_back(each.run.nodes);
  return list;
}

}  // namespace

TEST_CASE("runs of the whole shipped system become runs of the whole system, growing ones end below it") {
  const Acceptance shipped = shipped_h100();
  const Inventory inventory = h100_nodes("cn[01-24]");
  const auto fitted = fitted_runs({&shipped, &inventory, 0, {}}, built_layout());
  REQUIRE(fitted.has_value());
  CHECK(fitted->nodes == 24);
  CHECK_FALSE(fitted->screening);
  CHECK_FALSE(fitted->same_system);
  CHECK(scales(*fitted, "hpl") == std::vector<std::vector<int>>{{2, 4, 8, 12, 16}, {24}});
  CHECK(scales(*fitted, "io500") == std::vector<std::vector<int>>{{10}, {24}});
  CHECK(fitted->runs.front().run.each_node);
  for (const FittedRun& each : fitted->runs) CHECK(each.run.pins.empty());
}

TEST_CASE("a benchmark that needs more GPUs than there are is left out with its reason") {
  const Acceptance shipped = shipped_h100();
  const Inventory inventory = h100_nodes("cn[1-2]");
  const auto fitted = fitted_runs({&shipped, &inventory, 0, {"mlperf"}}, built_layout());
  REQUIRE(fitted.has_value());
  REQUIRE(fitted->left_out.size() == 1);
  CHECK(fitted->left_out.front().find("mlperf gpt3: ") == 0);
  CHECK(scales(*fitted, "mlperf") == std::vector<std::vector<int>>{{2}});
}

TEST_CASE("on one node a run of all nodes stands for the run of each") {
  const Acceptance shipped = shipped_h100();
  const Inventory inventory = h100_nodes("cn1");
  const auto fitted = fitted_runs({&shipped, &inventory, 0, {"hpl"}}, built_layout());
  REQUIRE(fitted.has_value());
  CHECK(scales(*fitted, "hpl") == std::vector<std::vector<int>>{{1}});
  CHECK(fitted->runs.size() == 1);
}

TEST_CASE("runs of all nodes have as many as the plan recommends, and say why") {
  struct Row {
    const char* hosts;
    std::vector<int> hpl, hpcg, mxp, io500;
  };
  for (const Row& row :
       {Row{"cn[001-096]", {96}, {96}, {96}, {96}}, Row{"cn[001-097]", {96}, {96}, {96}, {97}},
        Row{"cn[001-013]", {13}, {13}, {13}, {13}}}) {
    INFO(row.hosts);
    const Acceptance shipped = shipped_h100();
    const Inventory inventory = h100_nodes(row.hosts);
    const auto fitted = fitted_runs({&shipped, &inventory, 0, {}}, built_layout());
    REQUIRE(fitted.has_value());
    CHECK(scales(*fitted, "hpl").back() == row.hpl);
    CHECK(scales(*fitted, "hpcg").back() == row.hpcg);
    CHECK(scales(*fitted, "hpl-mxp").back() == row.mxp);
    CHECK(scales(*fitted, "io500").back() == row.io500);
    for (const FittedRun& each : fitted->runs)
      if (each.run.suite == "hpl" && each.run.nodes == row.hpl)
        CHECK(each.because ==
              (row.hpl == row.io500 ? "" : "the grid 8 x 97 is long and slow; better: 96 nodes: 24 x 32"));
  }
}

TEST_CASE("a run keeps its nodes where those that the plan recommends are refused") {
  const Acceptance shipped = shipped_h100();
  Inventory inventory = h100_nodes("cn[1-7]");
  NodeGroup& node = inventory.groups.front();
  node.gpus.clear();
  node.cpu.sockets = node.cpu.numa_nodes = node.cpu.cores = node.usable.cores = 1;
  node.cpu.vector_extension.clear();
  // One block of 8 x 8 numbers fits 80 % of the memory of seven nodes, and not of six.
  node.memory_bytes = node.usable.memory_bytes = node.usable.available_bytes = 100;
  const auto fitted = fitted_runs({&shipped, &inventory, 0, {"hpl"}}, built_layout());
  REQUIRE(fitted.has_value());
  CHECK(scales(*fitted, "hpl") == std::vector<std::vector<int>>{{7}});
  CHECK(fitted->runs.front().because.empty());
  CHECK(mentions(fitted->runs.front().cases.front().warnings, "better: 6 nodes: 2 x 3"));
}

TEST_CASE("nodes without GPUs get the official programs at the size of a contract") {
  struct Row {
    const char* vendor;
    const char* hpl;
  };
  for (const Row& row : {Row{"AuthenticAMD", "netlib"}, Row{"GenuineIntel", "intel"}, Row{"", "netlib"}}) {
    INFO(row.vendor);
    const Acceptance shipped = shipped_h100();
    Inventory inventory = h100_nodes("cn[1-4]");
    inventory.groups.front().gpus.clear();
    inventory.groups.front().cpu.vendor = row.vendor;
    const auto fitted = fitted_runs({&shipped, &inventory, 0, {}}, built_layout());
    REQUIRE(fitted.has_value());
    CHECK_FALSE(fitted->screening);
    for (const FittedRun& each : fitted->runs) {
      CHECK(each.run.implementation == (each.run.suite == "hpl" ? row.hpl : "official"));
      CHECK(each.run.minutes == 0);
      // 80 % of the memory: netlib's FAQ and Intel's guide.
      for (const Case& planned : each.cases)
        if (each.run.suite == "hpl") {
          const double N = value_number(*find_parameter(planned.parameters, "N"));
          const auto memory =
              static_cast<double>(inventory.groups.front().usable.memory_bytes) * planned.nodes;
          CHECK(8 * N * N / memory == Approx(0.8).epsilon(0.01));
        }
    }
    CHECK(scales(*fitted, "hpl").back() == std::vector<int>{4});
    CHECK(scales(*fitted, "hpcg") == std::vector<std::vector<int>>{{4}});
    REQUIRE_FALSE(fitted->left_out.empty());
    CHECK(fitted->left_out.front() ==
          "hpl-mxp: no program for nodes without GPUs but the kernel 'reference', whose results are no "
          "official "
          "ones");
  }
}

TEST_CASE("of a mixed cluster the kind with the highest peak is fitted, or that of the named hosts") {
  const Acceptance shipped = shipped_h100();
  Inventory inventory = h100_nodes("g[1-4]");
  inventory.groups.push_back(inventory.groups.front());
  inventory.groups.back().name = "cpu";
  inventory.groups.back().hosts = "c[1-9]";
  inventory.groups.back().gpus.clear();
  const auto gpus = fitted_runs({&shipped, &inventory, 0, {"hpl"}}, built_layout());
  REQUIRE(gpus.has_value());
  CHECK(gpus->nodes == 4);
  CHECK(gpus->other_kinds == std::vector<std::string>{"c[1-9]"});
  CHECK(gpus->kind_because == "of the highest FP64 peak");
  for (const FittedRun& each : gpus->runs) CHECK(each.run.hosts == "g[1-4]");
  const auto named = fitted_runs({&shipped, &inventory, 0, {"hpl"}, "c[1-5]"}, built_layout());
  REQUIRE(named.has_value());
  CHECK(named->nodes == 5);
  for (const FittedRun& each : named->runs) CHECK(each.run.hosts == "c[1-5]");
  const auto both = fitted_runs({&shipped, &inventory, 0, {"hpl"}, "g1,c1"}, built_layout());
  REQUIRE_FALSE(both.has_value());
  CHECK(both.error().what == "g1,c1 are of several kinds: g1; c1");
}

TEST_CASE("what has to run at once gets the reference kernels and short runs") {
  const Acceptance shipped = shipped_h100();
  Inventory inventory = h100_nodes("cn[1-4]");
  inventory.groups.front().gpus.clear();
  const auto fitted = fitted_runs({&shipped, &inventory, 0, {"hpl", "hpcg"}, "", true}, built_layout());
  REQUIRE(fitted.has_value());
  CHECK(fitted->screening);
  for (const FittedRun& each : fitted->runs) {
    CHECK(each.run.implementation == "reference");
    CHECK(each.run.minutes > 0);
    CHECK(each.run.repetitions == 1);
  }
}

TEST_CASE("more nodes than there are, and suites that are not shipped, are refused") {
  const Acceptance shipped = shipped_h100();
  const Inventory inventory = h100_nodes("cn[1-4]");
  const auto many = fitted_runs({&shipped, &inventory, 5, {}}, built_layout());
  REQUIRE_FALSE(many.has_value());
  CHECK(many.error().what == "5 nodes asked for, and mine has 4");
  const auto unknown = fitted_runs({&shipped, &inventory, 0, {"hlp"}}, built_layout());
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().what == "no suite 'hlp' (did you mean 'hpl'?)");
}
