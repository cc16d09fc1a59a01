#pragma once
#include <string>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// A result in a few words: "92.1 GFLOP/s  valid", or why there is none. What is invalid is so by a rule,
/// which is named; where a list asks for no more than a longer run: "too short for the list (IO5-02)", after
/// "invalid" unless `campaign` is a screening, whose runs are short by design.
std::string attempt_text(const AttemptRecord& attempt, const CampaignRecord& campaign);

}  // namespace shakedown
