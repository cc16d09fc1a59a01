#include "orchestrator/campaign/node_declaration.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

CampaignRecord seen(std::vector<EnvironmentRecord> facts, std::vector<NodeReading> readings = {}) {
  CampaignRecord campaign;
  NodeGroup group;
  group.name = "nodes";
  group.hosts = "cn[1-2]";
  campaign.inventory.groups = {group};
  campaign.environment = std::move(facts);
  CaseRecord record;
  AttemptRecord attempt;
  NodeState state;
  state.node = "cn1";
  state.readings = std::move(readings);
  attempt.nodes.push_back(state);
  record.attempts.push_back(attempt);
  campaign.cases.push_back(record);
  return campaign;
}

}  // namespace

TEST_CASE("a node's other kernel, program or driver is a change") {
  CHECK(
      node_changes(
          seen({{"cn1", "kernel", "6.1"}, {"cn1", "sha256 /usr/bin/xhpl", "a"}}, {{"gpu0", "driver", "535"}}),
          seen({{"cn1", "kernel", "6.2"}, {"cn1", "sha256 /usr/bin/xhpl", "b"}}, {{"gpu0", "driver", "550"}}),
          "cn1") == std::vector<std::string>{"gpu0 driver: 535 -> 550", "kernel: 6.1 -> 6.2",
                                             "sha256 /usr/bin/xhpl: a -> b"});
}

TEST_CASE("settings, a job's variables, other nodes and what only one side records are none") {
  CHECK(node_changes(seen({{"cn1", "environment OMP_NUM_THREADS", "1"}, {"cn2", "kernel", "6.1"}},
                          {{"gpu0", "power_limit_w", "700"}, {"", "governor", "performance"}}),
                     seen({{"cn1", "environment OMP_NUM_THREADS", "2"},
                           {"cn2", "kernel", "6.2"},
                           {"cn1", "version srun", "22.05"}},
                          {{"gpu0", "power_limit_w", "500"}, {"", "governor", "powersave"}}),
                     "cn1")
            .empty());
}

TEST_CASE("hardware is compared by the inventory") {
  CampaignRecord before = seen({});
  CampaignRecord after = seen({});
  after.inventory.groups.front().cpu.model = "EPYC 9654";
  CHECK_FALSE(node_changes(before, after, "cn1").empty());
  CHECK(node_changes(before, after, "cn9").empty());
}

TEST_CASE("another fabric or storage is a change of every node") {
  CampaignRecord before = seen({});
  CampaignRecord after = seen({});
  before.inventory.storage.emplace_back().name = "scratch";
  CHECK(node_changes(before, after, "cn1") == std::vector<std::string>{"storage scratch: there -> none"});
  CHECK(node_changes(before, after, "cn2") == node_changes(before, after, "cn1"));
}

namespace {

/// HPL by a program that lies there, of that hash.
CampaignRecord run_by(const std::string& program, const std::string& hash) {
  CampaignRecord campaign = seen({{"cn1", "sha256 " + program, hash}});
  Case& planned = campaign.cases.front().planned;
  planned.suite = "hpl";
  planned.implementation = "reference";
  planned.program = program;
  return campaign;
}

}  // namespace

TEST_CASE("a program is another one by what it is, not by where it lies") {
  CHECK(node_changes(run_by("/opt/hpl-2.2/xhpl", "a"), run_by("/opt/hpl-2.3/xhpl", "b"), "cn1") ==
        std::vector<std::string>{
            "program of hpl/reference: sha256 /opt/hpl-2.2/xhpl a -> sha256 /opt/hpl-2.3/xhpl b"});
  CHECK(node_changes(run_by("/opt/hpl-2.3/xhpl", "a"), run_by("/srv/hpl/xhpl", "a"), "cn1").empty());
  CHECK(node_changes(run_by("/opt/xhpl", "a"), run_by("/opt/xhpl", "b"), "cn1") ==
        std::vector<std::string>{"sha256 /opt/xhpl: a -> b"});
}
