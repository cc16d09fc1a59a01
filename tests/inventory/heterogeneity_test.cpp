#include "orchestrator/inventory/difference.hpp"

#include <catch2/catch.hpp>

#include "tests/inventory/nodes.hpp"

using namespace shakedown;

namespace {

using Sentences = std::vector<std::string>;

/// 99 equal nodes and cn017, changed.
template <class Change>
Sentences with_odd_node(Change change) {
  NodeGroup odd = gpu_node("cn017");
  change(odd);
  return heterogeneity(inventory_of({gpu_node("cn[001-016,018-100]"), odd}));
}

}  // namespace

TEST_CASE("a node with a GPU less is named with what the others have") {
  CHECK(with_odd_node([](NodeGroup& node) { node.gpus.pop_back(); }) ==
        Sentences{"cn017: 7 GPUs where 99 nodes have 8"});
}

TEST_CASE("each odd thing about a node is named") {
  CHECK(with_odd_node([](NodeGroup& node) { node.nics[1].state = "down"; }) ==
        Sentences{"cn017: NIC mlx5_1 state down where 99 nodes have up"});
  CHECK(with_odd_node([](NodeGroup& node) { node.nics[0].speed_gb_s = 200; }) ==
        Sentences{"cn017: NIC mlx5_0 speed 200 Gbit/s where 99 nodes have 400 Gbit/s"});
  CHECK(with_odd_node([](NodeGroup& node) { node.nics[0].firmware = "28.38"; }) ==
        Sentences{"cn017: NIC mlx5_0 firmware 28.38 where 99 nodes have 28.39"});
  CHECK(with_odd_node([](NodeGroup& node) { node.memory_bytes -= node.memory_bytes / 24; }) ==
        Sentences{"cn017: memory 1.4 TiB where 99 nodes have 1.46 TiB"});
  CHECK(with_odd_node([](NodeGroup& node) { node.software.kernel = "5.14.0-2"; }) ==
        Sentences{"cn017: kernel 5.14.0-2 where 99 nodes have 5.14.0-1"});
  CHECK(with_odd_node([](NodeGroup& node) { node.software.gpu_driver = "535"; }) ==
        Sentences{"cn017: GPU driver 535 where 99 nodes have 550.90"});
  CHECK(with_odd_node([](NodeGroup& node) { node.mounts.clear(); }) ==
        Sentences{"cn017: no mount /scratch where 99 nodes have one"});
}

TEST_CASE("one GPU of another kind is not averaged away") {
  CHECK(with_odd_node([](NodeGroup& node) { node.gpus[3].model = "A100"; }) ==
        Sentences{"cn017: GPU model 7 x H100, 1 x A100 where 99 nodes have H100"});
}

TEST_CASE("a part that only the odd node has is named") {
  CHECK(with_odd_node([](NodeGroup& node) {
          node.mounts.push_back(node.mounts[0]);
          node.mounts[1].path = "/data";
        }) == Sentences{"cn017: a mount /data where 99 nodes have none"});
}

TEST_CASE("what is not known of a node is no difference") {
  CHECK(with_odd_node([](NodeGroup& node) { node.software.kernel.clear(); }).empty());
}

TEST_CASE("memory that differs by what the kernel keeps is the same memory") {
  CHECK(with_odd_node([](NodeGroup& node) { node.memory_bytes -= 4 << 20; }).empty());
}

TEST_CASE("nodes with the same oddity share a sentence, whatever else they are") {
  NodeGroup a = gpu_node("cn002", 7);
  NodeGroup b = gpu_node("cn004", 7);
  b.software.kernel = "6";
  CHECK(heterogeneity(inventory_of({gpu_node("cn[001,003]"), a, b})) ==
        Sentences{"cn[002,004]: 7 GPUs where 2 nodes have 8", "cn004: kernel 6 where 3 nodes have 5.14.0-1"});
}

TEST_CASE("equal nodes have no differences, in one group or in two") {
  CHECK(heterogeneity(inventory_of({gpu_node("cn[1-9]")})).empty());
  CHECK(heterogeneity(inventory_of({gpu_node("a"), gpu_node("b")})).empty());
}

TEST_CASE("another kind of node gets a handful of sentences and a count") {
  NodeGroup login;
  login.hosts = "login1";
  login.memory_bytes = 1 << 30;
  const Sentences sentences = heterogeneity(inventory_of({gpu_node("cn[1-9]"), login}));
  REQUIRE(sentences.size() == 7);
  CHECK(sentences.front() == "login1: 1 socket where 9 nodes have 2");
  CHECK(sentences.back() == "login1: 3 more differences");
}
