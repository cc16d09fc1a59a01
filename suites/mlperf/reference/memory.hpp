#pragma once

#include "suites/mlperf/reference/workload.hpp"

namespace training {

/// Bytes that a rank needs at most, within some percent: of parameters their values, gradients, two moments
/// and the copies in FP64 that the check makes; of a micro-batch what the layers keep for the backward pass.
double memory_of(const Workload& workload);

/// Bytes that this node has.
double memory_of_node();

}  // namespace training
