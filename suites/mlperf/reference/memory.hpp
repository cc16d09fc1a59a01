#pragma once
#include <cstdint>

#include "suites/mlperf/reference/model.hpp"
#include "suites/mlperf/reference/workload.hpp"

namespace training {

/// Bytes that a rank needs at most, within some percent: of parameters their values, gradients, two moments
/// and the copies in FP64 that the check makes; of a micro-batch what the layers store for the backward pass.
double memory_of(const Workload& workload);

/// Bytes that this node has.
double memory_of_node();

/// How far FP32 and BLAS are from FP64 and plain loops with the same weights on one text.
struct Agreement {
  double loss = 0;                  ///< |difference| over the loss in FP64
  double gradient = 0;              ///< norm of the difference over the norm in FP64
  [[nodiscard]] bool good() const;  ///< false for nan
};

/// For a model of this shape with random weights and, where it has any, random adapters.
Agreement agreement(const Shape& shape, std::uint64_t seed);

}  // namespace training
