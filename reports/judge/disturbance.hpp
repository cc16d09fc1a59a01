#pragma once
#include <string>
#include <vector>

#include "reports/judge/criteria.hpp"
#include "reports/judge/judgement.hpp"

namespace shakedown {

/// What disturbed the results that count while they were measured: one entry per limit of the criteria and
/// attempt that breaks it. An attempt whose conditions were not recorded is one, too: that nothing disturbed
/// it is not assumed.
std::vector<Disturbance> disturbances(const MeasuredCampaign& campaign, const Criteria& criteria);

/// "other processes (python3 among them) used 0.92 to 1.3 of the 2 cores during the GEMM and STREAM runs":
/// those of one cause as one sentence. Empty where there are none.
std::vector<std::string> disturbance_sentences(const std::vector<Disturbance>& disturbances);

/// "by other processes", "by the hypervisor".
std::string_view disturbed_by(Disturbance::Cause cause);

/// "GEMM", "GEMM and STREAM", "GEMM, HPL and STREAM".
std::string enumerated(const std::vector<std::string>& names);

}  // namespace shakedown
