#pragma once
#include <string>

#include "orchestrator/campaign/preflight.hpp"

namespace shakedown {

/// What was found, a line each, with the way out and the cases that it keeps from running.
std::string prerequisites_text(const Prerequisites& prerequisites);

/// The same as `shakedown.preflight/1`.
std::string prerequisites_json(const Prerequisites& prerequisites);

}  // namespace shakedown
