#include "suites/hpcg/problem_memory.hpp"

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/memory.hpp"
#include "suites/hpcg/memory_use.hpp"

namespace shakedown::hpcg {
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
