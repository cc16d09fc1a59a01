#include <catch2/catch.hpp>
#include <map>

#include "tests/kernels/hpcg/cut.hpp"
#include "tests/kernels/hpcg/operator.hpp"

using namespace hpcg;

TEST_CASE("the ranks' boxes cover each point of the grid once, and everybody knows whose it is") {
  const bool holds = rc::check([] {
    const Cut cut = any_cut();
    const auto ranks = cut.ranks();
    std::map<Point, int> owners;
    for (const Geometry& g : ranks) {
      RC_ASSERT(g.global == ranks.front().global);
      RC_ASSERT(g.ranks() == static_cast<int>(ranks.size()));
      for (const Point& at : own_points(g)) RC_ASSERT(owners.emplace(at, g.rank).second);
    }
    RC_ASSERT(static_cast<std::int64_t>(owners.size()) == ranks.front().points());
    for (const auto& [at, rank] : owners) RC_ASSERT(ranks.back().owner(at[0], at[1], at[2]) == rank);
  });
  CHECK(holds);
}

TEST_CASE("ranks and points run fastest in x; layers below pz have one height, those above another") {
  const Geometry g = geometry(9, {2, 2, 3}, {4, 5, 0}, {.pz = 1, .lower = 6, .upper = 7});
  CHECK(g.place == Box{1, 0, 2});
  CHECK(g.local == Box{4, 5, 7});
  CHECK(g.origin == std::array<std::int64_t, 3>{4, 0, 13});
  CHECK(g.global == std::array<std::int64_t, 3>{8, 10, 20});
  CHECK(geometry(0, {2, 2, 3}, {4, 5, 0}, {.pz = 1, .lower = 6, .upper = 7}).local.z == 6);
}

TEST_CASE("a coarser grid has every second point, on the rank that has it already") {
  const bool holds = rc::check([] {
    for (const Geometry& fine : any_cut(2).ranks()) {
      const Geometry coarse = coarser(fine);
      for (std::size_t d = 0; d < 3; ++d) {
        RC_ASSERT(2 * coarse.global[d] == fine.global[d]);
        RC_ASSERT(2 * coarse.origin[d] == fine.origin[d]);
      }
      for (const Point& at : own_points(coarse)) {
        RC_ASSERT(coarse.owner(at[0], at[1], at[2]) == fine.rank);
        RC_ASSERT(fine.owner(2 * at[0], 2 * at[1], 2 * at[2]) == fine.rank);
      }
    }
  });
  CHECK(holds);
}
