#pragma once

#include <vector>

#include "suites/hpcg/reference/matrix.hpp"

namespace hpcg {

constexpr int kLevels = 4;

/// A grid of the multigrid cycle; the first is the problem's own.
struct Level {
  System system;
  Array<int> injected;  ///< of each point of the next grid, the row here; empty on the coarsest
  Vector residual;      ///< right-hand side on a coarse grid; empty on the first
  Vector correction;    ///< solution on a coarse grid, with a halo; empty on the first
};

/// The problem's grid and three coarser ones, each with half of the points in each direction. Collective.
/// Throws std::bad_alloc.
///
/// Source: HPCG 3.1, GenerateCoarseProblem.cpp.
std::vector<Level> generate_levels(const Geometry& finest);

}  // namespace hpcg
