#include "orchestrator/plan/process_grid.hpp"

#include <cstdint>

namespace shakedown {
namespace {

/// The largest divisor of `ranks` that is a multiple of `step` and no larger than sqrt(ranks); 0: none.
int largest_row_count(int ranks, int step) {
  int largest = 0;
  for (std::int64_t P = step; P * P <= ranks; P += step)
    if (ranks % P == 0) largest = static_cast<int>(P);
  return largest;
}

}  // namespace

Result<ProcessGrid> squarest_grid(int ranks) {
  if (ranks < 1) return fail("HPL-05", fmt::format("a process grid needs at least one rank, not {}", ranks));
  const int P = largest_row_count(ranks, 1);
  return ProcessGrid{P, ranks / P};
}

Result<ProcessGrid> rail_aligned_grid(int ranks, int ranks_per_node) {
  if (ranks_per_node < 1)
    return fail("HPL-05", fmt::format("a node needs at least one rank, not {}", ranks_per_node));
  if (ranks < 1) return squarest_grid(ranks);
  const int P = largest_row_count(ranks, ranks_per_node);
  if (P == 0) return squarest_grid(ranks);
  return ProcessGrid{P, ranks / P};
}

}  // namespace shakedown
