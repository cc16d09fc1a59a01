#pragma once
#include <string>
#include <vector>

#include "reports/judge/criteria.hpp"
#include "reports/judge/judgement.hpp"

namespace shakedown {

/// What whoever signs must not miss, whatever the criteria ask for, a sentence for each kind: waivers with
/// who, until when and why; cases that another one replaced; more nodes that gave less than fewer; a result
/// above another one that bounds it, or with a ratio that can't be; runs that took longer than the longest
/// time predicted; runs of one set that overlap in time; logs that hold published values; that every run was
/// disturbed, or that no limit says when one is; suites that ran and that no criterion judges.
///
/// `judgement` with everything but its alarms. `limits`: its criteria's, from when on a run is disturbed.
std::vector<std::string> alarms(const MeasuredCampaign& campaign, const Judgement& judgement,
                                const Criteria& limits);

/// Of logs made elsewhere that hold a suite's published values to the last digit: that they are no
/// measurement beside them. Empty: no suite's are.
std::string published_values(const std::vector<Comparison>& comparisons);

}  // namespace shakedown
