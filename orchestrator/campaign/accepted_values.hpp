#pragma once
#include <string_view>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/layout.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown {

/// What the campaign measured that was the last one of a system to be accepted up to `at_s` (seconds since
/// 1970), or a part accepted beside it where that measured the same nodes again: criteria are frozen with it.
/// It knows no figure where none was; where the declarations can't be read, or the store no longer has that
/// campaign, just the clauses that ask for one fail.
LastAccepted accepted_values(const Workspace& workspace, std::string_view system, double at_s,
                             const Layout& layout);

}  // namespace shakedown
