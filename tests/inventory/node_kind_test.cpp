#include "orchestrator/inventory/node_kind.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/difference.hpp"

using namespace shakedown;

namespace {

NodeGroup group(const std::string& hosts, int gpus) {
  NodeGroup nodes;
  nodes.name = hosts;
  nodes.hosts = hosts;
  nodes.cpu.model = "A";
  nodes.cpu.cores = nodes.usable.cores = 64;
  nodes.memory_bytes = std::int64_t{512} << 30U;
  nodes.usable.memory_bytes = nodes.memory_bytes;
  nodes.software.kernel = "6.1.0";
  nodes.gpus.resize(static_cast<size_t>(gpus));
  return nodes;
}

}  // namespace

TEST_CASE("nodes that differ in their kernel alone are planned together, with the smallest memory") {
  Inventory inventory;
  inventory.groups = {group("cn[001-060]", 8), group("cn[061-098]", 8), group("cn[099-100]", 7)};
  inventory.groups[1].software.kernel = "6.1.1";
  inventory.groups[1].usable.available_bytes = 1000;
  const auto kind = largest_kind(inventory);
  REQUIRE(kind);
  CHECK(kind->hosts.size() == 98);
  CHECK(kind->groups == 2);
  CHECK(kind->like.usable.available_bytes == 1000);
  CHECK(kind->hosts.front() == "cn001");
}

TEST_CASE("nodes with other GPUs, processors or memory are another kind") {
  for (const auto& change : std::vector<void (*)(NodeGroup&)>{
           [](NodeGroup& nodes) { nodes.gpus.pop_back(); }, [](NodeGroup& nodes) { nodes.cpu.model = "B"; },
           [](NodeGroup& nodes) { nodes.memory_bytes /= 2; },
           [](NodeGroup& nodes) { nodes.nics.emplace_back().name = "eth9"; }}) {
    Inventory inventory;
    inventory.groups = {group("a[1-3]", 8), group("b[1-2]", 8)};
    change(inventory.groups[1]);
    const auto kind = largest_kind(inventory);
    REQUIRE(kind);
    CHECK(kind->hosts.size() == 3);
  }
}

TEST_CASE("the largest kind has the highest FP64 peak, or the most nodes where a peak is not known") {
  Inventory inventory;
  inventory.groups = {group("c[1-10]", 0), group("g[1-2]", 8)};
  inventory.groups[0].cpu.fp64_flop_per_cycle = 16;
  inventory.groups[0].cpu.base_mhz = 2000;             // 64 cores: 2.048 TFLOP/s a node
  CHECK(largest_kind(inventory)->hosts.size() == 10);  // of unknown GPUs
  for (Gpu& gpu : inventory.groups[1].gpus) gpu.model = "NVIDIA H100 80GB HBM3";
  CHECK(largest_kind(inventory)->hosts.size() == 2);  // the catalogue's peak
  for (Gpu& gpu : inventory.groups[1].gpus) gpu.peak.fp64_vector_tflops = 1;
  CHECK(largest_kind(inventory)->hosts.size() == 10);  // 20.48 against 16
}

TEST_CASE("an inventory without nodes has no kind") {
  Inventory inventory;
  inventory.source = "empty.toml";
  const auto kind = largest_kind(inventory);
  REQUIRE_FALSE(kind);
  CHECK(to_string(kind.error()) == "empty.toml: the inventory has no nodes");
}

TEST_CASE("some hosts of an inventory are of these kinds, and no other") {
  Inventory inventory;
  inventory.groups = {group("a[1-3]", 8), group("b[1-2]", 7)};
  const auto kinds = kinds_of(inventory, {"b2", "a3"});
  REQUIRE(kinds);
  REQUIRE(kinds->size() == 2);
  CHECK(kinds->at(0).hosts == std::vector<std::string>{"a3"});
  CHECK(kinds->at(1).hosts == std::vector<std::string>{"b2"});
  const auto unknown = kinds_of(inventory, {"a1", "c1"});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().what == "has no host 'c1'");
}

TEST_CASE("one run holds nodes of less memory or fewer NICs, planned for the least of them") {
  Inventory inventory;
  inventory.groups = {group("a[1-3]", 8), group("b1", 8)};
  inventory.groups[0].nics.emplace_back().name = "eth9";
  inventory.groups[1].memory_bytes /= 2;
  const auto common = common_kind(inventory, {"a1", "b1"});
  REQUIRE(common);
  CHECK(common->hosts == std::vector<std::string>{"a1", "b1"});
  CHECK(common->like.memory_bytes == inventory.groups[1].memory_bytes);
  CHECK(common->like.nics.empty());
}

TEST_CASE("no run holds nodes of other processors or GPUs") {
  for (const auto& change : std::vector<void (*)(NodeGroup&)>{
           [](NodeGroup& nodes) { nodes.gpus.pop_back(); }, [](NodeGroup& nodes) { nodes.cpu.model = "B"; },
           [](NodeGroup& nodes) { nodes.cpu.cores = 32; },
           [](NodeGroup& nodes) { nodes.gpus[0].model = "H200"; }}) {
    Inventory inventory;
    inventory.groups = {group("a[1-3]", 8), group("b1", 8)};
    change(inventory.groups[1]);
    const auto common = common_kind(inventory, {"a1", "b1"});
    REQUIRE_FALSE(common);
    CHECK(common.error().what.find("one run can't hold them") != std::string::npos);
  }
}

TEST_CASE("all hosts of an inventory are named once, of all groups; of a hostlist that is none, none") {
  Inventory inventory;
  for (const char* hosts : {"cn[1-2]", "gpu1", "cn[2", "cn1"}) {
    NodeGroup group;
    group.hosts = hosts;
    inventory.groups.push_back(group);
  }
  CHECK(all_hosts(inventory) == std::set<std::string>{"cn1", "cn2", "gpu1"});
  CHECK(all_hosts({}).empty());
}

TEST_CASE("nodes that differ in the GID index or the MTU of a RoCE port are of one kind, and named") {
  Inventory inventory;
  inventory.groups = {group("cn[001-003]", 8), group("cn004", 8)};
  for (NodeGroup& nodes : inventory.groups) {
    Nic nic;
    nic.name = "ens1np0";
    nic.rdma_device = "mlx5_0";
    nic.link_layer = "Ethernet";
    nic.roce_gid_index = 3;
    nic.mtu_bytes = 9000;
    nodes.nics = {nic};
  }
  inventory.groups[1].nics[0].roce_gid_index = 5;
  inventory.groups[1].nics[0].mtu_bytes = 1500;
  const auto kind = largest_kind(inventory);
  REQUIRE(kind);
  CHECK(kind->hosts.size() == 4);
  const auto sentences = heterogeneity(inventory);
  CHECK(joined(sentences, "\n").find("NIC mlx5_0 RoCE v2 GID index 5 where 3 nodes have 3") !=
        std::string::npos);
  CHECK(joined(sentences, "\n").find("NIC mlx5_0 MTU 1500 where 3 nodes have 9000") != std::string::npos);
}
