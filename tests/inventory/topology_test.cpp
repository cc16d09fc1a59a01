#include "orchestrator/inventory/topology.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

TEST_CASE("hwloc's machine is counted in sockets, NUMA nodes, cores, hardware threads and caches") {
  const auto board = read_topology(
      "pack:2 [numa(memory=4294967296)] l3:1(size=33554432) l2:4(size=1048576) "
      "l1d:1(size=32768) core:1 pu:2");
  REQUIRE(board);
  CHECK(board->sockets == 2);
  CHECK(board->numa_nodes == 2);
  CHECK(board->threads_per_core == 2);
  CHECK(board->memory_bytes == 8LL << 30);
  CHECK(board->memory_of_numa_node == std::vector<std::int64_t>{4LL << 30, 4LL << 30});
  REQUIRE(board->threads_of_core.size() == 8);
  CHECK(board->threads_of_core[0] == std::vector{0, 1});
  CHECK(board->threads_of_core[7] == std::vector{14, 15});
  CHECK(board->caches == std::vector<Cache>{{1, 32768, 8}, {2, 1048576, 8}, {3, 33554432, 2}});
  CHECK_FALSE(board->this_machine);
}

TEST_CASE("a description that hwloc can't read is refused") {
  CHECK_FALSE(read_topology("nonsense:x"));
}
