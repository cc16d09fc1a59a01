#include "orchestrator/inventory/difference.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include "tests/inventory/nodes.hpp"
#include "tests/inventory/sample.hpp"

using namespace shakedown;

namespace {

/// What changes when the node is changed.
template <class Edit>
std::vector<Change> after(Edit edit) {
  NodeGroup node = gpu_node("cn2");
  edit(node);
  return differences(inventory_of({gpu_node("cn[1-3]")}), inventory_of({gpu_node("cn[1,3]"), node}));
}

}  // namespace

TEST_CASE("an inventory doesn't differ from itself") {
  rc::prop("differences(i, i) is empty", [] {
    const Inventory inventory = drawn_inventory();
    RC_ASSERT(differences(inventory, inventory).empty());
  });
}

TEST_CASE("a lost GPU is one change") {
  const auto changes = after([](NodeGroup& node) { node.gpus.pop_back(); });
  REQUIRE(changes.size() == 1);
  CHECK(changes[0] == Change{FeatureKind::gpu, "cn2", "GPUs", "8", "7"});
}

TEST_CASE("memory that is gone is one change, be it usable or not") {
  const auto changes = after([](NodeGroup& node) {
    node.usable.memory_bytes = node.memory_bytes = node.memory_bytes / 2;
    node.usable.cores = node.cpu.cores = node.cpu.cores / 2;
  });
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].what == "cores");
  CHECK(changes[1].what == "memory");
  // A job's limit alone is a change of its own.
  const auto limited = after([](NodeGroup& node) { node.usable.memory_bytes = node.memory_bytes / 2; });
  REQUIRE(limited.size() == 1);
  CHECK(limited[0].what == "usable memory");
}

TEST_CASE("a lost local disk, another firmware and another mount point are changes") {
  NodeGroup node = gpu_node("cn[1-2]");
  node.disks.assign(4, {"", "SAMSUNG", 7'681'501'126'656, "nvme", false, "GDC5602Q", {}});
  NodeGroup other = node;
  node.hosts = "cn1";
  other.hosts = "cn2";
  other.disks.pop_back();
  other.disks[0].firmware = "GDC5902Q";
  other.disks[1].mounts = {"/scratch"};
  NodeGroup before = node;
  before.hosts = "cn[1-2]";
  const auto changes = differences(inventory_of({before}), inventory_of({node, other}));
  REQUIRE(changes.size() == 3);
  CHECK(changes[0] == Change{FeatureKind::disk, "cn2", "local disks", "4", "3"});
  CHECK(changes[1] == Change{FeatureKind::disk, "cn2", "disk mount points", "not mounted",
                             "2 x not mounted, 1 x /scratch"});
  CHECK(changes[2].kind == FeatureKind::firmware);
  CHECK(changes[2].before == "GDC5602Q");
  CHECK(changes[2].after == "1 x GDC5902Q, 2 x GDC5602Q");
}

TEST_CASE("what changes by the minute is no difference") {
  CHECK(after([](NodeGroup& node) {
          node.mounts[0].free_bytes = 1;
          node.usable.available_bytes = 3;
          node.usable.limited_by = {"cgroup"};
        }).empty());
}

TEST_CASE("a NIC that is gone is named once, not with all that it had") {
  const auto changes = after([](NodeGroup& node) { node.nics.pop_back(); });
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].what == "NICs");
  CHECK(changes[1] == Change{FeatureKind::nic, "cn2", "NIC mlx5_1", "there", ""});
}

TEST_CASE("nodes with the same change share a line, however they are grouped") {
  NodeGroup a = gpu_node("cn1");
  NodeGroup b = gpu_node("cn2");
  a.software.kernel = b.software.kernel = "6";
  b.software.gpu_driver = "560";
  const auto changes =
      differences(inventory_of({gpu_node("cn[1-3]")}), inventory_of({a, b, gpu_node("cn3")}));
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].hosts == "cn[1-2]");
  CHECK(changes[1].hosts == "cn2");
}

TEST_CASE("nodes that only one inventory has are named") {
  const auto changes = differences(inventory_of({gpu_node("cn[1-3]")}), inventory_of({gpu_node("cn[2-5]")}));
  REQUIRE(changes.size() == 2);
  CHECK(changes[0] == Change{FeatureKind::nodes, "cn1", "node", "there", ""});
  CHECK(changes[1] == Change{FeatureKind::nodes, "cn[4-5]", "node", "", "there"});
}

TEST_CASE("pods, fabric and storage are compared for the system") {
  Inventory a = inventory_of({gpu_node("cn[1-4]")});
  Inventory b = a;
  a.pods = {{"p1", "cn[1-2]", false}, {"p2", "cn[3-4]", false}};
  b.pods = {{"p1", "cn[1-3]", false}, {"p2", "cn4", true}};
  b.fabric.mtu_bytes = 9000;
  b.storage.push_back({});
  b.storage[0].name = "lustre";
  const auto changes = differences(a, b);
  REQUIRE(changes.size() == 3);
  CHECK(changes[0] == Change{FeatureKind::fabric, "cn3", "pod", "p2", "p1"});
  CHECK(changes[1] == Change{FeatureKind::fabric, "", "fabric mtu_bytes", "", "9000"});
  CHECK(changes[2] == Change{FeatureKind::mount, "", "storage lustre", "", "there"});
}

TEST_CASE("a file's silence is no claim about the live nodes") {
  NodeGroup file = gpu_node("cn1");
  file.software.kernel.clear();
  file.nics[0].state.clear();
  NodeGroup live = gpu_node("cn1");
  live.mounts.push_back({"/tmp", "tmpfs", "tmpfs", 1 << 30, 1 << 30, true});
  const auto changes = differences(inventory_of({file}), inventory_of({live}), {.only_stated_before = true});
  CHECK(changes.empty());
  live.software.gpu_driver = "";
  CHECK(differences(inventory_of({file}), inventory_of({live}), {.only_stated_before = true}).size() == 1);
}
