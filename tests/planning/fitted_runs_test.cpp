#include "orchestrator/planning/fitted_runs.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/inventory/inventory.hpp"

using namespace shakedown;

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

TEST_CASE("nodes without a vendor's GPUs get the reference kernels and short runs") {
  const Acceptance shipped = shipped_h100();
  Inventory inventory = h100_nodes("cn[1-4]");
  inventory.groups.front().gpus.clear();
  const auto fitted = fitted_runs({&shipped, &inventory, 0, {"hpl", "hpcg"}}, built_layout());
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
