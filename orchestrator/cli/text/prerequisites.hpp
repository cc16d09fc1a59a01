#pragma once
#include <string>

#include "orchestrator/campaign/preflight.hpp"

namespace shakedown {

/// What was found, a line each, with the remedy and the cases that can't run without it.
std::string prerequisites_text(const Prerequisites& prerequisites);

/// How many cases did not run because a requirement is missing, and the command that runs them once it is
/// there. With a line's end.
std::string lacking_text(std::size_t cases, const std::string& resume);

/// The same as `shakedown.preflight/1`.
std::string prerequisites_json(const Prerequisites& prerequisites);

}  // namespace shakedown
