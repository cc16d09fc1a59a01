#pragma once
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/regression/check_history.hpp"
#include "orchestrator/regression/notification.hpp"

namespace shakedown {

/// "skipped: 3 checks of this system so far, 1 since the last one made".
std::string skipped_text(const CheckLog::Skipped& skipped);

/// Why those who watch a system must know that its checks are skipped, as a sentence: two or more in a row
/// were, and
/// - more than two checks were due since the last verdict (or since the first skip, where there is none), or
/// - the coverage promise is endangered: a node of `hosts` (those that jobs can get) will have been seen too
///   long ago by the next check.
/// Empty: a skip is nothing unusual.
std::string skip_alarm(const Regression& regression, const CheckHistory& history,
                       const std::vector<std::string>& hosts, double now_s);

/// The notification of it, once for each series of skips; nothing: it was sent, or there is nothing to
/// report. `because`: the last one's reason.
std::optional<CheckNotification> skip_notification(const Regression& regression, const CheckHistory& history,
                                                   const std::string& alarm, const std::string& because);

}  // namespace shakedown
