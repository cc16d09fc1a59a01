#include "suites/hpcg/reference/geometry.hpp"

#include <utility>
#include <vector>

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

namespace {

using PrimePower = std::pair<int, int>;

/// Ascending; 1 counts as one factor.
std::vector<PrimePower> prime_factors(int number) {
  std::vector<PrimePower> factors;
  for (int prime = 2; prime <= number / prime; ++prime) {
    int count = 0;
    for (; number % prime == 0; number /= prime) ++count;
    if (count > 0) factors.emplace_back(prime, count);
  }
  if (number > 1 || factors.empty()) factors.emplace_back(number, 1);
  return factors;
}

int power(int base, int exponent) {
  int value = 1;
  for (int i = 0; i < exponent; ++i) value *= base;
  return value;
}

/// All divisors but 1; the exponent of the smallest prime runs fastest.
std::vector<int> divisors(const std::vector<PrimePower>& factors) {
  std::vector<int> list = {1};
  for (const auto& [prime, count] : factors) {
    const std::size_t lower = list.size();
    for (int exponent = 1; exponent <= count; ++exponent)
      for (std::size_t i = 0; i < lower; ++i) list.push_back(list[i] * power(prime, exponent));
  }
  list.erase(list.begin());
  return list;
}

Box smallest_surface(int ranks, const std::vector<PrimePower>& factors) {
  const std::vector<int> list = divisors(factors);
  Box best = {ranks, 1, 1};
  std::int64_t least = 2 * std::int64_t{ranks} + 1;
  for (const int x : list)
    for (const int y : list) {
      if (ranks / x % y != 0) continue;
      const int z = ranks / x / y;
      const std::int64_t surface = std::int64_t{x} * y + std::int64_t{y} * z + std::int64_t{x} * z;
      if (surface >= least) continue;
      least = surface;
      best = {x, y, z};
    }
  return best;
}

}  // namespace

Box process_grid(int ranks) {
  const std::vector<PrimePower> factors = prime_factors(ranks);
  const auto [p, count] = factors.front();
  if (factors.size() == 1) {
    const int third = count / 3;
    return {power(p, third + (count % 3 >= 1 ? 1 : 0)), power(p, third + (count % 3 >= 2 ? 1 : 0)),
            power(p, third)};
  }
  const auto [q, other] = factors[1];
  if (factors.size() == 2 && count + other == 2) return {p, q, 1};
  if (factors.size() == 2 && count + other == 3) return {p, q, count == 2 ? p : q};
  if (factors.size() == 3 && count + other + factors[2].second == 3) return {p, q, factors[2].first};
  return smallest_surface(ranks, factors);
}

}  // namespace hpcg
