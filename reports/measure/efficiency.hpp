#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reports/measure/measurement.hpp"

namespace shakedown {

/// Whether a metric is an efficiency: a rate over what the machine can reach.
[[nodiscard]] bool is_efficiency(std::string_view metric);

/// The metric of a suite that an efficiency has above its line; empty: the suite has no such efficiency.
[[nodiscard]] std::string_view efficiency_numerator(std::string_view name, std::string_view suite);

/// Why a ratio can't be true: "HPL is 1.33 times as fast as the matrix multiplication it consists of"; empty:
/// it can. A program may exceed its GEMM reference by what GEMM's own repetitions may differ (5 %, rule
/// GEMM-03), and HPCG's counted bytes STREAM's four times (rule HPCG-10).
[[nodiscard]] std::string impossible_ratio(std::string_view metric, std::string_view suite, double ratio);

/// What must stand beside an efficiency above 1 that the memory or the caches may have made: "above 100 %:
/// the program reads fewer bytes than HPCG counts, ..."; empty: nothing.
[[nodiscard]] std::string_view caution_above_one(std::string_view metric, std::string_view suite,
                                                 double ratio);

/// An attempt at a screen that a faster result of the same campaign refutes.
struct RefutedScreen {
  std::string case_id;
  int attempt = 0;
  std::string by;   ///< the case whose result it is
  std::string why;  ///< as `impossible_ratio` says it
};

/// The attempts at screens that a result of the campaign can't exceed as it does: the ratio to each of them,
/// and to the median of the screens' first attempts, is impossible. Without those that are set aside; empty
/// of logs made elsewhere.
std::vector<RefutedScreen> refuted_screens(const MeasuredCampaign& campaign,
                                           const Comparability& comparability);

/// An efficiency of a case, one point per result: what the facts of its suite put above the line, over what a
/// screen measured (the suite whose yardstick names it; `efficiency_gemm` of a training is its model FLOP
/// utilisation, MFU), or over what the inventory states:
///
///   efficiency_rpeak   the theoretical peak of arithmetic
///   efficiency_memory  the theoretical bandwidth of the memory
///
/// `missing` has the reason if there is none, `withheld` if a result breaks the rule that makes it void
/// (EfficiencyFact::void_by), `unproven` if one is above 1 and that rule was not checked. An efficiency of
/// another name has no points. Formulas: reports/metrics.md.
Measurement efficiency(const MeasuredCampaign& campaign, const MeasuredCase& record, std::string_view metric,
                       const Comparability& comparability);

}  // namespace shakedown
