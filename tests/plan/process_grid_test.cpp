#include "orchestrator/plan/planned_grid.hpp"

#include <rapidcheck.h>
#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

struct Row {
  int ranks;
  int ranks_per_node;
  ProcessGrid grid;
};

}  // namespace

TEST_CASE("the rail-aligned grid keeps process rows on one rail") {
  const Row rows[] = {{784, 8, {16, 49}}, {768, 8, {24, 32}}, {800, 8, {16, 50}}, {792, 8, {24, 33}},
                      {776, 8, {8, 97}},  {80, 8, {8, 10}},   {64, 8, {8, 8}},    {72, 4, {8, 9}}};
  for (const Row& row : rows) {
    CAPTURE(row.ranks);
    CHECK(rail_aligned_grid(row.ranks, row.ranks_per_node) == row.grid);
  }
}

TEST_CASE("half as many nodes as a node has ranks, and more, stay on the rails as ranks of a node x nodes") {
  CHECK(rail_aligned_grid(32, 8) == ProcessGrid{8, 4});
  CHECK(rail_aligned_grid(40, 8) == ProcessGrid{8, 5});
  CHECK(rail_aligned_grid(48, 8) == ProcessGrid{8, 6});
  CHECK(rail_aligned_grid(56, 8) == ProcessGrid{8, 7});
  CHECK(rail_aligned_grid(8, 4) == ProcessGrid{4, 2});
  CHECK(rail_aligned_grid(18, 6) == ProcessGrid{6, 3});
}

TEST_CASE("where that would be more than twice as tall as wide, the rail-aligned grid is the squarest") {
  CHECK(rail_aligned_grid(16, 8) == ProcessGrid{4, 4});
  CHECK(rail_aligned_grid(24, 8) == ProcessGrid{4, 6});
  CHECK(rail_aligned_grid(12, 6) == ProcessGrid{3, 4});
  CHECK(rail_aligned_grid(7, 8) == ProcessGrid{1, 7});
}

TEST_CASE("the squarest grid has P <= Q") {
  CHECK(squarest_grid(1) == ProcessGrid{1, 1});
  CHECK(squarest_grid(2) == ProcessGrid{1, 2});
  CHECK(squarest_grid(8) == ProcessGrid{2, 4});
  CHECK(squarest_grid(96) == ProcessGrid{8, 12});
  CHECK(squarest_grid(784) == ProcessGrid{28, 28});
  CHECK(squarest_grid(97) == ProcessGrid{1, 97});
}

TEST_CASE("a grid of no ranks is refused") {
  CHECK(to_string(squarest_grid(0).error()) == "HPL-05: a process grid needs at least one rank, not 0");
  CHECK(to_string(rail_aligned_grid(-8, 8).error()) ==
        "HPL-05: a process grid needs at least one rank, not -8");
  CHECK(to_string(rail_aligned_grid(8, 0).error()) == "HPL-05: a node needs at least one rank, not 0");
}

TEST_CASE("a grid holds all ranks, is at most twice as tall as wide, and aligns whenever it can") {
  const bool holds = rc::check([] {
    const int per_node = *rc::gen::inRange(1, 17);
    const int ranks = per_node * *rc::gen::inRange(1, 400);
    const ProcessGrid aligned = rail_aligned_grid(ranks, per_node).value();
    const ProcessGrid square = squarest_grid(ranks).value();
    RC_ASSERT(aligned.ranks() == ranks);
    RC_ASSERT(square.ranks() == ranks);
    RC_ASSERT(aligned.P <= aligned.Q || (aligned.P == per_node && aligned.P <= 2 * aligned.Q));
    RC_ASSERT(square.P <= square.Q);
    for (int P = square.P + 1; P <= ranks / P; ++P) RC_ASSERT(ranks % P != 0);
    if (aligned.P % per_node != 0)
      for (int P = per_node; P <= ranks / P; P += per_node) RC_ASSERT(ranks % P != 0);
  });
  CHECK(holds);
}
