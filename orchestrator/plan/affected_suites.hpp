#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/inventory/difference.hpp"

namespace shakedown {

/// The suites whose results such a change can move, so that they are worth running again, in the order of
/// their ranks.
std::vector<std::string_view> suites_to_run_again(FeatureKind kind);

/// The suites that any of the changes makes worth running again, in the order of their ranks.
std::vector<std::string> suites_to_run_again(const std::vector<Change>& changes);

}  // namespace shakedown
