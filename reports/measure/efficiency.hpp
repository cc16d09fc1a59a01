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

/// An efficiency of a case, one point per result:
///
///   efficiency_gemm    the suite's rate over the measured matrix product of the case's precision; of a
///   training
///                      the FLOP of its model over it: its model FLOP utilisation (MFU)
///   efficiency_rpeak   the suite's rate over the theoretical peak
///   efficiency_stream  HPCG over measured STREAM, and
///   efficiency_memory  STREAM over the memory's peak: reports/measure/bandwidth_efficiency.hpp
///
/// `missing` says why there is none. An efficiency of another name has no points. Formulas:
/// reports/metrics.md.
Measurement efficiency(const CampaignRecord& campaign, const CaseRecord& record, std::string_view metric,
                       const Comparability& comparability);

}  // namespace shakedown
