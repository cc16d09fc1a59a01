#include "orchestrator/inventory/slurm.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "tests/cpu_time.hpp"

using namespace shakedown;

namespace {

std::string node_line(const std::string& fields) {
  return "NodeName=cn1 Arch=x86_64 CoresPerSocket=4 CPUTot=8 Gres=(null) OS=Linux 6.1.0 #1 SMP x "
         "RealMemory=1000 Sockets=2 Boards=1 State=IDLE ThreadsPerCore=1 " +
         fields;
}

std::string slurm_refused(std::string_view text) {
  const auto inventory = inventory_from_slurm(text);
  return inventory ? "" : to_string(inventory.error());
}

}  // namespace

TEST_CASE("the nodes of a real Slurm become groups of equal nodes") {
  const auto text = file_content(fs::path(TEST_FOLDER) / "fixtures/inventory/slurm-nodes.txt");
  REQUIRE(text);
  const auto inventory = inventory_from_slurm(*text);
  REQUIRE(inventory);
  REQUIRE(inventory->groups.size() == 3);
  const NodeGroup& gpu = inventory->groups[0];
  CHECK(gpu.hosts == "cn[001-002]");
  CHECK(gpu.cpu.sockets == 2);
  CHECK(gpu.cpu.cores == 120);
  CHECK(gpu.cpu.threads_per_core == 2);
  CHECK(gpu.usable.hardware_threads == 240);
  CHECK(gpu.memory_bytes == 1547000LL * 1024 * 1024);
  REQUIRE(gpu.gpus.size() == 8);
  CHECK(gpu.gpus[0].model == "h100");
  CHECK(gpu.usable.slurm_gpus == 8);  // jobs ask for them
  CHECK(gpu.software.kernel == "6.18.44-fc-v595");
  CHECK(inventory->groups[1].hosts == "cn003");
  CHECK(inventory->groups[1].gpus.size() == 7);
  CHECK(inventory->groups[1].usable.slurm_gpus == 7);
  CHECK(inventory->notes ==
        std::vector<std::string>{
            "cn004: excluded, Slurm gives them no jobs (IDLE+DRAIN, 'bad GPU State=IDLE, see 7')"});
  CHECK(heterogeneity(*inventory).front() == "login1: 1 socket where 3 nodes have 2");
}

TEST_CASE("what Slurm keeps from jobs is not usable") {
  const auto text = file_content(fs::path(TEST_FOLDER) / "fixtures/inventory/slurm-nodes.txt");
  REQUIRE(text);
  const std::vector<std::string> only = {"login1"};
  const auto inventory = inventory_from_slurm(*text, only);
  REQUIRE(inventory);
  REQUIRE(inventory->groups.size() == 1);
  const NodeGroup& login = inventory->groups[0];
  CHECK(login.cpu.cores == 8);
  CHECK(login.usable.cores == 6);
  CHECK(login.usable.memory_bytes == 60000LL * 1024 * 1024);
  CHECK(login.usable.limited_by ==
        std::vector<std::string>{"Slurm keeps 2 of 8 cores",
                                 "Slurm's MemSpecLimit keeps 3.91 GiB of 62.5 GiB"});
  CHECK(inventory->notes.empty());
}

TEST_CASE("cores that are kept by a list of CPUs are counted by their threads") {
  const auto inventory = inventory_from_slurm(node_line("CPUSpecList=0-1,8-9,15"));
  REQUIRE(inventory);
  CHECK(inventory->groups[0].usable.cores == 3);
}

TEST_CASE("a Gres list is read in each of its spellings") {
  const auto [gres, expected] = GENERATE(table<std::string, std::vector<SlurmGpus>>({
      {"(null)", {}},
      {"", {}},
      {"gpu:8", {{"", 8}}},
      {"gpu:h100:8", {{"h100", 8}}},
      {"gpu:h100:8(S:0-1)", {{"h100", 8}}},
      {"gpu:a100:4(S:0,1),nvme:1", {{"a100", 4}}},
      {"gpu:a100:4,gpu:v100:2", {{"a100", 4}, {"v100", 2}}},
      {"lustre:no_consume:1,gpu:tesla", {{"tesla", 1}}},
      {"gpu", {{"", 1}}},
      {"gpu:a100_1g.5gb:7(IDX:0-6)", {{"a100_1g.5gb", 7}}},
      {"gpu:0", {}},
      {"shard:16", {}},
  }));
  CAPTURE(gres);
  const auto gpus = gpus_of_gres(gres);
  REQUIRE(gpus);
  CHECK(*gpus == expected);
}

TEST_CASE("a Gres list with a wrong count is refused") {
  CHECK(gpus_of_gres("gpu:h100:many").error().what == "'gpu:h100:many' is no number of GPUs");
  CHECK_FALSE(gpus_of_gres("gpu:h100:-1"));
  CHECK_FALSE(gpus_of_gres("gpu:999999999"));
}

TEST_CASE("GPUs that only the node's TRES count are found") {
  std::string line = node_line("CfgTRES=cpu=8,mem=1000M,billing=8,gres/gpu=4,gres/gpu:a100=4 AllocTRES=");
  const auto inventory = inventory_from_slurm(line);
  REQUIRE(inventory);
  REQUIRE(inventory->groups[0].gpus.size() == 4);
  CHECK(inventory->groups[0].gpus[0].model == "a100");
}

TEST_CASE("nodes in states in which Slurm starts no job are left out") {
  for (const char* state : {"DOWN", "DOWN*", "DOWN*+DRAIN", "IDLE+DRAIN", "IDLE*", "MIXED+DRAIN", "DRAINING",
                            "UNKNOWN+DRAIN+INVALID_REG", "FUTURE", "IDLE+NOT_RESPONDING", "ALLOCATED*",
                            "FAIL", "ERROR", "IDLE*+PLANNED", ""}) {
    CAPTURE(state);
    CHECK(why_no_jobs(state).has_value());
  }
  for (const char* state :
       {"IDLE", "MIXED", "ALLOCATED", "IDLE+RESERVED", "ALLOCATED+MAINTENANCE", "IDLE#", "IDLE~", "MIXED-",
        "COMPLETING", "IDLE+PLANNED", "IDLE+CLOUD", "IDLE@", "IDLE$"}) {
    CAPTURE(state);
    CHECK_FALSE(why_no_jobs(state).has_value());
  }
}

TEST_CASE("a node that saves power is not down") {
  for (const char* state : {"DOWN", "DOWN*+DRAIN", "IDLE+DRAIN", "IDLE*", "IDLE+NOT_RESPONDING", "FAIL", ""})
    CHECK(is_down(state));
  for (const char* state : {"IDLE", "ALLOCATED+MAINTENANCE", "IDLE+POWERED_DOWN", "IDLE+POWERING_DOWN"})
    CHECK_FALSE(is_down(state));
}

TEST_CASE("values of a Slurm record may hold blanks, '=' and other keys") {
  const SlurmRecord record(
      "NodeName=cn1 OS=Linux 6.1 #1 SMP X=1  State=DOWN*  AllocTRES= Reason=State=UP OS=gone [root@x] ");
  CHECK(record.value("OS") == "Linux 6.1 #1 SMP X=1");
  CHECK(record.value("State") == "DOWN*");
  CHECK(record.value("AllocTRES").empty());
  CHECK(record.value("Reason") == "State=UP OS=gone [root@x]");
  CHECK(record.value("Comment").empty());
  CHECK(SlurmRecord("Gres=(null) CapWatts=n/a").value("Gres").empty());
}

TEST_CASE("a node of which Slurm says little is read with what there is") {
  const auto inventory = inventory_from_slurm("NodeName=a State=IDLE");
  REQUIRE(inventory);
  CHECK(inventory->groups[0].hosts == "a");
  CHECK(inventory->groups[0].cpu.cores == 1);
}

TEST_CASE("text that is not scontrol's is refused with its line") {
  CHECK(slurm_refused("\nhello\n") ==
        "scontrol show node:2: is no line of a node\nhint: expected what `scontrol show node -o` prints: "
        "NodeName=...");
  CHECK(slurm_refused(node_line("") + "\n" + node_line("")) ==
        "scontrol show node:2: node 'cn1' is listed twice");
  CHECK(slurm_refused("NodeName=cn1 State=IDLE Sockets=0") ==
        "scontrol show node:1: Sockets = '0' is no number of at least 1\nhint: this is what `scontrol show "
        "node -o` printed");
  CHECK(slurm_refused("NodeName=cn1 State=IDLE RealMemory=99999999999999999999").find("RealMemory") !=
        std::string::npos);
  CHECK(slurm_refused("NodeName=cn1 State=IDLE Gres=gpu:x:y") ==
        "scontrol show node:1: 'gpu:x:y' is no number of GPUs");
  CHECK(slurm_refused("") == "Slurm: there is no node");
  CHECK(slurm_refused("NodeName=cn1 State=DOWN Reason=dead [root@x]") ==
        "Slurm: no node takes jobs\nhint: cn1: excluded, Slurm gives them no jobs (DOWN, 'dead')");
}

TEST_CASE("12,500 nodes of Slurm are read in less than a second") {
  std::string text;
  for (int i = 1; i <= 12'500; ++i)
    text += fmt::format(
        "NodeName=cn{:05} Arch=x86_64 CoresPerSocket=60 CPUAlloc=0 CPUEfctv=240 CPUTot=240 CPULoad={} "
        "AvailableFeatures=h100,ib ActiveFeatures=h100,ib Gres=gpu:h100:8(S:0-1) NodeAddr=10.0.0.1 "
        "NodeHostName=cn{} Port=6818 Version=22.05.8 OS=Linux 5.14.0-427.el9 #1 SMP PREEMPT_DYNAMIC  "
        "RealMemory=1547000 AllocMem=0 FreeMem={} Sockets=2 Boards=1 State=IDLE ThreadsPerCore=2 TmpDisk=0 "
        "Weight=1 Owner=N/A MCS_label=N/A Partitions=batch BootTime=2026-11-21T17:55:20 CfgTRES=cpu=240\n",
        i, i * 0.01, i, 1'000'000 + i);
  const CpuTime took;
  const auto inventory = inventory_from_slurm(text);
  const double seconds = took.seconds();
  REQUIRE(inventory);
  CHECK(inventory->groups.size() == 1);
  CHECK(inventory->groups[0].hosts == "cn[00001-12500]");
  CAPTURE(seconds);
#ifdef __SANITIZE_ADDRESS__
  CHECK(seconds < 10);
#else
  CHECK(seconds < 1);
#endif
}

TEST_CASE("the leaf switches of Slurm's topology are the pods of the nodes behind them") {
  const std::vector<std::string> hosts = {"cn1", "cn2", "cn3", "cn9"};
  const std::string_view tree =
      "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=cn[1-2]\nSwitchName=leaf2 Level=0 LinkSpeed=1 "
      "Nodes=cn[3-4]\n"
      "SwitchName=spine Level=1 LinkSpeed=1 Nodes=cn[1-4] Switches=leaf[1-2]\n";
  CHECK(pods_from_slurm(tree, hosts) ==
        std::vector<Pod>{{"leaf1", "cn[1-2]", false}, {"leaf2", "cn3", false}});
  CHECK(pods_from_slurm("BlockName=b1 BlockIndex=0 Nodes=cn[1-2]\nBlockName=b2 BlockIndex=1 Nodes=cn[3,9]\n",
                        hosts) == std::vector<Pod>{{"b1", "cn[1-2]", false}, {"b2", "cn[3,9]", false}});
  // One switch for all, and what is no topology.
  CHECK(pods_from_slurm("SwitchName=s0 Level=0 LinkSpeed=1 Nodes=cn[1-9]\n", hosts).empty());
  CHECK(pods_from_slurm("No topology information available\n", hosts).empty());
  // A node that two leaves list, on two rails, is in the first one's pod alone: an inventory has it once.
  CHECK(pods_from_slurm("SwitchName=a Level=0 Nodes=cn[1-2]\nSwitchName=b Level=0 Nodes=cn[1-3]\n", hosts) ==
        std::vector<Pod>{{"a", "cn[1-2]", false}, {"b", "cn3", false}});
}
