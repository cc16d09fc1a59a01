#include "reports/measure/conditions.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

NodeState node(const std::string& name, const std::string& governor, const std::string& ecc) {
  NodeState state;
  state.node = name;
  state.readings = {{"", "governor", governor, governor},
                    {"gpu0", "ecc", "on", "on"},
                    {"gpu1", "ecc", ecc, ecc},
                    {"gpu1", "gpu_clock_now_mhz", "345", "1980"},
                    {"mlx5_0", "nic_firmware", "28.39", "28.39"}};
  state.other_processes.emplace();
  return state;
}

CampaignRecord node_conditions_campaign(std::vector<NodeState> states) {
  CampaignRecord record;
  record.cases.resize(1);
  record.cases[0].attempts.resize(1);
  record.cases[0].attempts[0].nodes = std::move(states);
  return record;
}

}  // namespace

TEST_CASE("settings that all nodes share take one row each, clocks of the moment none") {
  const auto rows = seen_settings(
      node_conditions_campaign({node("cn001", "performance", "on"), node("cn002", "performance", "on")}));
  const std::vector<SeenSetting> wanted = {{"governor", "performance", 2, {}},
                                           {"ecc", "on", 2, {}},
                                           {"nic_firmware mlx5_0", "28.39", 2, {}},
                                           {"other programs", "none by name", 2, {}}};
  CHECK(rows == wanted);
}

TEST_CASE("nodes that differ are named, and GPUs with their number") {
  auto states = std::vector{node("cn001", "performance", "on"), node("cn002", "performance", "on"),
                            node("cn003", "powersave", "off"), node("cn004", "powersave", "on"),
                            node("cn005", "performance", "on")};
  states[4].other_processes->push_back({4711, 1001, "python3", "", 0.75});
  const auto rows = seen_settings(node_conditions_campaign(states));
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].others == std::vector<std::string>{"powersave on cn[003-004]"});
  CHECK(rows[1].others == std::vector<std::string>{"off on cn003 gpu1"});
  CHECK(rows[3].usual == "looked for, and seen");
  CHECK(rows[3].others == std::vector<std::string>{"python3 (uid 1001) on cn005: up to 0.75 cores"});
}

TEST_CASE("a campaign whose nodes reported nothing has no rows") {
  CHECK(seen_settings(node_conditions_campaign({})).empty());
  CHECK(seen_settings({}).empty());
}
