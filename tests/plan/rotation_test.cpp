#include "orchestrator/plan/rotation.hpp"

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
  CHECK(rotation(nodes, 2, 6, 10).chosen == std::vector<std::size_t>{1, 3});
  nodes[1].idle = false;
  CHECK(rotation(nodes, 2, 6, 10).chosen == std::vector<std::size_t>{3, 2});
  CHECK(rotation(nodes, 9, 6, 10).chosen.size() == 4);
  CHECK(rotation({}, 2, 6, 10).chosen.empty());
}

TEST_CASE("a promise that is not kept names its nodes, and one that is due is pressing") {
  auto nodes = nodes_covered({0, 1, 8, 8});
  nodes[0].idle = nodes[1].idle = false;
  const auto choice = rotation(nodes, 1, 9, 8);
  CHECK(choice.late == std::vector<std::size_t>{0});
  CHECK(choice.pressing == std::vector<std::size_t>{1});
  CHECK(choice.text ==
        "1 of 4 nodes, 2 idle; each within 8 days; not kept for n0: 1 held or beyond tonight's number");
  CHECK(rotation(nodes, 1, 9, 3).text.find("which 1 a day can't keep: a round takes 4 days") !=
        std::string::npos);
}

TEST_CASE("the promise is a round and the longest that a node may be held") {
  CHECK(*promised_days({.nodes = 100, .per_pass = 4}) == 25);
  CHECK(*promised_days({.nodes = 101, .per_pass = 4}) == 26);
  // 25 + 1 + ceil(ln(1e-6 / 1460) / ln 0.5) = 25 + 1 + 31
  CHECK(*promised_days({.nodes = 100, .per_pass = 4, .busy = 0.5}) == 57);
  CHECK(*promised_days({.nodes = 100, .per_pass = 4, .busy = 0.5, .still_busy = 0.7}) > 57);
  CHECK(promised_days({.nodes = 100, .per_pass = 4, .busy = 0.99}).error().hint ==
        "screen fewer nodes a pass, or reserve some");
  CHECK_FALSE(promised_days({.nodes = 100, .per_pass = 0}));
  CHECK_FALSE(promised_days({.nodes = 100, .per_pass = 4, .busy = 1}));
}

TEST_CASE("every node is seen within the promised days of a year of nights with random jobs") {
  const long promised = static_cast<long>(*promised_days({.nodes = 100, .per_pass = 4, .busy = 0.5}));
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
      for (const std::size_t i : rotation(nodes, 4, night, promised).chosen) nodes[i].covered_day = night;
    }
    CHECK(longest <= promised);
  }
}
