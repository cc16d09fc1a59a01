#pragma once
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/html/template.hpp"

namespace shakedown {

/// At most four values that a reader looks for first: the rates of the suites, then those of the screens.
std::vector<Fields> key_values(const CampaignRecord& campaign);

}  // namespace shakedown
