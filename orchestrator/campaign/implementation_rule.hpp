#pragma once
#include <optional>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Rule IMPL-01, the executable that ran is the planned one: `unknown` where the campaign was not bound to
/// it, or the node did not report what it ran; in a container it always is.
RuleResult implementation_rule(const AttemptRecord& attempt, const Case& planned,
                               const Commitment& commitment);

/// Adds the rule to all results of an attempt; one that breaks it is invalid. Nothing without a commitment.
void judge_implementation(AttemptRecord& attempt, const Case& planned,
                          const std::optional<Commitment>& commitment);

}  // namespace shakedown
