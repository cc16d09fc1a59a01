#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/hpl/run_time.hpp"

namespace shakedown::hpl {

/// Memory that HPL's matrix may take, over all ranks.
struct MatrixMemory {
  double bytes = 0;      ///< what the matrix may fill
  double available = 0;  ///< what `bytes` is a part of
  double most = 0;       ///< beyond which the program has no room to work in
  std::string because;   ///< "0.80 x 23.0 GiB available now on a node x 1 node"
  std::string rule;
  std::string of;  ///< what `available` is: "available now on a node"
};

/// The share of the memory that the implementation names: of the GPUs for one rank per GPU (and at least 8
/// GiB of each GPU stay free for work space), else of the host's memory that is available now.
///
/// Fails with rule HPL-06 where no memory is known.
Result<MatrixMemory> matrix_memory(const PlanRequest& request, const RankLayout& layout);

/// The largest multiple of NB whose matrix of 8 N^2 bytes fits `bytes`; 0 where not even N = NB does.
std::int64_t largest_order(double bytes, int NB);

/// The largest multiple of NB, up to `most`, with a predicted wall time of at most `seconds`; at least NB.
std::int64_t order_within(double seconds, std::int64_t most, int NB, const RunTime& model);

struct ProblemSize {
  std::int64_t N = 0;
  int NB = 0;
  std::vector<Reason> why;
  std::vector<std::string> warnings;
};

/// N and NB: as large as memory allows, or as the wished run time does where that is less.
///
/// NB is the implementation's (`NB_<vector extension>`, else `NB`), halved on machines with so little memory
/// that not one block fits. Pinned N and NB are taken as they are. Fails with rule HPL-06 where not even 8 x
/// 8 fits, a pinned N does not fit, or NB is larger than it.
Result<ProblemSize> problem_size(const PlanRequest& request, const RankLayout& layout, const RunTime& model);

}  // namespace shakedown::hpl
