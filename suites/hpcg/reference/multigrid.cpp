#include "suites/hpcg/reference/multigrid.hpp"

namespace hpcg {
namespace {

/// Every second point in each direction.
Array<int> injected_points(const Box& fine, const Box& coarse) {
  Array<int> points(coarse.cells());
#pragma omp parallel for schedule(static)
  for (int z = 0; z < coarse.z; ++z)
    for (int y = 0; y < coarse.y; ++y)
      for (int x = 0; x < coarse.x; ++x)
        points[(z * coarse.y + y) * coarse.x + x] = (2 * z * fine.y + 2 * y) * fine.x + 2 * x;
  return points;
}

}  // namespace

std::vector<Level> generate_levels(const Geometry& finest) {
  std::vector<Level> levels;
  levels.push_back({.system = generate(finest), .injected = {}, .residual = {}, .correction = {}});
  while (levels.size() < kLevels) {
    Level& fine = levels.back();
    Level coarse{
        .system = generate(coarser(fine.system.geometry)), .injected = {}, .residual = {}, .correction = {}};
    fine.injected = injected_points(fine.system.geometry.local, coarse.system.geometry.local);
    coarse.residual = zeroes(coarse.system.rows());
    coarse.correction = zeroes(coarse.system.columns());
    levels.push_back(std::move(coarse));
  }
  return levels;
}

}  // namespace hpcg
