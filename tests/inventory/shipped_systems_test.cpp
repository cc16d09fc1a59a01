#include <catch2/catch.hpp>

#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/inventory.hpp"

using namespace shakedown;

namespace {

const std::filesystem::path systems = std::filesystem::path(PROJECT_FOLDER) / "orchestrator/systems";

}  // namespace

TEST_CASE("every shipped system can be read, is named as its file and says what it assumes") {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(systems)) {
    CAPTURE(entry.path());
    const auto inventory = read_inventory(entry.path());
    if (!inventory) FAIL(to_string(inventory.error()));
    CHECK(inventory->system == entry.path().stem());
    CHECK_FALSE(inventory->source.empty());
    CHECK(inventory->discovered.empty());
    CHECK(heterogeneity(*inventory).empty());
    for (const NodeGroup& group : inventory->groups) CHECK_FALSE(group.assumed.empty());
    ++count;
  }
  CHECK(count >= 4);
}

TEST_CASE("SAKURAONE is as its Tables 1 to 4 say") {
  const auto inventory = read_inventory(systems / "sakuraone.toml");
  REQUIRE(inventory);
  CHECK(inventory->nodes() == 100);
  REQUIRE(inventory->groups.size() == 1);
  const NodeGroup& node = inventory->groups[0];
  CHECK(node.hosts == "cn[001-100]");
  CHECK(node.cpu.cores == 120);
  CHECK(node.gpus.size() == 8);
  CHECK(node.gpus[0].sm_count == 132);
  CHECK(node.gpus[0].peak.fp64_tensor_tflops == 66.9);
  std::vector<std::string> of_gpu(8);
  int storage = 0;
  for (const Nic& nic : node.nics) {
    if (nic.gpu) {
      CHECK(nic.role == "compute");
      CHECK(nic.rail == nic.gpu);
      of_gpu[static_cast<size_t>(*nic.gpu)] = nic.rdma_device;
    }
    storage += nic.role == "storage" ? 1 : 0;
  }
  CHECK(of_gpu == std::vector<std::string>{"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_4", "mlx5_5", "mlx5_6",
                                           "mlx5_7", "mlx5_11"});
  CHECK(storage == 2);
  REQUIRE(inventory->pods.size() == 2);
  CHECK((inventory->pods[0].assumed && inventory->pods[1].assumed));
  CHECK(inventory->fabric.rails == 8);
  REQUIRE(inventory->storage.size() == 1);
  CHECK(inventory->storage[0].servers == 4);
  CHECK(inventory->storage[0].usable_bytes == 2'000'000'000'000'000);
}
