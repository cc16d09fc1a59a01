#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/planned_grid.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::hpl {

/// Operations that HPL counts for a system of order N: 2/3 N^3 + 3/2 N^2.
///
/// Source: HPL 2.3, testing/ptest/HPL_pdtest.c.
double operations(double N);

/// Predicts the run time of HPL, in seconds:
///
///     T(N) = W(N) / R (1 + n_half / N) + column_s N + network_share (8 N^2 / 2) (1/P + 2/Q) / B
///     wall(N) = startup_s + T(N) + extra_s_per_gib (8 N^2 in GiB)
///
/// W are HPL's operations, R the rate of a very large problem, n_half the order at which half of it is
/// reached (Hockney's r_inf and n_1/2), column_s the cost of a column's pivot search, B the bandwidth of a
/// rank.
struct RunTime {
  double rate_gflops = 0;  ///< R, of all ranks
  double n_half = 0;
  double column_s = 0;
  double network_share = 0;  ///< part of the communication that is not hidden
  double network_gb_s = 0;   ///< B, per rank; 0: no network between the ranks, or none known
  double startup_s = 0;
  double extra_s_per_gib = 0;  ///< making and checking the matrix; other tests of the same program
  double band_low = 0.1;       ///< the rate may be lower by this part
  double band_high = 0.1;      ///< ... and higher by this one
  double peak_gflops = 0;      ///< ... yet not than the stated peak of all ranks; 0: not known
  ProcessGrid grid;
  std::string model;     ///< the formula with its numbers and their sources
  bool assumed = false;  ///< the rate it begins from is neither measured nor published
  Model origin;          ///< where it rests on published runs of other systems; else without a source
  std::vector<std::string> warnings;

  [[nodiscard]] double time_s(double N) const;
  [[nodiscard]] double computing_s(double N) const;  ///< of it, without the network
  [[nodiscard]] double rate(double N) const;         ///< GFLOP/s, as HPL reports it
  [[nodiscard]] double wall_s(double N) const;
  /// `rmax_gflops`, `time_s` (both as HPL reports them) and `wall_time_s` (start to end), with their bands.
  [[nodiscard]] std::vector<Prediction> predictions(double N) const;
};

/// The FP64 peak of a GPU that the inventory states, GFLOP/s: of its tensor cores where they have one; 0:
/// none.
double stated_fp64_gflops(const Gpu& gpu);

/// By how much the published runs' efficiency may change with each doubling of the GPUs, by logarithm.
double doubling_uncertainty(const Implementation& implementation);

/// The model for this request. Of GPUs it is scaled to published runs of other systems, with their band, but
/// on the system that the implementation's constants are fitted to. Else R is efficiency x the measured GEMM
/// where there is one (for CPUs), else x the GEMM published for this GPU, else x the theoretical peak (of
/// GPUs: the share of it that H100 reaches), else a conservative rate per core or GPU, with a warning and a
/// wide band.
RunTime run_time(const PlanRequest& request, const RankLayout& layout, const ProcessGrid& grid);

}  // namespace shakedown::hpl
