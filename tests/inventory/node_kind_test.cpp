#include "orchestrator/inventory/node_kind.hpp"

#include <catch2/catch.hpp>

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

TEST_CASE("an inventory without nodes has no kind") {
  Inventory inventory;
  inventory.source = "empty.toml";
  const auto kind = largest_kind(inventory);
  REQUIRE_FALSE(kind);
  CHECK(to_string(kind.error()) == "empty.toml: the inventory has no nodes");
}
