#include <rapidcheck/catch.h>

#include <catch2/catch.hpp>

#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "tests/inventory/sample.hpp"

using namespace shakedown;

namespace {

const std::string minimal = R"(system = "testbed"

[[groups]]
hosts = "cn[1-4]"
memory_gib = 1500

[groups.cpu]
model = "Intel Xeon Platinum 8480+"
sockets = 2
cores = 112
)";

Error refusal(std::string_view text) {
  const auto inventory = inventory_from_toml(text, "inventory.toml");
  return inventory ? Error{} : inventory.error();
}

std::string inventory_toml_refused(std::string_view text) {
  return to_string(refusal(text));
}

}  // namespace

TEST_CASE("an inventory written by hand needs hosts, cores and memory, and the rest is derived") {
  const auto inventory = inventory_from_toml(minimal, "sites/testbed.toml");
  REQUIRE(inventory);
  CHECK(inventory->system == "testbed");
  CHECK(inventory->source == "testbed.toml");
  CHECK(inventory->nodes() == 4);
  REQUIRE(inventory->groups.size() == 1);
  const NodeGroup& group = inventory->groups[0];
  CHECK(group.memory_bytes == 1500LL << 30);
  CHECK(group.cpu.numa_nodes == 2);
  CHECK(group.usable.cores == 112);
  CHECK(group.usable.hardware_threads == 112);
  CHECK(group.usable.memory_bytes == group.memory_bytes);
  CHECK(group.usable.limited_by.empty());
  CHECK(group.gpus.empty());
}

TEST_CASE("what is usable defaults to the board, key by key") {
  const auto inventory =
      inventory_from_toml(minimal + "threads_per_core = 2\n[groups.usable]\ncores = 100\n", "t");
  REQUIRE(inventory);
  CHECK(inventory->groups[0].usable.cores == 100);
  CHECK(inventory->groups[0].usable.hardware_threads == 200);
  CHECK(inventory->groups[0].usable.memory_bytes == 1500LL << 30);
}

TEST_CASE("GPUs are given compactly or one by one") {
  const auto compact = inventory_from_toml(minimal + R"(
[[groups.gpus]]
count = 2
model = "NVIDIA H100 80GB HBM3"
memory_gib = 79.5
numa_nodes = [0, 1]
)",
                                           "t");
  const auto singly = inventory_from_toml(minimal + R"(
[[groups.gpus]]
model = "NVIDIA H100 80GB HBM3"
memory_bytes = 85362475008
numa_node = 0
[[groups.gpus]]
model = "NVIDIA H100 80GB HBM3"
memory_bytes = 85362475008
numa_node = 1
)",
                                          "t");
  REQUIRE(compact);
  REQUIRE(singly);
  REQUIRE(compact->groups[0].gpus.size() == 2);
  CHECK(*compact == *singly);
}

TEST_CASE("a list of uuids alone says how many GPUs there are") {
  const auto inventory = inventory_from_toml(minimal + "[[groups.gpus]]\nuuids = ['GPU-a', 'GPU-b']\n", "t");
  REQUIRE(inventory);
  REQUIRE(inventory->groups[0].gpus.size() == 2);
  CHECK(inventory->groups[0].gpus[1].uuid == "GPU-b");
}

TEST_CASE("a count that its list contradicts is refused") {
  const std::string one_node = R"(system = "t"
[[groups]]
hosts = "gpu03"
memory_gib = 4
[groups.cpu]
cores = 4
[[groups.gpus]]
count = 8
model = "H100"
uuids = ["a", "b", "c", "d", "e", "f", "g"]
)";
  CHECK(inventory_toml_refused(one_node) == "inventory.toml:10: node 'gpu03' has gpus = 8 but lists 7 uuids");
  CHECK(inventory_toml_refused(minimal + "[[groups.gpus]]\ncount = 2\nnuma_nodes = [0]\n") ==
        "inventory.toml:13: nodes 'cn[1-4]' have gpus = 2 but list 1 NUMA nodes");
  CHECK(inventory_toml_refused(minimal + "[[groups.gpus]]\nuuids = ['a', 'b']\npci_addresses = ['x']\n") ==
        "inventory.toml:13: nodes 'cn[1-4]' have gpus = 2 but list 1 PCI addresses");
  CHECK(inventory_toml_refused(minimal + "[[groups.gpus]]\ncount = 0\n") ==
        "inventory.toml:12: 'count' must be between 1 and 1024, not 0");
  CHECK(inventory_toml_refused(minimal + "[[groups.gpus]]\ncount = 2\nuuid = 'a'\n") ==
        "inventory.toml:13: 2 gpus can't share one uuid");
}

TEST_CASE("each mistake in an inventory is named with its line") {
  const auto [lines, what] = GENERATE(table<std::string, std::string>({
      {"", "inventory.toml:1: 'system', 'groups' are missing"},
      {"system = ''\n", "inventory.toml:1: 'system' is empty\ninventory.toml:1: 'groups' is missing"},
      {"system = 't'\n", "inventory.toml:1: 'groups' is missing"},
      {"system = 't'\ngroups = []\n", "inventory.toml:2: there is no group of nodes"},
      {"schema = 'shakedown.inventory/2'\nsystem = 't'\n",
       "inventory.toml:1: schema 'shakedown.inventory/2' is not 'shakedown.inventory/1'\n"
       "inventory.toml:1: 'groups' is missing"},
      {"system = 't'\n[[groups]]\n",
       "inventory.toml:2: 'hosts', 'memory_bytes' or 'memory_gib', 'cpu' are missing"},
      {"system = 't'\n[[groups]]\nhosts = 'a'\n",
       "inventory.toml:2: 'memory_bytes' or 'memory_gib', 'cpu' are missing"},
      {"system = 't'\n[[groups]]\nhosts = 'a'\nmemory_gib = 4\n", "inventory.toml:2: 'cpu' is missing"},
      {"system = 't'\n[[groups]]\nhosts = 'a'\nmemory_gib = 4\n[groups.cpu]\n",
       "inventory.toml:5: 'cores' is missing"},
      {"system = 't'\n[[groups]]\nhosts = 'a'\nmemory_gib = 4\n[groups.cpu]\ncores = 0\n",
       "inventory.toml:6: 'cores' must be at least 1, not 0"},
      {"system = 't'\n[[groups]]\nhosts = 'a'\nmemory_gib = 4\n[groups.cpu]\ncores = 4294967297\n",
       "inventory.toml:6: 'cores' must be at most 2147483647, not 4294967297"},
      {"system = 't'\n[[groups]]\nhosts = 'a'\nmemory_gib = -4\n[groups.cpu]\ncores = 4\n",
       "inventory.toml:4: 'memory_gib' must be above 0, not -4"},
      {"system = 't'\n[[groups]]\nhosts = 'a'\nmemory_gib = inf\n[groups.cpu]\ncores = 4\n",
       "inventory.toml:4: 'memory_gib' must be a finite number"},
      {"system = 't'\n[[groups]]\nhosts = 'a'\nmemory_gib = 4\nmemory_bytes = 4\n[groups.cpu]\ncores = 4\n",
       "inventory.toml:4: give 'memory_bytes' or 'memory_gib', not both"},
      {"system = 't'\n[[groups]]\nhosts = 'cn[3-1]'\nmemory_gib = 4\n[groups.cpu]\ncores = 4\n",
       "inventory.toml:3: hostlist 'cn[3-1]': range 3-1 runs backwards at character 4\n"
       "hint: write hosts as cn[001-098,100],login1"},
      {"system = 't'\n[[groups]]\nhosts = 'a'\nmemory_gib = 4\n[groups.cpu]\nsockets = 2\ncores = 5\n",
       "inventory.toml:7: 5 cores can't be shared by 2 equal sockets\n"
       "hint: 'cores' counts the physical cores of the whole node"},
      {"system = 't'\n[[groups]]\nhosts = 'a'\nmemory_gib = 4\n[groups.cpu]\ncores = 4\nbase_mhz = nan\n",
       "inventory.toml:7: 'base_mhz' must be a finite number"},
  }));
  CHECK(inventory_toml_refused(lines) == what);
}

TEST_CASE("contradictions between the parts of a group are refused with their lines") {
  CHECK(inventory_toml_refused(minimal + "[groups.usable]\ncores = 113\n") ==
        "inventory.toml:12: 113 cores are usable but the node has 112");
  CHECK(inventory_toml_refused(minimal + "[groups.usable]\nhardware_threads = 113\n") ==
        "inventory.toml:12: 113 hardware threads are usable but the node has 112 x 1");
  CHECK(inventory_toml_refused(minimal + "[groups.usable]\nmemory_gib = 2000\n") ==
        "inventory.toml:12: 1.95 TiB of memory are usable but the node has 1.46 TiB");
  CHECK(inventory_toml_refused(minimal +
                               "[[groups.nics]]\nname = 'a'\n[[groups.nics]]\nname = 'ib0'\ngpu = 1\n"
                               "[[groups.gpus]]\nmodel = 'x'\n") ==
        "inventory.toml:15: nic 'ib0' serves gpu 1 but nodes 'cn[1-4]' have 1 gpus\nhint: gpus are numbered "
        "from 0");
  CHECK(inventory_toml_refused(
            minimal +
            "[[groups]]\nname = 'fat'\nhosts = 'fat1,cn4'\nmemory_gib = 1\n[groups.cpu]\ncores = 1\n") ==
        "inventory.toml:13: host 'cn4' is already in group 'nodes' (inventory.toml:4)");
}

TEST_CASE("pods, rails and assumed keys that contradict the rest are refused with their lines") {
  CHECK(inventory_toml_refused(minimal + "[[pods]]\nname = 'a'\nhosts = 'cn[4-5]'\n") ==
        "inventory.toml:13: pod 'a' has host 'cn5', which is in no group");
  CHECK(inventory_toml_refused(
            minimal + "[[pods]]\nname = 'a'\nhosts = 'cn[1-2]'\n[[pods]]\nname = 'b'\nhosts = 'cn2'\n") ==
        "inventory.toml:16: host 'cn2' is already in pod 'a'");
  CHECK(inventory_toml_refused(minimal + "[[pods]]\nname = 'a'\n") ==
        "inventory.toml:11: 'hosts' is missing");
  CHECK(inventory_toml_refused(minimal + "[[groups.nics]]\nname = 'ib0'\nrail = 2\n[fabric]\nrails = 2\n") ==
        "inventory.toml:13: nic 'ib0' is on rail 2 but the fabric has 2\nhint: rails are numbered from 0");
  CHECK(inventory_toml_refused(minimal + "[fabric]\nassumed = ['rail']\n") ==
        "inventory.toml:12: 'assumed' names no key: 'rail' (did you mean 'rails'?)\n"
        "hint: write the key and the table it is in: cpu.base_mhz");
  CHECK(inventory_toml_refused(minimal + "[[storage]]\nname = 'l'\nassumed = ['x']\n") ==
        "inventory.toml:13: 'assumed' names no key: 'x'\n"
        "hint: write the key and the table it is in: cpu.base_mhz");
  CHECK(
      inventory_toml_refused("system = 't'\n[[groups]]\nhosts = 'a'\nassumed = ['base_mhz']\nmemory_gib = 1\n"
                             "[groups.cpu]\ncores = 1\n") ==
      "inventory.toml:4: 'assumed' names no key: 'base_mhz'\n"
      "hint: write the key and the table it is in: cpu.base_mhz");
  CHECK(inventory_toml_refused(minimal + "[[storage]]\nname = 'l'\nraw_gb = 3\n") ==
        "inventory.toml:13: 'raw_gb' may mean 10^9 or 2^30 bytes\nhint: write 'raw_gib' or 'raw_bytes'");
}

TEST_CASE("a host in one hostlist twice and a hostlist of more than a million are refused") {
  const auto with_hosts = [](const std::string& hosts) {
    return inventory_toml_refused("system = 't'\n[[groups]]\nhosts = '" + hosts +
                                  "'\nmemory_gib = 1\n[groups.cpu]\ncores = 1\n");
  };
  const std::string hint = "\nhint: write hosts as cn[001-098,100],login1";
  CHECK(with_hosts("cn[1-4],cn2") ==
        "inventory.toml:3: hostlist 'cn[1-4],cn2': host 'cn2' is listed twice at "
        "character 9" +
            hint);
  CHECK(with_hosts("cn[1-1000001]") ==
        "inventory.toml:3: hostlist 'cn[1-1000001]': more than 1000000 hosts at character 1" + hint);
  CHECK(with_hosts("cn[1-1000000]").empty());
}

TEST_CASE("a fabric, pods and storage are read and written") {
  const std::string more = R"([fabric]
technology = "RoCEv2"
rails = 2
mtu_bytes = 9000
[[pods]]
name = "a"
hosts = "cn[1-2]"
assumed = true
[[storage]]
name = "lustre"
usable_gib = 1024
inode_limit = 4000000000
[[groups.gpus]]
count = 2
[groups.gpus.peak]
fp64_tensor_tflops = 66.9
)";
  const auto inventory = inventory_from_toml(minimal + more, "t");
  REQUIRE(inventory);
  CHECK(inventory->fabric.rails == 2);
  CHECK(inventory->pods == std::vector<Pod>{{"a", "cn[1-2]", true}});
  CHECK(inventory->storage[0].usable_bytes == 1LL << 40);
  CHECK(inventory->groups[0].gpus[1].peak.fp64_tensor_tflops == 66.9);
  CHECK_FALSE(inventory->groups[0].gpus[1].peak.fp8_dense_tflops);
  const std::string text = inventory_toml(*inventory);
  CHECK_THAT(text, Catch::Contains("usable_bytes = 1099511627776  # 1 TiB\ninode_limit = 4000000000\n"));
  CHECK(inventory_from_toml(text, "t") == inventory);
}

TEST_CASE("unknown keys are refused with the nearest known one") {
  CHECK(refusal(minimal + "core = 3\n").what == "unknown key 'core' in [groups.cpu] (did you mean 'cores'?)");
  CHECK(refusal(minimal + "[[groups.mount]]\npath = '/'\n").what ==
        "unknown key 'mount' in [groups] (did you mean 'mounts'?)");
  CHECK(refusal(minimal + "[[groups.gpus]]\nmdoel = 'H100'\n").where == "inventory.toml:12");
  CHECK(inventory_toml_refused(minimal + "[[groups.gpus]]\nmemory_gb = 80\n") ==
        "inventory.toml:12: 'memory_gb' may mean 10^9 or 2^30 bytes\nhint: write 'memory_gib' or "
        "'memory_bytes'");
}

TEST_CASE("an inventory that was discovered may have an offline core") {
  const std::string text = "discovered = '2026-11-21T18:05:09Z'\n" + minimal + "threads_per_core = 1\n";
  CHECK(inventory_from_toml(text, "t"));
  std::string odd = text;
  odd.replace(odd.find("cores = 112"), 11, "cores = 111");
  CHECK(inventory_from_toml(odd, "t"));
}

TEST_CASE("equal GPUs are written as one table") {
  const auto inventory = inventory_from_toml(
      minimal +
          "[[groups.gpus]]\ncount = 8\nmodel = 'NVIDIA H100'\nuuids = ['a','b','c','d','e','f','g','h']\n",
      "t");
  REQUIRE(inventory);
  const std::string text = inventory_toml(*inventory);
  CHECK_THAT(
      text,
      Catch::Contains("[[groups.gpus]]\ncount = 8\nuuids = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", "
                      "\"h\"]\nmodel = \"NVIDIA H100\"\n"));
}

TEST_CASE("an inventory survives being written as TOML and read back") {
  rc::prop("inventory_from_toml(inventory_toml(i)) == i", [] {
    const Inventory inventory = drawn_inventory();
    const std::string text = inventory_toml(inventory);
    const auto again = inventory_from_toml(text, "drawn.toml");
    if (!again) RC_FAIL(to_string(again.error()) + "\n" + text);
    RC_ASSERT(*again == inventory);
    RC_ASSERT(inventory_toml(*again) == text);
  });
}
