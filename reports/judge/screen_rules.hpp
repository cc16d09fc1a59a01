#pragma once
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Judges the rules that hold results against screens (`RuleBook::by_screens`) by the screens that count: of
/// each suite and implementation the last complete result that is not invalid, of an attempt that is not set
/// aside. Such rules are warnings: no validity changes. Logs that were made elsewhere are held against none.
void judge_by_screens(CampaignRecord& campaign);

}  // namespace shakedown
