#include <catch2/catch.hpp>

#include <rapidcheck.h>
#include <algorithm>

#include "orchestrator/plan/suite_facts.hpp"
#include "tests/suites/inventories.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

Case planned_stream(const NodeGroup& node) {
  return planned(node, shipped("stream", "reference")).value();
}

bool warns(const Case& planned, std::string_view words) {
  return std::ranges::any_of(planned.warnings,
                             [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("the STREAM screen runs on all usable cores with arrays of four times the caches") {
  CHECK(is_screen("stream"));
  const Case stream = planned_stream(two_core_node());
  CHECK(stream.id == "stream-reference-1n");
  CHECK(stream.screen);
  CHECK(stream.program == "/opt/shakedown/libexec/shakedown/stream");
  CHECK(stream.arguments == std::vector<std::string>{"--elements", "8388608", "--times", "10"});
  CHECK(parameter(stream, "elements") * 8 == 4.0 * (32 << 20));
  CHECK(stream.parser == "stream");
  CHECK(stream.ranks == 2);
  CHECK(stream.threads_per_rank == 1);
  CHECK(stream.binding == "core");
  CHECK(prediction(stream, "wall_time_s").value < 10);
  CHECK(stream.time_limit_s > prediction(stream, "wall_time_s").high);
}

TEST_CASE("only the caches that the usable cores reach count, and small ones leave STREAM's own length") {
  NodeGroup node = two_core_node();
  node.cpu.cores = 96;
  node.cpu.caches = {{3, 32 << 20, 12}};
  CHECK(parameter(planned_stream(node), "elements") * 8 == 2 * 4.0 * (32 << 20));
  node.usable.cores = 96;
  CHECK(parameter(planned_stream(node), "elements") * 8 == 12 * 4.0 * (32 << 20));
  node.cpu.caches = {{2, 1 << 20, 1}};
  CHECK(parameter(planned_stream(node), "elements") >= 10e6);
  CHECK(parameter(planned_stream(node), "elements") < 10e6 + 96);
}

TEST_CASE("each node has arrays of its own") {
  NodeGroup node = two_core_node();
  const double one = parameter(planned_stream(node), "elements");
  node.hosts = "vm[1-3]";
  const Case three = planned_stream(node);
  CHECK(three.ranks == 6);
  CHECK(parameter(three, "elements") == 3 * one);
  CHECK(three.arguments[1] == "8388608");
}

TEST_CASE("where the memory can't hold arrays beyond the caches, STREAM is refused") {
  NodeGroup node = two_core_node();
  node.usable.available_bytes = 450LL << 20;
  const auto refused = planned(node, shipped("stream", "reference"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().where == "STREAM-06");
  CHECK(refused.error().what.find("take 384 MiB a node") != std::string::npos);
}

TEST_CASE("caches that the inventory does not give are assumed, as far as memory allows, and that is said") {
  NodeGroup node = two_core_node();
  node.cpu.caches.clear();
  const Case stream = planned_stream(node);
  CHECK(parameter(stream, "elements") * 8 == 2 * 4.0 * (32 << 20));
  CHECK(warns(stream, "the inventory does not give the caches"));
  node.usable.available_bytes = 100LL << 20;
  CHECK(parameter(planned_stream(node), "elements") * 24 <= 0.8 * (100 << 20));
}

TEST_CASE("STREAM's rate is predicted where the memory's bandwidth is known") {
  NodeGroup node = two_core_node();
  CHECK(find_prediction(planned_stream(node), "triad_mb_s") == nullptr);
  node.memory_bandwidth_gb_s = 921.6;
  const Prediction triad = prediction(planned_stream(node), "triad_mb_s");
  CHECK(triad.high == Approx(921600));
  CHECK(triad.low < 650000);
  CHECK(triad.value > 650000);
}

TEST_CASE("whatever the node, arrays outgrow the caches and fit the memory, or STREAM is refused") {
  const bool holds = rc::check([] {
    NodeGroup node = two_core_node();
    node.cpu.cores = *rc::gen::inRange(1, 400);
    node.usable.cores = *rc::gen::inRange(1, node.cpu.cores + 1);
    node.cpu.caches = {{3, std::int64_t{1} << *rc::gen::inRange(10, 31), *rc::gen::inRange(1, 64)}};
    node.usable.available_bytes = node.usable.memory_bytes = node.memory_bytes = std::int64_t{1}
                                                                                 << *rc::gen::inRange(24, 45);
    const auto stream = planned(node, shipped("stream", "reference"));
    if (!stream) {
      RC_ASSERT(stream.error().where == "STREAM-06");
      return;
    }
    const double bytes = parameter(*stream, "elements") * 8;
    RC_ASSERT(bytes >= 4.0 * static_cast<double>(last_level_cache_bytes(node)));
    RC_ASSERT(3 * bytes <= 0.8 * static_cast<double>(node.memory_bytes));
    RC_ASSERT(parameter(*stream, "elements_per_rank") * stream->ranks == parameter(*stream, "elements"));
  });
  CHECK(holds);
}

TEST_CASE("the STREAM screen of GPUs takes all GPUs of one node, with arrays that their memory holds") {
  NodeGroup node = h100_nodes("gpu01");
  const auto blind = planned(node, shipped("stream", "cuda"));
  REQUIRE(blind);
  CHECK(find_prediction(*blind, "triad_mb_s") == nullptr);
  for (Gpu& gpu : node.gpus) gpu.peak.memory_bandwidth_gb_s = 3352;
  const Case stream = planned(node, shipped("stream", "cuda")).value();
  CHECK(stream.id == "stream-cuda-1n");
  CHECK(stream.screen);
  CHECK(stream.arguments ==
        std::vector<std::string>{"--gpus", "8", "--elements", "536870912", "--times", "10"});
  CHECK(parameter(stream, "elements") == 8.0 * 536870912);
  CHECK(stream.ranks == 1);
  const Prediction triad = prediction(stream, "triad_mb_s");
  CHECK(triad.value == Approx(8 * 3.06e6).epsilon(0.01));  // measured on one H100
  CHECK(triad.low < 8 * 2.97e6);                           // Azure, ND H100 v5
  CHECK(triad.high == Approx(8 * 3.352e6));
  CHECK(stream.time_limit_s > prediction(stream, "wall_time_s").high);
  // 80 % of 16 GB, the memory of a V100, are less than 12 GiB.
  node.gpus[3].memory_bytes = 16'000'000'000;
  CHECK(parameter(planned(node, shipped("stream", "cuda")).value(), "elements_per_gpu") == 268435456);
  node.gpus[3].memory_bytes = 1LL << 30;
  const auto refused = planned(node, shipped("stream", "cuda"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().where == "STREAM-06");
}
