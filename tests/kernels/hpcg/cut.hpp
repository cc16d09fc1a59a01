#pragma once
#include <rapidcheck.h>

#include <vector>

#include "suites/hpcg/reference/geometry.hpp"

namespace hpcg {

/// A small problem and how it is cut into boxes.
struct Cut {
  Box grid;
  Box local;
  Layers layers;

  [[nodiscard]] std::vector<Geometry> ranks() const {
    std::vector<Geometry> all;
    all.reserve(static_cast<std::size_t>(grid.cells()));
    for (int rank = 0; rank < grid.cells(); ++rank) all.push_back(geometry(rank, grid, local, layers));
    return all;
  }
};

/// Any, within rc::check; sides are multiples of `step`.
inline Cut any_cut(int step = 1) {
  const auto side = [step] { return step * *rc::gen::inRange(1, 5); };
  const auto ranks = [] { return *rc::gen::inRange(1, 4); };
  Cut cut{.grid = {ranks(), ranks(), ranks()}, .local = {side(), side(), side()}, .layers = {}};
  if (cut.grid.z > 1 && *rc::gen::arbitrary<bool>())
    cut.layers = {.pz = *rc::gen::inRange(1, cut.grid.z), .lower = side(), .upper = side()};
  return cut;
}

}  // namespace hpcg
