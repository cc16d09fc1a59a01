#include "suites/hpcg/reference/geometry.hpp"

namespace hpcg {

int Geometry::owner(std::int64_t x, std::int64_t y, std::int64_t z) const {
  const std::int64_t lower_points = std::int64_t{layers.pz} * layers.lower;
  const std::int64_t layer =
      z < lower_points ? z / layers.lower : layers.pz + (z - lower_points) / layers.upper;
  return static_cast<int>(x / local.x + grid.x * (y / local.y + grid.y * layer));
}

Geometry geometry(int rank, const Box& grid, const Box& local, const Layers& layers) {
  Geometry g;
  g.rank = rank;
  g.grid = grid;
  g.place = {rank % grid.x, rank / grid.x % grid.y, rank / grid.x / grid.y};
  g.layers = layers;
  if (layers.pz == 0) g.layers = {.pz = 0, .lower = local.z, .upper = local.z};
  const auto [pz, lower, upper] = g.layers;
  g.local = {local.x, local.y, g.place.z < pz ? lower : upper};
  const auto height = [&](int layer) {  // of the layers below it
    return layer < pz ? std::int64_t{layer} * lower
                      : std::int64_t{pz} * lower + std::int64_t{layer - pz} * upper;
  };
  g.global = {std::int64_t{grid.x} * local.x, std::int64_t{grid.y} * local.y, height(grid.z)};
  g.origin = {std::int64_t{g.place.x} * local.x, std::int64_t{g.place.y} * local.y, height(g.place.z)};
  return g;
}

Geometry coarser(const Geometry& fine) {
  return geometry(fine.rank, fine.grid, {fine.local.x / 2, fine.local.y / 2, fine.local.z / 2},
                  {fine.layers.pz, fine.layers.lower / 2, fine.layers.upper / 2});
}

}  // namespace hpcg
