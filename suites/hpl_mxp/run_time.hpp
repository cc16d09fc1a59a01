#pragma once
#include <string>
#include <vector>

#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/planned_grid.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::hpl_mxp {

/// Predicts HPL-MxP from published runs:
///
///     T(N) = W(N) / (ranks R_lu) + network_share N^2 (1/P + 2/Q) / B + refinement_s (N^2 / ranks) / (N0^2 /
///     ranks0)
///
/// W = 2/3 N^3 + 3/2 N^2; R_lu is a GPU's rate in the factorisation without what waits for the network, where
/// panels travel with 2 bytes an element as HPL's do with 8; the refinement's time follows the matrix that a
/// GPU holds, and is as long at any scale that fills the memory alike.
///
/// For GPUs it applies to the GPU that the implementation's tuning names, from `least_ranks` on: on few GPUs
/// the refinement depends on the run's configuration by a factor of three, and nothing is predicted. FP16 has
/// its own rate and band.
///
/// On a system other than the one that was fitted, a run in the precision that the list demands is predicted
/// by what other systems published, as HPL is: they say by how much such GPUs are faster or slower than the
/// weak scaling of one system, at its share of the peak, and how far apart systems are. Another precision has
/// the fitted run alone: its band is wider, the more so the further its scale and its network are from that
/// one's. HPL's published runs show how a rate may change with each doubling of the GPUs; HPL-MxP takes a
/// part of HPL's time, so the same seconds are that much more of it. What another network changes is as
/// uncertain as it is large.
///
/// For ranks on processors R_lu is the tuning's `efficiency` x its `precision_speedup` x the rate of the FP64
/// GEMM, as measured, else as clock and FLOP per cycle promise; and the factorisation takes 1 + n_half / N
/// times as long (Hockney's n_1/2).
///
/// Source: SAKURAONE, Table 7; for processors the tuning's `model_source`.
struct RunTime {
  bool applies = false;
  double ranks = 1;
  double lu_gflops = 0;          ///< R_lu
  double network_s_per_n2 = 0;   ///< of the grid: network_share (1/P + 2/Q) / B
  double refinement_s = 0;       ///< at `elements_per_rank`
  double elements_per_rank = 1;  ///< N0^2 / ranks0
  double n_half = 0;
  double startup_s = 60;  ///< beside T, in the wall time
  double longest_startup_s = 600;
  bool wish_is_wall = false;           ///< a wished time holds the start-up too
  double band = 0.05;                  ///< of the rate, downwards
  double band_high = 0.05;             ///< ... and upwards
  double scale_uncertainty = 0;        ///< of log(rate), by the distance from the scale of the fitted run
  double fitted_network_s_per_n2 = 0;  ///< of this grid with the network of the fitted run
  double slowest_gflops = 0;           ///< of a rank: what a run is certainly faster than
  std::string model;                   ///< the formula with its numbers, or why none applies
  Model origin;                        ///< of a model by other systems' results; else empty

  [[nodiscard]] double lu_s(double N) const;
  [[nodiscard]] double time_s(double N) const;
  /// What is held against the wished run time.
  [[nodiscard]] double wished_s(double N) const;
  /// `rmax_gflops`, `lu_gflops`, `time_s` and `wall_time_s`; nothing where the model does not apply, and
  /// where the range is wider than a prediction's.
  [[nodiscard]] std::vector<Prediction> predictions(double N) const;
};

/// 2/3 N^3 + 3/2 N^2: the operations that HPL-MxP counts, whatever it does.
double operations(double N);

/// How a case is run in.
struct RunSetting {
  ProcessGrid grid;
  std::string precision;  ///< "FP8", "FP16"
};

RunTime run_time(const PlanRequest& request, const RankLayout& layout, const RunSetting& setting);

}  // namespace shakedown::hpl_mxp
