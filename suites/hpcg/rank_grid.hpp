#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::hpcg {

/// Three extents: of HPCG's process grid (npx, npy, npz) in ranks, or of one rank's domain (nx, ny, nz) in
/// rows.
struct Box {
  std::int64_t x = 1;
  std::int64_t y = 1;
  std::int64_t z = 1;
  [[nodiscard]] std::int64_t cells() const { return x * y * z; }
  friend bool operator==(const Box&, const Box&) = default;
};

/// Shortest over longest extent that HPCG accepts, of the process grid and of the local domain; below it the
/// program aborts.
///
/// Source: HPCG 3.1, main.cpp, CheckAspectRatio.cpp.
inline constexpr double least_aspect = 0.125;

double aspect(const Box& box);

/// "8 x 7 x 14".
std::string box_text(const Box& box);

/// The grid that HPCG itself chooses for so many ranks: of all products of three factors the one with the
/// smallest surface, the first of equals in HPCG's own order of trials, so that the axes agree, too
/// (784 -> 8 x 7 x 14, not 7 x 8 x 14). Fewer than four prime factors are laid out without a search, as HPCG
/// does. `ranks` must be positive.
///
/// Source: HPCG 3.1, ComputeOptimalShapeXYZ.cpp, MixedBaseCounter.cpp.
Box minimal_surface_grid(int ranks);

/// Whether HPCG runs on so many ranks: the grid's shape is not too flat.
bool is_good_rank_count(int ranks);

struct RankGrid {
  Box grid;
  bool pinned = false;
  std::vector<Reason> why;
  std::vector<std::string> warnings;
};

/// The process grid of `layout`'s ranks, HPCG's own or the pinned one (of npx, npy and npz two are enough).
///
/// Fails with rule HPCG-04 where the shape is too flat, naming the next smaller number of nodes (or of ranks,
/// on one node) that is good; and where a pinned grid is too flat or does not have as many cells as there are
/// ranks.
Result<RankGrid> rank_grid(const PlanRequest& request, const RankLayout& layout);

}  // namespace shakedown::hpcg
