// A case's time limit: the container's start, a multiple of the longest prediction, at least the
// implementation's floor.
#include <catch2/catch.hpp>

#include <algorithm>

#include "orchestrator/inventory/named_inventory.hpp"
#include "orchestrator/planning/derivation.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "tests/suites/gpu_nodes.hpp"

using namespace shakedown;

namespace {

/// NVIDIA's HPL on so many nodes of SAKURAONE, in a container or with the program installed on the nodes.
Case hpl_on(int nodes, const std::string& container_runtime) {
  const Layout layout{fs::path(BUILD_FOLDER "/bin/shakedown"), fs::path(BUILD_FOLDER "/libexec/shakedown"),
                      fs::path(BUILD_FOLDER "/share/shakedown")};
  PlanOptions options;
  options.inventory = "sakuraone";
  options.suites = {"hpl"};
  options.nodes = nodes;
  Acceptance acceptance;
  acceptance.site.container_runtime = container_runtime;
  const auto inventory = chosen_inventory(options, acceptance, layout);
  REQUIRE(inventory);
  const auto plan = derived_plan(options, acceptance, *inventory, layout);
  if (!plan) FAIL(to_string(plan.error()));
  const auto hpl = std::ranges::find(plan->cases, std::string("hpl"), &Case::suite);
  REQUIRE(hpl != plan->cases.end());
  return *hpl;
}

double longest(const Case& planned) {
  const Prediction* wall = find_prediction(planned, "wall_time_s");
  return wall == nullptr ? 0 : wall->high;
}

std::string because(const Case& planned) {
  const auto reason = std::ranges::find(planned.why, std::string("time_limit_s"), &Reason::what);
  return reason == planned.why.end() ? "" : reason->because;
}

}  // namespace

TEST_CASE("a limit has the container's start beside three times the longest prediction") {
  constexpr double start_s = 180;  // suites/hpl/nvidia.toml, container_start_s
  const Case large = hpl_on(98, "apptainer");
  CHECK(large.time_limit_s > start_s + 3 * (longest(large) - start_s));
  CHECK(because(large).find("3m 00s more for the container's start") != std::string::npos);
  const Case bare = hpl_on(98, "none");
  CHECK(bare.time_limit_s == large.time_limit_s - start_s);
  CHECK(longest(bare) == Approx(longest(large) - start_s));
}

TEST_CASE("no limit is below the floor that the implementation states, in a container or without") {
  constexpr double least_s = 600;  // suites/hpl/nvidia.toml, least_limit_s
  const Case contained = hpl_on(1, "apptainer");
  const Case bare = hpl_on(1, "none");
  CHECK(3 * longest(bare) + 60 < least_s);
  CHECK(contained.time_limit_s == least_s);
  CHECK(bare.time_limit_s == least_s);
  CHECK(because(bare).find("; at least 10m 00s: three times the container's start") != std::string::npos);
}

namespace {

/// The first case of an implementation on as many nodes as its smallest sensible run has, its program in an
/// image.
Case contained_case(const Implementation& implementation, const Layout& layout) {
  const std::string benchmark = implementation.benchmark.empty() ? "" : "-" + implementation.benchmark;
  const std::string name = fmt::format("{}/{}{}", implementation.suite, implementation.id, benchmark);
  Acceptance acceptance;
  SiteProgram& program = acceptance.site.programs.emplace_back();
  program.implementation = name;
  program.image = "/images/one.sif";
  AcceptanceRun run;
  run.suite = implementation.suite;
  run.implementation = implementation.id;
  run.benchmark = implementation.benchmark;
  run.place = "runs";
  std::string refused;
  for (const int nodes : {32, 1}) {  // tools of one node refuse 32
    run.nodes = {nodes};
    acceptance.runs = {run};
    Inventory inventory;
    inventory.groups = {implementation.requires_gpu == "amd"  ? tests::mi300x_nodes(32)
                        : implementation.requires_gpu.empty() ? tests::cpu_nodes(32)
                                                              : tests::sakuraone_nodes(32)};
    PlanOptions options;
    options.inventory = "given";
    const auto plan = derived_plan(options, acceptance, inventory, layout);
    if (plan) {
      const auto found = std::ranges::find(plan->cases, implementation.suite, &Case::suite);
      if (found != plan->cases.end()) return *found;
    } else {
      refused = to_string(plan.error());
    }
  }
  throw std::runtime_error(name + ": " + refused);
}

}  // namespace

TEST_CASE("each program that a site may have in an image has its start and its floor, each with a source") {
  const Layout layout{fs::path(BUILD_FOLDER "/bin/shakedown"), fs::path(BUILD_FOLDER "/libexec/shakedown"),
                      fs::path(BUILD_FOLDER "/share/shakedown")};
  const auto all = read_implementations(fs::path(BUILD_FOLDER "/share/shakedown/implementations"));
  REQUIRE(all);
  int contained = 0;
  for (const Implementation& each : *all) {
    if (each.program.starts_with("{libexec}")) continue;  // shakedown's own lie in no image
    CAPTURE(each.suite, each.id, each.benchmark);
    const double start_s = each.tuned("container_start_s", 0);
    const double least_s = each.tuned("least_limit_s", 0);
    CHECK(start_s > 0);
    CHECK(least_s >= 3 * start_s);
    CHECK_FALSE(each.tuned_text("container_start_source").empty());
    CHECK_FALSE(each.tuned_text("least_limit_source").empty());
    const Case planned = contained_case(each, layout);
    REQUIRE(planned.container.runtime == "apptainer");
    CHECK(planned.time_limit_s >= least_s);
    CHECK(planned.time_limit_s > longest(planned));  // which has the start
    CHECK(because(planned).find("more for the container's start (" +
                                each.tuned_text("container_start_source")) != std::string::npos);
    CHECK(because(planned).find("(" + each.tuned_text("least_limit_source")) != std::string::npos);
    ++contained;
  }
  CHECK(contained > 30);
}
