#pragma once
#include "reports/measure/measurement.hpp"

namespace shakedown {

/// What the two efficiencies have above their line: HPCG's own count of bytes over its time, and STREAM's
/// rate.
inline constexpr const char* hpcg_bandwidth = "bandwidth_gb_s";
inline constexpr const char* stream_triad = "triad_mb_s";
inline constexpr const char* nodes_not_told = "the log does not tell on how many nodes it was made";

/// `efficiency_stream` of a case of HPCG: the bandwidth that its rate implies by HPCG's own count of bytes,
/// over the median STREAM Triad rate of a node x the nodes of the case. An optimised program reads fewer
/// bytes than HPCG counts, so that it may lie above 1.
Measurement stream_efficiency(const CampaignRecord& campaign, const CaseRecord& record,
                              const Comparability& comparability);

/// `efficiency_memory` of a case of STREAM: its Triad rate over the theoretical bandwidth that the inventory
/// states of the nodes' memory.
Measurement memory_efficiency(const CampaignRecord& campaign, const CaseRecord& record);

}  // namespace shakedown
