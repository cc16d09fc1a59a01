#pragma once
#include <string>

#include "orchestrator/campaign/verify.hpp"

namespace shakedown {

/// What became of a verification, for people: the sentence, what differs, what was checked, what can't be
/// proven.
std::string verify_text(const Verification& done);

/// The same as a JSON document (`shakedown.verification/1`).
std::string verify_json(const Verification& done);

}  // namespace shakedown
