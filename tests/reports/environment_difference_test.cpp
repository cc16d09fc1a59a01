#include "reports/environment_difference.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

CampaignRecord campaign() {
  CampaignRecord record = fixture::quick_campaign();
  record.inventory.groups[0].hosts = "n[1-2]";
  record.environment = {{"n1", "kernel", "6.1"},
                        {"n2", "kernel", "6.1"},
                        {"n1", "sha256 libmpi.so", "aa"},
                        {"n1", "environment SLURM_JOB_ID", "7"}};
  return record;
}

std::vector<EnvironmentDifference> of(const CampaignRecord& after) {
  return environment_differences(campaign(), after);
}

}  // namespace

TEST_CASE("the same environment has no differences, whatever batch job it was") {
  CampaignRecord after = campaign();
  after.environment.back().value = "8";
  CHECK(of(after).empty());
}

TEST_CASE("what was noted on nodes is told with the nodes that share a change") {
  CampaignRecord after = campaign();
  after.environment[0].value = after.environment[1].value = "6.2";
  after.environment[2].value = "bb";
  CHECK(of(after) == std::vector<EnvironmentDifference>{{"kernel", "6.1", "6.2", "n[1-2]"},
                                                        {"sha256 libmpi.so", "aa", "bb", "n1"}});
}

TEST_CASE("a node that only one campaign had says nothing of a change") {
  CampaignRecord after = campaign();
  after.environment.push_back({"n3", "kernel", "6.2"});
  CHECK(of(after).empty());
}

TEST_CASE("inventory, nodes, executables, containers and versions are set against each other") {
  CampaignRecord before = campaign();
  CampaignRecord after = campaign();
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

TEST_CASE("what others had of the CPUs is told where it shows") {
  CampaignRecord before = campaign();
  CampaignRecord after = campaign();
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
