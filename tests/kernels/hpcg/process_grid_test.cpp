#include "suites/hpcg/reference/geometry.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <map>

using namespace hpcg;

namespace {

std::int64_t surface(const Box& box) {
  return std::int64_t{box.x} * box.y + std::int64_t{box.y} * box.z + std::int64_t{box.x} * box.z;
}

/// The smallest surface of all grids of so many ranks.
std::int64_t least_surface(int ranks) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int x = 1; x <= ranks; ++x)
    for (int y = 1; ranks % x == 0 && y <= ranks / x; ++y)
      if (ranks / x % y == 0) least = std::min(least, surface({x, y, ranks / x / y}));
  return least;
}

}  // namespace

TEST_CASE("the process grid is made of all ranks and has the smallest surface") {
  for (int ranks = 1; ranks <= 1000; ++ranks) {
    const Box grid = process_grid(ranks);
    CAPTURE(ranks, grid.x, grid.y, grid.z);
    CHECK(grid.cells() == ranks);
    CHECK(surface(grid) == least_surface(ranks));
  }
}

TEST_CASE("of grids with the same surface it is the official program's") {
  const std::map<int, Box> official = {{1, {1, 1, 1}},  {2, {2, 1, 1}},  {3, {3, 1, 1}},   {4, {2, 2, 1}},
                                       {6, {2, 3, 1}},  {8, {2, 2, 2}},  {12, {2, 3, 2}},  {16, {4, 2, 2}},
                                       {18, {2, 3, 3}}, {30, {2, 3, 5}}, {784, {8, 7, 14}}};
  for (const auto& [ranks, grid] : official) {
    CAPTURE(ranks);
    CHECK(process_grid(ranks) == grid);
  }
}
