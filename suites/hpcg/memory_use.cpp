#include "suites/hpcg/memory_use.hpp"

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::hpcg {
namespace {

constexpr double bytes_of_fine_row = 629;    // 27 x (4 + 8 + 8) + 4 pointers + 1 + x, b, xexact, r, Ap, z, p
constexpr double bytes_of_coarse_row = 601;  // 27 x (4 + 8 + 8) + 4 pointers + 1 + f2c, r, x, Axf
constexpr double bytes_of_halo_row = 16;     // two vectors reach into it
constexpr int coarse_levels = 3;

/// Rows of neighbours that rank 0 has a copy of: a layer on each axis with a neighbour.
double halo_rows(const Box& grid, const Box& local) {
  const Box with = {local.x + (grid.x > 1 ? 1 : 0), local.y + (grid.y > 1 ? 1 : 0),
                    local.z + (grid.z > 1 ? 1 : 0)};
  return static_cast<double>(with.cells() - local.cells());
}

double level_bytes(const Box& grid, const Box& local, double bytes_of_row) {
  return static_cast<double>(grid.cells()) *
         (bytes_of_row * static_cast<double>(local.cells()) + bytes_of_halo_row * halo_rows(grid, local));
}

}  // namespace

MemoryUse memory_use(const Box& grid, const Box& local) {
  MemoryUse use;
  use.linear_system = use.total = level_bytes(grid, local, bytes_of_fine_row);
  Box level = local;
  for (int i = 0; i < coarse_levels; ++i) {
    level = {level.x / 2, level.y / 2, level.z / 2};
    use.total += level_bytes(grid, level, bytes_of_coarse_row);
  }
  return use;
}

namespace {

constexpr double official_share = 0.25;

}  // namespace

ProblemMemory problem_memory(const PlanRequest& request, const RankLayout& layout) {
  const double fraction = request.implementation->memory_fraction;
  ProblemMemory memory;
  UsableMemory each;
  double units = layout.nodes;
  if (request.implementation->rank_per == "gpu") {
    each = usable_gpu_memory(*request.group);
    units = layout.ranks();
    memory.name = "GPU memory";
    memory.main = static_cast<double>(each.bytes) * units;
  } else {
    each = usable_host_memory(*request.group);
    memory.name = "main memory";
    memory.main = static_cast<double>(std::max(request.group->memory_bytes, each.bytes)) * units;
  }
  memory.usable = static_cast<double>(each.bytes) * units;
  memory.budget = fraction * memory.usable;
  memory.because =
      fmt::format("{:.2f} x {} {}", fraction, bytes_text(static_cast<double>(each.bytes)), each.because);
  return memory;
}

bool fits(const Box& grid, const Box& local, double bytes) {
  return local.cells() < most_rows && memory_use(grid, local).total <= bytes;
}

bool is_official(const Box& grid, const Box& local, const ProblemMemory& memory) {
  return memory_use(grid, local).total >= official_share * memory.main;
}

}  // namespace shakedown::hpcg
