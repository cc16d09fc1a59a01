#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/judge/criteria.hpp"
#include "reports/judge/judgement.hpp"
#include "reports/measure/comparability.hpp"

namespace shakedown {

/// What disturbed the results while they were measured: one entry per limit of the criteria and attempt that
/// breaks it. An attempt whose conditions were not recorded is one, too: that nothing disturbed it is not
/// assumed.
std::vector<Disturbance> disturbances(const MeasuredCampaign& campaign, const Criteria& criteria);

/// The campaign as it counts: where a case has attempts that were disturbed beyond the limits of the criteria
/// and others that were not, the values of the disturbed ones are set aside and those of all others count; so
/// it is with attempts at screens that a result refutes. Never the best of several. Their validity counts all
/// the same.
MeasuredCampaign without_disturbed(CampaignRecord stored, const Criteria& criteria,
                                   const Comparability& comparability);
/// By the criteria that judge it; fails where their text is wrong.
Result<MeasuredCampaign> without_disturbed(CampaignRecord stored, const Comparability& comparability);

/// What disturbed attempts that are set aside, the refuted ones too.
std::vector<Disturbance> set_aside(const MeasuredCampaign& campaign, const Criteria& criteria);

/// "gemm-1n, attempt 1: other processes used 1 of 2 cores ...; its speed does not count, that of an
/// undisturbed repeat does": a sentence for each attempt, with each of its causes once.
std::vector<std::string> set_aside_sentences(const std::vector<Disturbance>& set_aside);

/// The attempts that measuring again may replace: disturbed ones that count as no other of their case does,
/// and refuted screens. What was merely not recorded is none.
std::vector<Disturbance> to_measure_again(const MeasuredCampaign& campaign, const Criteria& criteria,
                                          const Comparability& comparability);

/// "other processes (python3 among them) used 0.92 to 1.3 of the 2 cores during the GEMM and STREAM runs":
/// those of one cause as one sentence. Empty where there are none.
std::vector<std::string> disturbance_sentences(const std::vector<Disturbance>& disturbances);

/// "other processes", "hypervisor": a cell of a table.
std::string_view disturbing(Disturbance::Cause cause);

/// "by other processes", "by the hypervisor".
std::string_view disturbed_by(Disturbance::Cause cause);

/// The cores that other processes may use beside a run; nothing where the criteria state no limit, one that
/// all cores together do not reach, or its conditions were not recorded.
std::optional<double> cores_for_others(const Case& planned, const AttemptRecord& attempt,
                                       const Criteria& criteria);

/// "GEMM", "GEMM and STREAM", "GEMM, HPL and STREAM".
std::string enumerated(const std::vector<std::string>& names);

}  // namespace shakedown
