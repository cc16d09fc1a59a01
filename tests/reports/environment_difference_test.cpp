#include "reports/compare/environment_difference.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/cpu_time.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

CampaignRecord environment_difference_campaign() {
  CampaignRecord record = fixture::quick_campaign();
  record.inventory.groups[0].hosts = "n[1-2]";
  record.environment = {{"n1", "kernel", "6.1"},
                        {"n2", "kernel", "6.1"},
                        {"n1", "sha256 libmpi.so", "aa"},
                        {"n1", "environment SLURM_JOB_ID", "7"}};
  return record;
}

std::vector<EnvironmentDifference> of(const CampaignRecord& after) {
  return environment_differences(environment_difference_campaign(), after);
}

}  // namespace

TEST_CASE("the same environment has no differences, whatever batch job it was") {
  CampaignRecord after = environment_difference_campaign();
  after.environment.back().value = "8";
  CHECK(of(after).empty());
}

TEST_CASE("what was noted on nodes is reported with the nodes that share a change") {
  CampaignRecord after = environment_difference_campaign();
  after.environment[0].value = after.environment[1].value = "6.2";
  after.environment[2].value = "bb";
  CHECK(of(after) == std::vector<EnvironmentDifference>{{"kernel", "6.1", "6.2", "n[1-2]"},
                                                        {"sha256 libmpi.so", "aa", "bb", "n1"}});
}

TEST_CASE("a node that only one campaign had says nothing of a change") {
  CampaignRecord after = environment_difference_campaign();
  after.environment.push_back({"n3", "kernel", "6.2"});
  CHECK(of(after).empty());
}

TEST_CASE("inventory, nodes, executables, containers and versions are set against each other") {
  CampaignRecord before = environment_difference_campaign();
  CampaignRecord after = environment_difference_campaign();
  after.inventory.groups[0].software.gpu_driver = "575.1";
  before.inventory.groups[0].software.gpu_driver = "570.1";
  for (auto* side : {&before, &after}) {
    AttemptRecord& attempt = fixture::hpl(*side).attempts[0];
    const bool fresh = side == &after;
    attempt.hosts = fresh ? "n2" : "n1";
    attempt.program = "/opt/xhpl";
    attempt.program_sha256 = fresh ? "bb" : "aa";
    attempt.results[0].parsed.version = fresh ? "2.4" : "2.3";
    fixture::hpl(*side).planned.container = {"apptainer", "hpl.sif", fresh ? "sha256:2" : "sha256:1", {}};
    side->tool_version = fresh ? "0.2.0" : "0.1.0";
  }
  const auto found = environment_differences(before, after);
  const auto has = [&](const EnvironmentDifference& wanted) {
    return std::ranges::find(found, wanted) != found.end();
  };
  CHECK(has({"GPU driver", "570.1", "575.1", "n[1-2]"}));
  CHECK(has({"executable of hpl/reference", "/opt/xhpl aa", "/opt/xhpl bb", ""}));
  CHECK(has({"container of hpl/reference", "hpl.sif sha256:1", "hpl.sif sha256:2", ""}));
  CHECK(has({"version of hpl/reference", "2.3", "2.4", ""}));
  CHECK(has({"shakedown", "0.1.0", "0.2.0", ""}));
  CHECK(std::ranges::find(found, "nodes", &EnvironmentDifference::what) != found.end());
}

TEST_CASE("what others had of the CPUs is reported where it shows") {
  CampaignRecord before = environment_difference_campaign();
  CampaignRecord after = environment_difference_campaign();
  for (CampaignRecord* side : {&before, &after})
    for (CaseRecord& record : side->cases)
      for (AttemptRecord& attempt : record.attempts)
        attempt.conditions = Conditions{2, 0.001, 0.02, 1.9, 0.1};
  CHECK(environment_differences(before, after).empty());
  for (CaseRecord& record : after.cases)
    for (AttemptRecord& attempt : record.attempts) attempt.conditions = Conditions{2, 0.034, 0.9, 1.9, 0.1};
  CHECK(environment_differences(before, after) ==
        std::vector<EnvironmentDifference>{{"CPUs busy with other processes", "0.0", "0.9", ""},
                                           {"CPU time that the hypervisor took", "0 %", "3 %", ""}});
}

TEST_CASE("firmware, drivers and settings that attempts read are set against each other") {
  CampaignRecord before = environment_difference_campaign();
  CampaignRecord after = environment_difference_campaign();
  const auto read = [](CampaignRecord& side, const std::string& node, const std::string& watts,
                       const std::string& firmware) {
    AttemptRecord& attempt = fixture::hpl(side).attempts[0];
    attempt.nodes.push_back({node,
                             0,
                             0,
                             {{"gpu0", "power_limit_w", watts, watts},
                              {"mlx5_0", "nic_firmware", firmware},
                              {"", "governor", "performance"},
                              {"gpu0", "gpu_temperature_c", watts}},
                             {}});
  };
  for (const char* node : {"n1", "n2"}) {
    read(before, node, "700", "28.39");
    read(after, node, "400", std::string(node) == "n2" ? "28.41" : "28.39");
  }
  fixture::hpl(after).attempts[0].nodes[0].readings[2].before = "powersave";
  fixture::hpl(before).attempts[0].nodes[0].readings.push_back(
      {"gpu0", "vbios", "96.00"});  // read there only
  CHECK(environment_differences(before, after) ==
        std::vector<EnvironmentDifference>{{"gpu0 power_limit_w", "700", "400", "n[1-2]"},
                                           {"mlx5_0 nic_firmware", "28.39", "28.41", "n2"},
                                           {"node's governor", "performance", "powersave", "n1"}});
}

TEST_CASE("what the inventory gives, too, is reported once") {
  CampaignRecord before = environment_difference_campaign();
  CampaignRecord after = environment_difference_campaign();
  after.inventory.groups[0].software.gpu_driver = "575.1";
  before.inventory.groups[0].software.gpu_driver = "570.1";
  for (auto* side : {&before, &after})
    for (const char* node : {"n1", "n2"})
      fixture::hpl(*side).attempts[0].nodes.push_back(
          {node, 0, 0, {{"", "driver", side == &after ? "575.1" : "570.1"}}, {}});
  CHECK(environment_differences(before, after) ==
        std::vector<EnvironmentDifference>{{"GPU driver", "570.1", "575.1", "n[1-2]"}});
}

TEST_CASE("a setting that moved within a campaign is reported with all its values") {
  CampaignRecord before = environment_difference_campaign();
  CampaignRecord after = environment_difference_campaign();
  fixture::hpl(before).attempts[0].nodes = {{"n1", 0, 0, {{"", "turbo", "on", "on"}}, {}}};
  fixture::hpl(after).attempts[0].nodes = {{"n1", 0, 0, {{"", "turbo", "on", "off"}}, {}}};
  CHECK(environment_differences(before, after) ==
        std::vector<EnvironmentDifference>{{"node's turbo", "on", "off, on", "n1"}});
}

TEST_CASE("what the differences are of is said, and what one side does not tell") {
  CampaignRecord before = environment_difference_campaign();
  CampaignRecord after = environment_difference_campaign();
  const auto known = environment_known(before, after);
  const auto has = [](const std::vector<std::string>& list, const std::string& what) {
    return std::ranges::find(list, what) != list.end();
  };
  CHECK(has(known.on_both_sides, "inventory"));
  CHECK(has(known.on_both_sides, "software and variables of 2 nodes"));
  CHECK(has(known.unknown, "firmware, drivers and settings"));
  for (CampaignRecord* side : {&before, &after})
    fixture::hpl(*side).attempts[0].nodes = {{"n1", 0, 0, {{"", "turbo", "on", "on"}}, {}}};
  CHECK(has(environment_known(before, after).on_both_sides, "firmware, drivers and settings of 1 node"));
  after.inventory.groups.clear();
  CHECK(has(environment_known(before, after).unknown, "inventory"));
}

TEST_CASE("a thousand nodes with fifty facts each are set against each other in a second") {
  CampaignRecord before = environment_difference_campaign();
  before.environment.clear();
  for (int node = 0; node < 1000; ++node)
    for (int fact = 0; fact < 50; ++fact)
      before.environment.push_back({fmt::format("n{}", node), fmt::format("fact {}", fact), "a"});
  CampaignRecord after = before;
  after.environment.back().value = "b";
  const CpuTime took;
  CHECK(environment_differences(before, after).size() == 1);
  CHECK(took.seconds() < 1);
}
