#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

namespace hpcg {

/// Three extents, of a domain in points or of the process grid in ranks.
struct Box {
  int x = 0;
  int y = 0;
  int z = 0;
  [[nodiscard]] std::int64_t cells() const { return std::int64_t{x} * y * z; }
  /// Shortest side over longest.
  [[nodiscard]] double aspect() const {
    const auto [least, most] = std::minmax({x, y, z});
    return static_cast<double>(least) / most;
  }
  friend bool operator==(const Box&, const Box&) = default;
};

/// Heights of local domains that differ by process layer: `lower` below layer `pz`, `upper` from it on.
/// With pz = 0 all are alike.
struct Layers {
  int pz = 0;
  int lower = 0;
  int upper = 0;
};

/// One grid of the problem, cut into a box of points for each rank.
struct Geometry {
  int rank = 0;
  Box grid;                              ///< ranks in each direction
  Box place;                             ///< of this rank in it
  Box local;                             ///< points of this rank
  Layers layers;                         ///< both heights are those of this grid
  std::array<std::int64_t, 3> global{};  ///< points of all
  std::array<std::int64_t, 3> origin{};  ///< of this rank in the global grid

  [[nodiscard]] int ranks() const { return static_cast<int>(grid.cells()); }
  [[nodiscard]] std::int64_t points() const { return global[0] * global[1] * global[2]; }
  /// The rank that owns a point of the global grid.
  [[nodiscard]] int owner(std::int64_t x, std::int64_t y, std::int64_t z) const;
};

/// The x-direction runs fastest, in points and in ranks.
Geometry geometry(int rank, const Box& grid, const Box& local, const Layers& layers);

/// Half of the points in each direction; sides must be even.
Geometry coarser(const Geometry& fine);

/// The grid that HPCG 3.1 gives `ranks`: of all products of three factors the one with the smallest surface.
///
/// Source: HPCG 3.1, ComputeOptimalShapeXYZ.cpp, with its order among equals.
Box process_grid(int ranks);

}  // namespace hpcg
