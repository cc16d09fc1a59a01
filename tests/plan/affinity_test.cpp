#include "orchestrator/plan/rank_layout.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace shakedown;

namespace {

const AffinityOptions options = {"--gpu-affinity", "--ucx-affinity", "--cpu-affinity", "--mem-affinity"};

NodeGroup four_gpus() {
  NodeGroup node;
  node.cpu.cores = 16;
  node.cpu.numa_nodes = 2;
  for (const int numa : {1, 1, 0, 0}) {
    Gpu gpu;
    gpu.numa_node = numa;
    node.gpus.push_back(gpu);
  }
  const std::vector<std::pair<const char*, int>> nics = {
      {"mlx5_0", 0}, {"mlx5_4", 1}, {"mlx5_11", 3}, {"mlx5_2", 2}};
  for (const auto& [name, gpu] : nics) {
    Nic nic;
    nic.rdma_device = name;
    nic.gpu = gpu;
    node.nics.push_back(nic);
  }
  Nic storage;
  storage.rdma_device = "mlx5_8";
  node.nics.push_back(storage);
  return node;
}

}  // namespace

TEST_CASE("affinity follows the inventory's map, not the order of the devices") {
  CHECK(affinity_arguments(options, four_gpus()) ==
        std::vector<std::string>{"--gpu-affinity", "0:1:2:3", "--cpu-affinity", "8-11:12-15:0-3:4-7",
                                 "--mem-affinity", "1:1:0:0", "--ucx-affinity",
                                 "mlx5_0:mlx5_4:mlx5_2:mlx5_11"});
}

TEST_CASE("an affinity that the inventory does not tell is left out") {
  NodeGroup node = four_gpus();
  node.nics.pop_back();
  node.nics.pop_back();
  CHECK(gpu_nics(node).empty());
  node.gpus[0].numa_node = -1;
  CHECK(affinity_arguments(options, node) == std::vector<std::string>{"--gpu-affinity", "0:1:2:3"});
  CHECK(affinity_arguments(AffinityOptions(), four_gpus()).empty());
}

TEST_CASE("a GPU's rank has no more threads than the cores beside its GPU") {
  struct Row {
    int cores, numa;
    std::vector<int> gpus;  // their NUMA nodes
    int threads;
  };
  const Row rows[] = {{120, 2, {0}, 60},           // one GPU of two sockets: 0-59
                      {120, 1, {0}, 120},          //
                      {96, 2, {0, 0, 1, 1}, 24},   // even
                      {96, 2, {0, 0, 0, 1}, 16},   // 0-15, 16-31, 32-47; 48-95
                      {96, 2, {0, 0, 1, -1}, 24},  // not known: equal parts
                      {96, 4, {0, 1}, 24}};
  for (const Row& row : rows) {
    CAPTURE(row.cores, row.numa, row.gpus);
    NodeGroup node;
    node.cpu.cores = node.usable.cores = row.cores;
    node.cpu.numa_nodes = row.numa;
    for (const int numa : row.gpus) node.gpus.emplace_back().numa_node = numa;
    const auto layout = rank_layout("gpu", node, 1);
    REQUIRE(layout);
    CHECK(layout->threads_per_rank == row.threads);
  }
}

TEST_CASE("ranks that are bound in order lie beside their GPUs where these are in the cores' order") {
  NodeGroup node = four_gpus();  // on NUMA nodes 1, 1, 0, 0
  node.usable.cores = 16;
  CHECK_FALSE(ranks_lie_beside_gpus(node));
  std::ranges::reverse(node.gpus);
  CHECK(ranks_lie_beside_gpus(node));
  node.usable.cores = 12;
  CHECK_FALSE(ranks_lie_beside_gpus(node));
  node.usable.cores = 16;
  node.gpus.front().numa_node = -1;
  CHECK_FALSE(ranks_lie_beside_gpus(node));
}

TEST_CASE("ranks are not bound beside their GPUs where a job has not all cores") {
  NodeGroup node;
  node.cpu.cores = node.usable.cores = 16;
  node.cpu.numa_nodes = 1;
  for (int gpu = 0; gpu < 3; ++gpu) node.gpus.emplace_back().numa_node = 0;
  CHECK(ranks_lie_beside_gpus(node));  // 5 cores each: one is left
  node.usable.cpu_quota = 15.5;
  CHECK_FALSE(ranks_lie_beside_gpus(node));
  node.usable.cpu_quota = 0;
  node.usable.cores = 15;
  CHECK_FALSE(ranks_lie_beside_gpus(node));
}
