#pragma once
#include <string>

#include "orchestrator/plan/suite.hpp"
#include "suites/mlperf/parallelism.hpp"

namespace shakedown::mlperf {

/// The configuration environment of NVIDIA's submission as a shell file, what its config_<system>.sh files
/// export: the image's own common files first, then the implementation's variables, the scale, the division
/// among GPUs by the variables' names of the implementation (`export_TP` ...), where rank 0 is as
/// `first_host_variable` tells, and a seed of its own for each job step, since runs of one score must differ
/// in it.
///
/// `planned` gives the id and the variables. `minutes`: the time that one run may take.
///
/// Source: MLPerf Training v4.1, NVIDIA, config_DGXH100_*.sh, run.sub.
std::string config(const PlanRequest& request, const Parallelism& one, const Case& planned, int minutes);

}  // namespace shakedown::mlperf
