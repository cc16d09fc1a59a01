#pragma once
#include <string>
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/judgement.hpp"

namespace shakedown {

/// Why the machine was not idle while the results that count were measured: one sentence per limit and
/// attempt that breaks it. Empty: it was idle, as far as the criteria ask. An attempt whose conditions were
/// not recorded is an objection: idle is not assumed.
std::vector<IdleObjection> idle_objections(const CampaignRecord& campaign, const Criteria& criteria);

}  // namespace shakedown
