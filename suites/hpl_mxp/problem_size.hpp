#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/hpl_mxp/run_time.hpp"

namespace shakedown::hpl_mxp {

struct ProblemSize {
  std::int64_t N = 0;
  std::int64_t NB = 0;
  std::vector<Reason> why;
  std::vector<std::string> warnings;
};

/// The largest multiple of `quantum` whose matrix of N^2 elements fits `bytes`; 0 where none does.
std::int64_t largest_order(double bytes, double bytes_per_element, std::int64_t quantum);

/// N and NB: as large as the implementation's share of the memory allows (`bytes_per_element` and `quantum`
/// of its tuning), that of the GPUs, or of the nodes for ranks on processors; or as the wished run time does,
/// where a model of it applies. N need not be a multiple of NB: one that is not is warned about. Where not
/// one block of NB fits, NB is halved.
///
/// Pinned N and NB are taken as they are. Fails with rule MXP-size where no memory is known, a pinned N does
/// not fit, or NB is larger than N.
Result<ProblemSize> problem_size(const PlanRequest& request, const RankLayout& layout, const RunTime& model);

}  // namespace shakedown::hpl_mxp
