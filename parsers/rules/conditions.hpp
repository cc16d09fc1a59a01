#pragma once
#include <vector>

#include "parsers/rules/rule.hpp"

namespace shakedown {

/// What the nodes' conditions are held against: rules COND-01 to COND-04. `evidence.nodes` is not null.
std::vector<RuleResult> condition_rules(const Evidence& evidence);

/// Whether a rule is the one on the settings that were delivered.
bool is_on_settings(const RuleResult& rule);

/// Whether a rule is the one on other users of the nodes.
bool is_on_other_users(const RuleResult& rule);

/// Whether a rule of conditions is undecided: what was agreed about the nodes was not seen.
bool is_undecided(const RuleResult& rule);

}  // namespace shakedown
