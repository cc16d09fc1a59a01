#include "parsers/rules/conditions.hpp"

#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

/// A valid run on two nodes with equal records, to be made different.
struct ConditionsScene {
  ParsedResult result = logs::parsed(logs::fixture("hpl/grammar/netlib-passed.out")).front();
  Case planned;
  Inventory inventory;
  std::vector<NodeState> states;
  std::vector<std::string> hosts = {"cn001", "cn002"};
  std::vector<ExpectedSetting> settings;

  ConditionsScene() {
    planned.nodes = 2;
    planned.ranks = 2;
    planned.hosts = "cn[001-002]";
    planned.parameters = {{"N", std::int64_t{1500}},
                          {"NB", std::int64_t{64}},
                          {"P", std::int64_t{1}},
                          {"Q", std::int64_t{2}},
                          {"PMAP", std::string("row")}};
    NodeGroup group;
    group.hosts = planned.hosts;
    inventory.groups = {group};
    for (const std::string& host : hosts) {
      NodeState state;
      state.node = host;
      state.readings = {{"", "governor", "performance", "performance"},
                        {"gpu0", "ecc", "on", "on"},
                        {"gpu0", "power_limit_w", "700", "700"},
                        {"gpu0", "gpu_clock_now_mhz", host == "cn001" ? "345" : "1980", "400"},
                        {"gpu0", "gpu_processes", "0", "0"},
                        {"gpu1", "power_limit_w", "700", "700"},
                        {"mlx5_0", "nic_firmware", "28.39.1002", "28.39.1002"},
                        {"mlx5_8", "nic_firmware", "26.1", "26.1"}};
      state.other_processes.emplace();
      states.push_back(state);
    }
  }

  [[nodiscard]] Judged judged() const {
    const NodeEvidence nodes{states, hosts, settings};
    Evidence evidence;
    evidence.result = &result;
    evidence.planned = &planned;
    evidence.inventory = &inventory;
    evidence.nodes = &nodes;
    return shakedown::judged(evidence);
  }
  [[nodiscard]] RuleResult rule(std::string_view id) const {
    for (RuleResult& each : judged().rules)
      if (each.id == id) return each;
    FAIL("no rule " << id);
    return {};
  }
  void put(std::size_t node, std::size_t reading, const std::string& before, const std::string& after) {
    states[node].readings[reading].before = before;
    states[node].readings[reading].after = after;
  }
};

}  // namespace

TEST_CASE("nodes that say the same and as delivered hold every rule of their conditions") {
  ConditionsScene scene;
  scene.settings = {{"governor", "performance"}, {"ecc", "on"}, {"power_limit_w", "700"}};
  for (const char* id : {"COND-01", "COND-02", "COND-03", "COND-04"}) {
    INFO(id << " " << scene.rule(id).text);
    CHECK(scene.rule(id).status == RuleStatus::pass);
  }
  CHECK(scene.rule("COND-02").value == "3 settings on 2 nodes");
}

TEST_CASE("ECC that is off is advice, and spoils the result where it was delivered on") {
  ConditionsScene scene;
  scene.put(1, 1, "off", "off");
  CHECK(scene.rule("COND-01").status == RuleStatus::fail);
  CHECK(scene.rule("COND-01").severity == Severity::warning);
  CHECK(scene.rule("COND-01").text == "ECC is off: cn002 gpu0");
  CHECK(scene.judged().validity == Validity::valid);
  scene.settings = {{"ecc", "on"}};
  CHECK(scene.rule("COND-01").severity == Severity::validity);
  CHECK(scene.rule("COND-02").text == "cn002 gpu0: ecc is off, not on");
  CHECK(scene.judged().validity == Validity::invalid);
  scene.settings = {{"ecc", "off"}};
  CHECK(scene.rule("COND-01").status == RuleStatus::pass);
  CHECK(scene.rule("COND-02").text.find("cn001 gpu0: ecc is on, not off") == 0);
}

TEST_CASE("a setting that differs from what was delivered names node, device and both values") {
  ConditionsScene scene;
  scene.settings = {{"power_limit_w", "700"}};
  scene.put(1, 5, "700", "500");
  CHECK(scene.rule("COND-02").status == RuleStatus::fail);
  CHECK(scene.rule("COND-02").text == "cn002 gpu1: power_limit_w is 500, not 700");
  CHECK(scene.judged().validity == Validity::invalid);
}

TEST_CASE("a setting that could not be read is not known to be as delivered") {
  ConditionsScene scene;
  scene.settings = {{"persistence", "on"}};
  CHECK(scene.rule("COND-02").status == RuleStatus::unknown);
  CHECK(scene.rule("COND-02").text == "could not be read: cn001: persistence; cn002: persistence");
  CHECK(scene.judged().validity == Validity::unknown);
  scene.settings.clear();
  CHECK(scene.rule("COND-02").status == RuleStatus::not_applicable);
  CHECK(scene.judged().validity == Validity::valid);
}

TEST_CASE("a device that fell silent during the run, or never spoke, leaves its settings open") {
  ConditionsScene scene;
  scene.settings = {{"ecc", "on"}, {"power_limit_w", "700"}};
  CHECK(scene.judged().validity == Validity::valid);
  SECTION("no look after the run") {
    scene.states[1].readings[5].after.reset();
    CHECK(scene.rule("COND-02").text ==
          "could not be read: cn002 gpu1: power_limit_w was not read after the run");
    CHECK(scene.rule("COND-03").status == RuleStatus::unknown);
    CHECK(scene.judged().validity == Validity::unknown);
  }
  SECTION("what differs is reported nevertheless") {
    scene.states[1].readings[5].after.reset();
    scene.put(0, 2, "500", "500");
    CHECK(scene.rule("COND-02").status == RuleStatus::fail);
  }
  SECTION("fewer GPUs than the inventory has") {
    scene.inventory.groups[0].gpus.resize(2);
    CHECK(scene.rule("COND-01").text ==
          "could not be read: cn001: ecc of 1 of 2 GPUs; cn002: ecc of 1 of 2 GPUs");
    CHECK(scene.rule("COND-02").status == RuleStatus::unknown);
    CHECK(scene.judged().validity == Validity::unknown);
  }
}

TEST_CASE("what is set otherwise on one node is named; clocks of the moment and unlike adapters are not") {
  ConditionsScene scene;
  CHECK(scene.rule("COND-03").value == "5 settings on 2 nodes");
  scene.put(1, 0, "powersave", "powersave");
  scene.states.push_back(scene.states[0]);
  scene.states.back().node = "cn003";
  CHECK(scene.rule("COND-03").status == RuleStatus::fail);
  CHECK(scene.rule("COND-03").severity == Severity::warning);
  CHECK(scene.rule("COND-03").text == "cn002: governor is powersave, elsewhere performance");
}

TEST_CASE("other_processes are named with their job, on processors and on GPUs") {
  ConditionsScene scene;
  scene.states[0].other_processes->push_back({4711, 1001, "python3", "88", 0.987});
  CHECK(scene.rule("COND-04").status == RuleStatus::fail);
  CHECK(scene.rule("COND-04").text == "cn001: python3 (pid 4711, uid 1001, job 88) kept 0.987 cores busy");
  CHECK(scene.rule("COND-04").value == "1 process of uid 1001 seen");
  scene.states[0].other_processes->push_back({4712, 0, "cron", "", 0.1});
  CHECK(scene.rule("COND-04").value == "2 processes of uid 0, 1001 seen");
  scene.states[0].other_processes->clear();
  scene.put(1, 4, "3", "0");
  CHECK(scene.rule("COND-04").text == "cn002 gpu0: 3 other processes computed on it");
  CHECK(scene.rule("COND-04").value == "other programs on 1 GPU");
  scene.states[1].readings.push_back({"gpu0", "gpu_programs", "python3 (pid 5), vllm (pid 6)", std::nullopt});
  scene.put(1, 4, "2", "0");
  CHECK(scene.rule("COND-04").text ==
        "cn002 gpu0: 2 other processes, python3 (pid 5), vllm (pid 6) computed on it");
}

TEST_CASE("heat that held a GPU's clocks down during the run is a warning, what it did before is none") {
  ConditionsScene scene;
  CHECK(scene.rule("COND-05").status == RuleStatus::not_applicable);
  scene.states[0].readings.push_back({"gpu0", "heat_held_s", "12.500", "12.500"});
  scene.states[0].readings.push_back({"gpu0", "power_held_s", "2.000", "31.250"});
  CHECK(scene.rule("COND-05").status == RuleStatus::pass);
  CHECK(scene.rule("COND-05").value == "1 GPU; the power limit held clocks down for 29.2 s at most");
  scene.states[1].readings.push_back({"gpu1", "heat_held_s", "0.500", "3.000"});
  CHECK(scene.rule("COND-05").status == RuleStatus::fail);
  CHECK(scene.rule("COND-05").severity == Severity::warning);
  CHECK(scene.rule("COND-05").text == "heat held the clocks down: cn002 gpu1: for 2.50 s");
  scene.states[1].readings.back().after.reset();
  CHECK(scene.rule("COND-05").status == RuleStatus::unknown);
}

TEST_CASE("nodes that reported nothing make the rules unknown, never held") {
  ConditionsScene scene;
  scene.settings = {{"governor", "performance"}};
  const auto all_unknown = [&] {
    for (const char* id : {"COND-01", "COND-02", "COND-03", "COND-04"})
      if (scene.rule(id).status != RuleStatus::unknown) return false;
    return true;
  };
  scene.states.pop_back();
  CHECK(all_unknown());
  CHECK(scene.rule("COND-03").text == "1 of 2 nodes reported their settings, cn002 did not");
  scene.states.clear();
  CHECK(all_unknown());
  CHECK(scene.rule("COND-01").text == "no node reported its settings");
}

TEST_CASE("where the processes of others can't be seen, nobody says that there were none") {
  ConditionsScene scene;
  scene.states[1].other_processes.reset();
  CHECK(scene.rule("COND-04").status == RuleStatus::unknown);
  CHECK(scene.rule("COND-04").text == "the processes of others could not be seen on cn002");
}

TEST_CASE("GPUs of the inventory that tell nothing of ECC leave it unknown; without GPUs it is n/a") {
  ConditionsScene scene;
  for (NodeState& state : scene.states)
    std::erase_if(state.readings, [](const NodeReading& each) { return each.name == "ecc"; });
  CHECK(scene.rule("COND-01").status == RuleStatus::not_applicable);
  NodeGroup group;
  group.gpus.resize(8);
  scene.inventory.groups = {group};
  CHECK(scene.rule("COND-01").status == RuleStatus::unknown);
}

TEST_CASE("a log from elsewhere is not asked about its nodes") {
  const ConditionsScene scene;
  Evidence evidence;
  evidence.result = &scene.result;
  for (const RuleResult& each : shakedown::judged(evidence).rules) CHECK_FALSE(each.id.starts_with("COND"));
}
