#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/hpcg/rank_grid.hpp"

namespace shakedown::hpcg {

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
/// near-cube whose data take a quarter of the nodes' memory (HPCG-03). A domain has fewer than 2^31
/// nonzeros: HPCG indexes them with 32 bits.
///
/// Pinned sides are taken as they are. Fails with rule HPCG-04 where a pinned one is no multiple of 8, below
/// 16 or makes the domain too flat, and with HPCG-03 where no memory is known or the domain does not fit it.
///
/// Source: HPCG 3.1, GenerateCoarseProblem.cpp, init.cpp, CheckAspectRatio.cpp; HPCG FAQ, "problem size".
Result<LocalDomain> local_domain(const PlanRequest& request, const RankLayout& layout, const Box& grid);

/// The implementation's published run on as many GPUs of the request's kind; null: there is none.
const std::vector<Parameter>* published_run(const PlanRequest& request, int ranks);

}  // namespace shakedown::hpcg
