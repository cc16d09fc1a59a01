#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
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

/// One rank's part of the problem with its reasons.
struct LocalDomain {
  Box local;
  std::vector<Reason> why;
  std::vector<std::string> warnings;
};

/// nx, ny and nz: multiples of 8 (for three coarser grids), at least 16, none below an eighth of another.
///
/// On GPUs the domain that is published for as many of this kind, else the vendor's sample (`nx`, `ny`,
/// `nz` of the tuning), scaled down in proportion where HPCG's data would take more than
/// `memory_fraction` of a GPU and up where it would take less than a quarter. On CPUs the smallest
/// near-cube whose data take a quarter of the nodes' memory (HPCG-03) and at least `least_times_caches` the
/// last-level caches (HPCG-10b). A wished run time makes it smaller: setting up takes at most `setup_share`
/// of it, or all but the shortest timed part where only that outgrows the caches. A domain has fewer than
/// 2^31 nonzeros: HPCG indexes them with 32 bits.
///
/// Pinned sides are taken as they are. Fails with rule HPCG-04 where a pinned one is no multiple of 8, below
/// 16 or makes the domain too flat, and with HPCG-03 where no memory is known or the domain does not fit it.
///
/// Source: HPCG 3.1, GenerateCoarseProblem.cpp, init.cpp, CheckAspectRatio.cpp; HPCG FAQ, "problem size".
Result<LocalDomain> local_domain(const PlanRequest& request, const RankLayout& layout, const Box& grid);

/// The implementation's published run on as many GPUs of the request's kind; null: there is none.
const std::vector<Parameter>* published_run(const PlanRequest& request, int ranks);

}  // namespace shakedown::hpcg
