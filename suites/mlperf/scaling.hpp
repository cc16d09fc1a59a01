#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "orchestrator/plan/evidence.hpp"
#include "orchestrator/plan/published_results.hpp"

namespace shakedown::mlperf {

/// How the inverse of the time to train grows with the number of GPUs: a power law up to a knee, where each
/// further model replica makes the batch larger, and another one beyond it.
struct Scaling {
  double knee = 1;    ///< GPUs
  double up_to = 1;   ///< exponent below the knee
  double beyond = 1;  ///< ... above it
  [[nodiscard]] double operator()(double gpus) const;
};

/// What the scaling leaves open of a run, by logarithm of its rate.
///
/// Outside of the scales of the results the exponent at that end may go on or not: each doubling is as
/// uncertain as its loss against a rate that follows the GPUs. And of several nodes: what the exponent below
/// the knee, where the batch is the same at each scale, loses against one node waits for the network, so a
/// network that is `slower` times as slow as the results' makes it as many times as long.
double scale_uncertainty(std::span<const PublishedResult> results, const Scaling& scaling, double gpus);
double network_uncertainty(const Scaling& scaling, double nodes, double slower);

/// Both exponents by least squares within the GPU models of the results, each with a level of its own.
Scaling fitted_scaling(std::span<const PublishedResult> results, double knee);

/// What the results' times to train are of the model basis x scaling(GPUs), as rates.
std::vector<Observation> observed(std::span<const PublishedResult> results, const Scaling& scaling);

}  // namespace shakedown::mlperf
