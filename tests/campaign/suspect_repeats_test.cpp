#include "orchestrator/campaign/more_runs.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

NodeScreen screen_of(const std::string& metric) {
  NodeScreen screen;
  screen.suite = "gemm";
  screen.implementation = "reference";
  screen.metric = metric;
  screen.nodes = {{.node = "cn1", .case_id = "gemm-cn1", .value = 10, .expected = 10},
                  {.node = "cn2", .case_id = "gemm-cn2", .value = 8, .expected = 10}};
  screen.nodes[1].finding = NodeFinding::suspect;
  return screen;
}

CaseRecord repeat(const std::string& node) {
  CaseRecord record;
  record.planned.id = "gemm-" + node + "-r2";
  record.planned.suite = "gemm";
  record.planned.implementation = "reference";
  record.planned.hosts = node;
  record.planned.confirms = true;
  return record;
}

}  // namespace

TEST_CASE("a suspect's case is run three times more on its node, once for all its metrics") {
  const auto more = suspect_repeats({}, {screen_of("fp64_gflops"), screen_of("fp32_gflops")});
  REQUIRE(more.size() == 1);
  CHECK(more[0].case_id == "gemm-cn2");
  CHECK(more[0].confirms == "cn2");
  CHECK(more[0].count == 3);
}

TEST_CASE(
    "repeats that wait are not planned again, those of another node or that can't be run are no reason") {
  CampaignRecord campaign;
  campaign.cases = {repeat("cn1")};
  CHECK(suspect_repeats(campaign, {screen_of("fp64_gflops")}).size() == 1);
  campaign.cases = {repeat("cn2")};
  CHECK(suspect_repeats(campaign, {screen_of("fp64_gflops")}).empty());
  campaign.cases[0].not_run = "the node was down";
  CHECK(suspect_repeats(campaign, {screen_of("fp64_gflops")}).size() == 1);
}

TEST_CASE("nodes that are sound, confirmed or cleared are not repeated") {
  NodeScreen screen = screen_of("fp64_gflops");
  for (const NodeFinding finding : {NodeFinding::sound, NodeFinding::confirmed, NodeFinding::cleared}) {
    screen.nodes[1].finding = finding;
    CHECK(suspect_repeats({}, {screen}).empty());
  }
}
