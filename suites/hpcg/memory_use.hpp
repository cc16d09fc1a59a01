#pragma once
#include "suites/hpcg/box.hpp"

namespace shakedown::hpcg {

/// Memory that HPCG counts for its data, all ranks, in bytes. What an optimised build holds beside it, or
/// does without, is not in it.
struct MemoryUse {
  double linear_system = 0;  ///< matrix and vectors of the finest level
  double total = 0;          ///< with the three coarser levels of the multigrid
};

/// HPCG's own model: 629 bytes a row of the finest level and 601 of each coarser one, which has an eighth of
/// the rows, and 16 bytes a halo row. As HPCG does, every rank's halo is counted as that of rank 0.
///
/// Source: HPCG 3.1, ReportResults.cpp, "Memory usage model" (its structs of a few hundred bytes are left
/// out).
MemoryUse memory_use(const Box& grid, const Box& local);

}  // namespace shakedown::hpcg
