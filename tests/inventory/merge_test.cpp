#include "orchestrator/inventory/merge.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "tests/inventory/nodes.hpp"

using namespace shakedown;

namespace {

using Notes = std::vector<std::string>;

NodeAnswer answer(const std::string& host, NodeGroup node, Notes notes = {}) {
  node.hosts = host;
  Inventory inventory = inventory_of({std::move(node)});
  inventory.discovered = "2026-11-21T00:00:00Z";
  inventory.notes = std::move(notes);
  return {host, host, inventory};
}

}  // namespace

TEST_CASE("equal nodes become one group with a folded hostlist, the odd one a group of its own") {
  std::vector<NodeGroup> nodes;
  for (int i = 1; i <= 9; ++i) nodes.push_back(gpu_node("cn0" + std::to_string(i), i == 4 ? 7 : 8));
  const auto groups = merged_groups(nodes, "nodes");
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].name == "nodes");
  CHECK(groups[0].hosts == "cn[01-03,05-09]");
  CHECK(groups[1].name == "nodes-2");
  CHECK(groups[1].hosts == "cn04");
  CHECK(groups[1].gpus.size() == 7);
}

TEST_CASE("of sizes that hardly differ the smallest is kept, and of free space too") {
  NodeGroup a = gpu_node("a");
  NodeGroup b = gpu_node("b");
  b.memory_bytes -= 1 << 20;
  b.usable.available_bytes = 5;
  a.usable.available_bytes = 7;
  b.mounts[0].free_bytes = 1;
  const auto groups = merged_groups({a, b}, "n");
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].memory_bytes == b.memory_bytes);
  CHECK(groups[0].usable.available_bytes == 5);
  CHECK(groups[0].mounts[0].free_bytes == 1);
}

TEST_CASE("the least clock of a group's nodes is its own, with its source") {
  NodeGroup a = gpu_node("a");
  a.cpu.base_mhz = 2300;
  a.cpu.base_mhz_source = "CPUID leaf 16h";
  NodeGroup b = gpu_node("b");
  b.cpu.base_mhz = 2299;
  b.cpu.base_mhz_source = time_stamp_counter;
  for (const auto& nodes : {std::vector{a, b}, std::vector{b, a}}) {
    const auto groups = merged_groups(nodes, "n");
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].cpu.base_mhz == 2299);
    CHECK(groups[0].cpu.base_mhz_source == time_stamp_counter);
  }
}

TEST_CASE("a value that one node assumes is assumed of its group") {
  NodeGroup b = gpu_node("b");
  b.assumed = {"cpu.base_mhz"};
  const auto groups = merged_groups({gpu_node("a"), b}, "n");
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].assumed == b.assumed);
}

TEST_CASE("nodes that number the same disks differently are one group, a lost disk splits it") {
  NodeGroup a = gpu_node("a");
  a.disks = {{"nvme0n1", "M", 1000, "nvme", false, "1", {}},
             {"nvme1n1", "M", 1000, "nvme", false, "1", {"/"}}};
  NodeGroup b = a;
  b.hosts = "b";
  std::swap(b.disks[0].name, b.disks[1].name);
  NodeGroup c = a;
  c.hosts = "c";
  c.disks.pop_back();
  const auto groups = merged_groups({a, b, c}, "n");
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].hosts == "a,b");
  CHECK(groups[0].disks[0].name.empty());
  CHECK(groups[1].hosts == "c");
  CHECK(groups[1].disks[0].name == "nvme0n1");
}

TEST_CASE("a lost memory module splits the group") {
  NodeGroup b = gpu_node("b");
  b.memory_bytes -= b.memory_bytes / 24;
  CHECK(merged_groups({gpu_node("a"), b, gpu_node("c")}, "n").size() == 2);
}

TEST_CASE("what belongs to one machine is not given to many") {
  NodeGroup a = gpu_node("a");
  NodeGroup b = gpu_node("b");
  a.gpus[0].uuid = "GPU-1";
  b.gpus[0].uuid = "GPU-2";
  a.nics[0].pci_address = b.nics[0].pci_address = "0000:1b:00.0";
  const auto groups = merged_groups({a, b}, "n");
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].gpus[0].uuid.empty());
  CHECK(groups[0].nics[0].pci_address == "0000:1b:00.0");
}

TEST_CASE("no node is lost or doubled by merging, and equal ones are never apart") {
  rc::prop("hosts of merged_groups(nodes) == hosts of nodes", [] {
    std::vector<NodeGroup> nodes;
    const int count = *rc::gen::inRange(1, 40);
    for (int i = 0; i < count; ++i) {
      nodes.push_back(gpu_node("n" + std::to_string(i), *rc::gen::inRange(6, 9)));
      nodes.back().software.kernel = *rc::gen::element<std::string>("5", "6");
    }
    const auto groups = merged_groups(nodes, "n");
    size_t hosts = 0;
    for (const NodeGroup& group : groups) hosts += expanded_hostlist(group.hosts)->size();
    RC_ASSERT(hosts == nodes.size());
    for (size_t a = 0; a < groups.size(); ++a)
      for (size_t b = 0; b < a; ++b)
        RC_ASSERT(groups[a].gpus.size() != groups[b].gpus.size() ||
                  groups[a].software.kernel != groups[b].software.kernel);
  });
}

TEST_CASE("an answer is found between what the launcher says") {
  const Inventory inventory = inventory_of({gpu_node("vm")});
  const auto found =
      node_answer("[vm:1] WARNING: {x}\n" + inventory_json(inventory) + "\nmpirun: done }\n", "cn001");
  REQUIRE(found);
  CHECK(found->host == "cn001");
  CHECK(found->calls_itself == "vm");
  CHECK(found->inventory.groups[0].hosts == "cn001");
  CHECK(node_answer(inventory_json(inventory), "a"));
}

TEST_CASE("what is no answer says why") {
  CHECK(to_string(node_answer("", "cn1").error()) == "cn1: nothing was printed");
  CHECK(to_string(node_answer("------\nssh: no route to host\n", "cn1").error()) ==
        "cn1: ssh: no route to host");
  CHECK(node_answer("{\n}\n", "cn1").error().where == "cn1");
  CHECK_FALSE(node_answer("{\n\"schema\": \"shakedown.inventory/1\"", "cn1"));
}

TEST_CASE("notes of all nodes stand once, notes of some with their hosts, silent nodes are named") {
  const Inventory whole = merged_answers(
      {answer("a1", gpu_node("x"), {"all", "some"}), answer("a2", gpu_node("x"), {"all"}),
       answer("a3", gpu_node("x"), {"all", "some"})},
      {{"a4", "ssh: connect to host a4: timeout"}, {"a5", "ssh: connect to host a5: timeout"}}, "t");
  CHECK(whole.groups.size() == 1);
  CHECK(whole.groups[0].hosts == "a[1-3]");
  CHECK(whole.notes ==
        Notes{"all", "a[1,3]: some", "a[4-5]: no answer (ssh: connect to host <node>: timeout)"});
}

TEST_CASE("two names of one machine are noticed") {
  NodeAnswer a = answer("cn1", gpu_node("x"));
  NodeAnswer b = answer("cn2", gpu_node("x"));
  a.calls_itself = b.calls_itself = "vm";
  CHECK(merged_answers({a, b}, {}, "t").notes ==
        Notes{"cn[1-2]: one machine answers to these names, it calls itself 'vm'"});
}

TEST_CASE("a node that has less than its scheduler believes is named") {
  Inventory expected = inventory_of({gpu_node("cn[1-2]")});
  expected.source = "Slurm";
  const Inventory whole =
      merged_answers({answer("cn1", gpu_node("x")), answer("cn2", gpu_node("x", 7))}, {}, "t", &expected);
  CHECK(whole.notes == Notes{"cn2: 7 GPUs, but Slurm has 8"});
}

TEST_CASE("a core has as many of Slurm's CPUs as Slurm has for the node's own cores") {
  const auto counted = [](int sockets_cores, int per_core, int cores, int threads) {
    NodeGroup of_slurm = gpu_node("cn1");
    of_slurm.cpu.cores = sockets_cores;
    of_slurm.usable.slurm_cpus_per_core = per_core;
    NodeGroup own = gpu_node("x");
    own.cpu.cores = cores;
    own.cpu.threads_per_core = threads;
    const Inventory expected = inventory_of({of_slurm});
    return merged_answers({answer("cn1", own)}, {}, "t", &expected).groups[0].usable.slurm_cpus_per_core;
  };
  CHECK(counted(64, 2, 64, 2) == 2);
  CHECK(counted(64, 1, 64, 2) == 1);
  CHECK(counted(128, 1, 64, 2) == 2);  // configured as CPUs=128 alone
  CHECK(counted(64, 1, 2, 1) == 1);    // more than the node has
  CHECK(counted(1, 1, 64, 2) == 1);
}

TEST_CASE("nodes on which Slurm hands out no GPUs, or counts CPUs otherwise, are of another kind") {
  std::vector<NodeGroup> nodes = {gpu_node("cn1"), gpu_node("cn2"), gpu_node("cn3"), gpu_node("cn4")};
  for (NodeGroup& node : nodes) {
    node.usable.slurm_gpus = 8;
    node.usable.slurm_cpus_per_core = 2;
  }
  nodes[1].usable.slurm_gpus = 7;
  nodes[2].usable.slurm_gpus = 0;
  nodes[3].usable.slurm_cpus_per_core = 1;
  const auto groups = merged_groups(nodes, "nodes");
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].hosts == "cn[1-2]");
  CHECK(groups[0].usable.slurm_gpus == 7);
  CHECK(groups[1].hosts == "cn3");
  CHECK(groups[2].hosts == "cn4");
}
