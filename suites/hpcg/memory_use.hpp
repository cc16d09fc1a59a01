#pragma once
#include <cstdint>
#include <string>

#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/hpcg/rank_grid.hpp"

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
/// Source: HPCG 3.1, ReportResults.cpp, "Memory usage model" (without its structs of a few hundred bytes).
MemoryUse memory_use(const Box& grid, const Box& local);

/// A rank's domain must have fewer rows: its nonzeros, 27 a row, are counted with 32 bits.
///
/// Source: HPCG 3.1, Geometry.hpp (local_int_t), GenerateProblem_ref.cpp.
inline constexpr std::int64_t most_rows = (std::int64_t{1} << 31) / 27;

/// The memory that the problem is to fill, of all ranks, in bytes; 0: not known.
struct ProblemMemory {
  double main = 0;      ///< what the quarter of an official run refers to (HPCG-03)
  double usable = 0;    ///< what a domain must fit into
  double budget = 0;    ///< what a derived domain may take: `memory_fraction` of it
  std::string name;     ///< "GPU memory", "main memory"
  std::string because;  ///< the budget's arithmetic
};

/// That of the GPUs for one rank per GPU, else of the hosts.
ProblemMemory problem_memory(const PlanRequest& request, const RankLayout& layout);

/// Whether HPCG's data take at most `bytes` and can be indexed.
bool fits(const Box& grid, const Box& local, double bytes);

/// Whether HPCG's data take a quarter of the memory (HPCG-03).
bool is_official(const Box& grid, const Box& local, const ProblemMemory& memory);

}  // namespace shakedown::hpcg
