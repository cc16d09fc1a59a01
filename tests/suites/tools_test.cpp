// The tools that a site has beside the suites: their command lines, sizes and time limits.
#include <catch2/catch.hpp>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "tests/suites/gpu_nodes.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

std::string line_of(const Case& planned) {
  return planned.program.substr(planned.program.find_last_of('/') + 1) + " " + joined(planned.arguments, " ");
}

Case tool(const NodeGroup& node, const char* suite, const char* id, Wish wish = {}) {
  const auto made = planned(node, shipped(suite, id), std::move(wish));
  if (!made) FAIL(to_string(made.error()));
  return *made;
}

Error refusal(const NodeGroup& node, const char* suite, const char* id, Wish wish = {}) {
  const auto made = planned(node, shipped(suite, id), std::move(wish));
  REQUIRE_FALSE(made.has_value());
  return made.error();
}

}  // namespace

TEST_CASE("tools are screens that are planned only by name") {
  for (const char* id : {"nccl", "osu", "fio", "nvbandwidth", "gpu-burn", "dcgm"}) {
    INFO(id);
    CHECK(suite_called(id).only_by_name);
    CHECK(is_screen(id));
  }
  for (const char* id : {"hpl", "gemm", "stream"}) CHECK_FALSE(suite_called(id).only_by_name);
}

TEST_CASE("nccl-tests runs one process a GPU, 8 bytes to 8 GiB, as its README does") {
  const Case planned = tool(sakuraone_nodes(8), "nccl", "nvidia-all_reduce");
  CHECK(planned.id == "nccl-nvidia-all_reduce-8n");
  CHECK(planned.screen);
  CHECK(planned.parser == "nccl");
  CHECK(planned.ranks == 64);
  CHECK(line_of(planned) == "all_reduce_perf -b 8 -e 8589934592 -f 2 -g 1 -n 20 -w 5 -c 1");
  // 62 sizes' bytes x 2 placements x 26 calls x 2 x 63/64 at a tenth of 400 GB/s, start included.
  const Prediction wall = prediction(planned, "wall_time_s");
  CHECK(wall.low < wall.value);
  CHECK(wall.value < wall.high);
  CHECK(wall.high ==
        Approx(2 * (20 + 64 * 0.05) + 2 * 26 * (2 * 8 * gibi * 2 * 63 / 64 / 40e9)).epsilon(0.05));
  CHECK(planned.time_limit_s == std::ceil(1.5 * wall.high + 120));
  CHECK(planned.model.text.find("the links of a node bear 400 GB/s") != std::string::npos);
  CHECK(line_of(tool(mi300x_nodes(2), "nccl", "amd-sendrecv")) ==
        "sendrecv_perf -b 8 -e 8589934592 -f 2 -g 1 -n 20 -w 5 -c 1");
}

TEST_CASE("messages of nccl-tests and their copies fit the GPU, or are refused where they are pinned") {
  NodeGroup node = sakuraone_nodes(2);
  for (Gpu& gpu : node.gpus) gpu.memory_bytes = static_cast<std::int64_t>(15.8 * gibi);
  // (15.8 - 1 - 1) / 3 GiB hold 4 GiB.
  CHECK(parameter(tool(node, "nccl", "nvidia-alltoall"), "max_bytes") == 4 * gibi);
  const Error error =
      refusal(node, "nccl", "nvidia-alltoall", {.pins = {{"max_bytes", std::int64_t{8589934592}}}});
  CHECK(error.where == "pin max_bytes");
  CHECK(parameter(tool(node, "nccl", "nvidia-alltoall", {.pins = {{"max_bytes", std::int64_t{1 << 30}}}}),
                  "max_bytes") == gibi);
  NodeGroup one = h100_nodes("one");
  one.gpus.resize(1);
  CHECK(refusal(one, "nccl", "nvidia-all_reduce").where == "ranks");
  CHECK(refusal(cpu_nodes(2), "nccl", "nvidia-all_reduce").where == "requirements");
}

TEST_CASE("OSU's tests between two processes take a pair of nodes, or two processes of one") {
  const Case pair = tool(sakuraone_nodes(2), "osu", "official-bw");
  CHECK(pair.ranks == 2);
  CHECK(pair.ranks_per_node == 1);
  CHECK(line_of(pair) == "osu_bw -c");
  // 400 Gbit/s are 50,000 MB/s.
  CHECK(prediction(pair, "bandwidth_mb_s").low == 0.75 * 50000);
  CHECK(prediction(pair, "bandwidth_mb_s").high == 2 * 50000);
  const Case alone = tool(two_core_node(), "osu", "official-latency");
  CHECK(alone.ranks == 2);
  CHECK(alone.nodes == 1);
  CHECK(prediction(alone, "bandwidth_mb_s").metric.empty());
  const Error many = refusal(sakuraone_nodes(3), "osu", "official-latency");
  CHECK(many.where == "ranks");
  CHECK(many.hint.find("nodes = [2]") != std::string::npos);
}

TEST_CASE("OSU's pairs and collectives take all nodes") {
  const Case pairs = tool(sakuraone_nodes(98), "osu", "official-mbw_mr");
  CHECK(pairs.ranks == 98);
  CHECK(prediction(pairs, "bandwidth_mb_s").low == 0.75 * 50000 * 49);
  CHECK(refusal(sakuraone_nodes(97), "osu", "official-mbw_mr").hint == "nodes = [96]");
  const Case sum = tool(cpu_nodes(4), "osu", "official-allreduce");
  CHECK(sum.ranks == 4 * 192);
  CHECK(line_of(sum) == "osu_allreduce -c -T mpi_float");
  // A table is whole at 1 MiB: 1000 nodes need more than the program's 512 MiB.
  CHECK(line_of(tool(cpu_nodes(100), "osu", "official-alltoall")) == "osu_alltoall -c -M 536870912");
  CHECK(line_of(tool(cpu_nodes(1000), "osu", "official-alltoall")) == "osu_alltoall -c -M 1048576000");
  CHECK(line_of(tool(two_core_node(), "osu", "official-bw", {.pins = {{"iterations", std::int64_t{2}}}})) ==
        "osu_bw -c -i 2");
}

TEST_CASE("fio runs SuperBench's job on a folder of a node") {
  const Case planned =
      tool(two_core_node(), "fio", "official-rand_read", {.pins = {{"directory", std::string("/scratch")}}});
  CHECK(line_of(planned) ==
        "fio --name=rand_read --rw=randread --bs=4k --numjobs=4 --size=8192M --runtime=60 --time_based=1 "
        "--ramp_time=10 --randrepeat=1 --ioengine=libaio --iodepth=64 --direct=1 --norandommap=1 --thread=1 "
        "--group_reporting=1 --unlink=1 --output-format=json --directory=/scratch "
        "--filename_format=vm.$jobname.$jobnum.$filenum");
  CHECK(planned.launcher.empty());
  // 32 GiB at 200 MiB/s are 164 s.
  CHECK(prediction(planned, "wall_time_s").high == Approx(70 + 163.84));
  CHECK(planned.time_limit_s == std::ceil(2 * (70 + 163.84) + 120));
  const Case here = tool(two_core_node(), "fio", "official-seq_write", {.time_s = 5});
  CHECK(mentions(here.arguments, "--directory={run}"));
  CHECK(mentions(here.arguments, "--runtime=5"));
  CHECK(mentions(here.arguments, "--ramp_time=5"));
  CHECK(mentions(here.warnings, "the file system of the run directory is measured"));
}

TEST_CASE("fio's files fit the disk, on one node, in an absolute folder") {
  NodeGroup node = two_core_node();
  node.mounts = {{"/", "ext4", "", 0, static_cast<std::int64_t>(1000 * gibi), true},
                 {"/scratch", "xfs", "", 0, static_cast<std::int64_t>(16 * gibi), true}};
  const Error error =
      refusal(node, "fio", "official-seq_read", {.pins = {{"directory", std::string("/scratch/fio")}}});
  CHECK(error.where == "space");
  CHECK(error.what.find("/scratch has 16 GiB free") != std::string::npos);
  CHECK(planned(node, shipped("fio", "official-seq_read"),
                {.pins = {{"directory", std::string("/scratchy")}}}));
  CHECK(refusal(node, "fio", "official-seq_read", {.pins = {{"directory", std::string("scratch")}}}).where ==
        "pin directory");
  CHECK(refusal(cpu_nodes(2), "fio", "official-seq_read").hint ==
        "each_node = true in [[runs]], or --nodes 1");
}

TEST_CASE("nvbandwidth copies to and from the host, and between GPUs where there are several") {
  const Case eight = tool(sakuraone_nodes(1), "nvbandwidth", "nvidia");
  CHECK(line_of(eight) ==
        "nvbandwidth -j -t host_to_device_memcpy_ce device_to_host_memcpy_ce device_to_device_memcpy_read_ce "
        "device_to_device_memcpy_write_ce");
  NodeGroup one = h100_nodes("one");
  one.gpus.resize(1);
  CHECK(line_of(tool(one, "nvbandwidth", "nvidia")) ==
        "nvbandwidth -j -t host_to_device_memcpy_ce device_to_host_memcpy_ce");
  CHECK(eight.time_limit_s > prediction(eight, "wall_time_s").high);
  CHECK(refusal(mi300x_nodes(1), "nvbandwidth", "nvidia").where == "requirements");
}

TEST_CASE("gpu-burn burns as long as the run's minutes, and dcgmi diag at its level") {
  const Case burn = tool(sakuraone_nodes(1), "gpu-burn", "official",
                         {.time_s = 600, .pins = {{"compare", std::string("/opt/gpu-burn/compare.fatbin")}}});
  CHECK(line_of(burn) == "gpu_burn -tc -c /opt/gpu-burn/compare.fatbin 600");
  CHECK(burn.time_limit_s == 600 + 40 + 60 + 120);
  const Error taken = refusal(sakuraone_nodes(1), "gpu-burn", "official",
                              {.pins = {{"compare", std::string("/sw/gpu-burn-driver/compare.fatbin")}}});
  CHECK(taken.what == "gpu_burn takes the '-d' in '/sw/gpu-burn-driver/compare.fatbin' for its option");
  const Case plain = tool(sakuraone_nodes(1), "gpu-burn", "official");
  CHECK(line_of(plain) == "gpu_burn -tc 300");
  CHECK(mentions(plain.warnings, "compare = \"/opt/gpu-burn/compare.fatbin\""));

  const Case diag = tool(sakuraone_nodes(1), "dcgm", "nvidia");
  CHECK(line_of(diag) == "dcgmi diag -r 3 -j");
  CHECK(diag.time_limit_s == 1.5 * 1800 + 120);
  CHECK(line_of(tool(sakuraone_nodes(1), "dcgm", "nvidia", {.pins = {{"level", std::int64_t{1}}}})) ==
        "dcgmi diag -r 1 -j");
  CHECK(refusal(sakuraone_nodes(1), "dcgm", "nvidia", {.pins = {{"level", std::int64_t{5}}}}).where ==
        "pin level");
  CHECK(refusal(sakuraone_nodes(2), "dcgm", "nvidia").where == "one node");
}
