#pragma once
#include <vector>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/launch/environment.hpp"

namespace shakedown {

/// The facts of an attempt's environment.json that hold for its node in the whole campaign: not the variables
/// that its case or its job set.
std::vector<EnvironmentRecord> lasting_environment(const AttemptPlace& place);
/// Whether a fact of an attempt's environment.json is one of them.
bool is_lasting(const EnvironmentRecord& record, const Case& planned);

}  // namespace shakedown
