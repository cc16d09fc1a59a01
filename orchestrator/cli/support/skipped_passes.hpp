#pragma once
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/campaign/pass_history.hpp"
#include "orchestrator/cli/support/pass_telling.hpp"
#include "orchestrator/core/exit_status.hpp"
#include "orchestrator/plan/regression.hpp"

namespace shakedown {

/// Why those who watch a system must know that its passes are skipped, as a sentence: two or more in a row
/// were, and
/// - more than two passes were due since the last verdict (or since the first skip, where there is none), or
/// - the coverage promise is endangered: a node of `hosts` (those that jobs can get) will have been seen too
///   long ago by the next pass.
/// Empty: a skip is nothing unusual.
std::string skip_alarm(const Regression& regression, const PassHistory& history,
                       const std::vector<std::string>& hosts, double now_s);

/// What is told of it, once for each series of skips; nothing: it was told, or there is nothing to tell.
/// `because`: the last one's reason.
std::optional<PassTelling> skip_telling(const Regression& regression, const PassHistory& history,
                                        const std::string& alarm, const std::string& because);

}  // namespace shakedown
