#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::mlperf {

/// A pipeline's bubble above it is unwise (ML-09).
inline constexpr double large_bubble = 0.05;

/// How a model's training is divided among GPUs; the letters are the field's.
struct Parallelism {
  std::int64_t gpus = 1;
  std::int64_t DP = 1;   ///< copies of the model: gpus / (TP x PP x CP)
  std::int64_t TP = 1;   ///< GPUs that share each layer
  std::int64_t PP = 1;   ///< stages of layers
  std::int64_t CP = 1;   ///< GPUs that share a sequence
  std::int64_t VP = 1;   ///< groups of layers that a stage holds, interleaved
  std::int64_t GBS = 1;  ///< sequences between two updates
  std::int64_t MBS = 1;  ///< sequences that a pipeline takes at a time

  [[nodiscard]] std::int64_t model_gpus() const { return TP * PP * CP; }
  /// Sequences of a copy between two updates: what NVIDIA's configuration calls MINIBS.
  [[nodiscard]] std::int64_t minibatch() const { return GBS / DP; }
  [[nodiscard]] std::int64_t microbatches() const { return GBS / (DP * MBS); }
  /// Part of a step in which the pipeline fills and drains: (PP - 1) / (VP m).
  [[nodiscard]] double bubble() const;
  friend bool operator==(const Parallelism&, const Parallelism&) = default;
};

/// Rule ML-09 for the implementation's model: the GPUs are full copies of the model, the batch is whole
/// microbatches of all copies, the layers and heads divide evenly, and an interleaved pipeline takes
/// microbatches in rounds of PP. `DP` is taken as given by the GPUs. The failure names the one that does not
/// hold, without a hint.
Result<void> check_parallelism(const Parallelism& one, const Implementation& implementation);

/// What is allowed and unwise: ranks of one layer on several nodes, a bubble above 5 %, a batch outside the
/// closed division's range (ML-04) or above the largest for which the reference's convergence is known
/// (ML-05).
std::vector<std::string> unwise(const Parallelism& one, std::int64_t gpus_per_node,
                                const Implementation& implementation);

/// The configuration environment of NVIDIA's submission as a shell file, what its config_<system>.sh
/// files export: the image's own common files first, then the variables of the implementation and of the
/// scale (`scale`, but for the values that the site states), the division among GPUs by the variables'
/// names of the implementation (`export_TP` ...), where rank 0 is (`first_host_variable`), and a seed of
/// its own for each job step, since runs of one score must differ in it.
///
/// `planned` gives the id and the variables. `minutes`: the time that one run may take.
///
/// Source: MLPerf Training v4.1, NVIDIA, config_DGXH100_*.sh, run.sub.
std::string config(const PlanRequest& request, const Parallelism& one, const Case& planned,
                   std::span<const Parameter> scale, int minutes);

}  // namespace shakedown::mlperf
