#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::hpcg {

/// What is expected of a run.
struct Expectation {
  std::vector<Prediction> predicted;  ///< rating_gflops where a model applies, wall_time_s always
  Model model;
  std::vector<std::string> warnings;
};

/// HPCG's rating follows the memory bandwidth: GPUs x bandwidth of one x a measured ratio, less a share for
/// the halo exchange where there is more than one rank. The bandwidth is what STREAM's Triad of the same kind
/// of node measured, else what is stated. Fitted for the system that the tuning names; for others by
/// published results, with a wider band; none where no bandwidth is known, and none for CPUs without a
/// measured Triad.
///
/// The wall time is the timed part of `run_time_s` and what comes before it: setting up, and the reference
/// solver's validation run, which grows with the `rows` of a rank.
Expectation expectation(const PlanRequest& request, const RankLayout& layout, double rows, double run_time_s);

/// Seconds before the timed part, as the tuning has it: `setup_s` + `setup_s_per_mrow` x millions of rows of
/// a rank.
double setup_time_s(const Implementation& implementation, double rows);

/// The shortest timed part: as a bare argument, HPCG takes less for 0, its QuickPath.
inline constexpr std::int64_t least_timed_s = 10;

}  // namespace shakedown::hpcg
