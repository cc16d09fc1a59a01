#include "orchestrator/regression/node_rotation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace shakedown;

namespace {

std::vector<RotationNode> nodes_covered(const std::vector<long>& days) {
  std::vector<RotationNode> nodes;
  for (const long day : days) nodes.push_back({"n" + std::to_string(nodes.size()), day, true});
  return nodes;
}

}  // namespace

TEST_CASE("the idle nodes that were screened longest ago come first") {
  auto nodes = nodes_covered({5, 1, 3, 2, 4});
  CHECK(rotation(nodes, 2) == std::vector<std::size_t>{1, 3});
  nodes[1].idle = false;
  CHECK(rotation(nodes, 2) == std::vector<std::size_t>{3, 2});
  CHECK(rotation(nodes, 9).size() == 4);
  CHECK(rotation({}, 2).empty());
}

TEST_CASE("the promise is a round and the longest that a node may be held") {
  CHECK(*promised_days({.nodes = 100, .per_check = 4}) == 25);
  CHECK(*promised_days({.nodes = 101, .per_check = 4}) == 26);
  // 25 + 1 + ceil(ln(1e-6 / 1460) / ln 0.5) = 25 + 1 + 31
  CHECK(*promised_days({.nodes = 100, .per_check = 4, .busy = 0.5}) == 57);
  CHECK(*promised_days({.nodes = 100, .per_check = 4, .busy = 0.5, .still_busy = 0.7}) > 57);
  CHECK(promised_days({.nodes = 100, .per_check = 4, .busy = 0.99}).error().hint ==
        "measure fewer nodes per check, or reserve some");
  CHECK_FALSE(promised_days({.nodes = 100, .per_check = 0}));
  CHECK_FALSE(promised_days({.nodes = 100, .per_check = 4, .busy = 1}));
}

TEST_CASE("every node is seen within the promised days of a year of nights with random jobs") {
  const long promised = static_cast<long>(*promised_days({.nodes = 100, .per_check = 4, .busy = 0.5}));
  for (unsigned schedule = 0; schedule < 20; ++schedule) {
    std::mt19937 random(schedule);
    std::vector<RotationNode> nodes;
    for (int i = 0; i < 100; ++i) nodes.push_back({"n" + std::to_string(i), -1 - i / 4, true});
    long longest = 0;
    for (long night = 0; night < 365; ++night) {
      for (RotationNode& node : nodes) {
        node.idle = random() % 2 == 0;
        longest = std::max(longest, night - node.covered_day);
      }
      for (const std::size_t i : rotation(nodes, 4)) nodes[i].covered_day = night;
    }
    CHECK(longest <= promised);
  }
}
