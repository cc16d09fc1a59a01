#pragma once
#include <string>
#include <vector>

#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::hpl_mxp {

/// Predicts HPL-MxP from one published run:
///
///     T(N) = W(N) / (ranks R_lu) + refinement_s (N^2 / ranks) / (N0^2 / ranks0)
///
/// W = 2/3 N^3 + 3/2 N^2; R_lu is a GPU's rate in the factorisation; the refinement's time follows the matrix
/// that a GPU holds, and is as long at any scale that fills the memory alike.
///
/// Applies to the GPU and precision that the implementation's tuning names, from `least_ranks` on: on few
/// GPUs the refinement depends on the run's configuration by a factor of three, and nothing is predicted.
///
/// Source: SAKURAONE, Table 7.
struct RunTime {
  bool applies = false;
  double ranks = 1;
  double lu_gflops = 0;          ///< R_lu
  double refinement_s = 0;       ///< at `elements_per_rank`
  double elements_per_rank = 1;  ///< N0^2 / ranks0
  double band = 0.05;            ///< of the rate, either way
  double slowest_gflops = 0;     ///< of a rank: what a run is certainly faster than
  std::string model;             ///< the formula with its figures, or why none applies

  [[nodiscard]] double lu_s(double N) const;
  [[nodiscard]] double time_s(double N) const;
  /// `rmax_gflops`, `lu_gflops`, `time_s` and `wall_time_s`; nothing where the model does not apply.
  [[nodiscard]] std::vector<Prediction> predictions(double N) const;
};

/// 2/3 N^3 + 3/2 N^2: the operations that HPL-MxP counts, whatever it does.
double operations(double N);

RunTime run_time(const PlanRequest& request, const RankLayout& layout, const std::string& precision);

}  // namespace shakedown::hpl_mxp
