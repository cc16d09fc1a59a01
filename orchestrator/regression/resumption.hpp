#pragma once
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/campaign/stop_note.hpp"
#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/regression/check.hpp"
#include "orchestrator/regression/check_log.hpp"
#include "orchestrator/store/record.hpp"
#include "reports/judge/regression.hpp"

namespace shakedown {

/// The check that was begun and never came to its verdict: a power loss, a kill. The newest counts. Its id;
/// empty: there is none.
std::string unfinished_check(const Check& check, const CheckHistory& history);

/// Resumes an interrupted check with the configuration that it began with, and sends its notification as the
/// present configuration states. Nothing: it was abandoned.
Result<std::optional<int>> resumed_check(Check check, const std::string& id, FileLock& lock);

/// Whether a check that was cut short has become too old to resume: two more should have been made
/// since. What it has yet to measure would be no part of the time that the rest is of.
bool is_outdated(const Regression& regression, double created_s, double now_s);

/// Whether a check has runs yet to make, and none that goes on now.
bool lacks_runs(const Workspace& workspace, const CampaignRecord& campaign, const Layout& layout);

/// Why the remaining runs of a check could not begin now: others have its nodes. Empty: they can, some run,
/// or none remain. Fails (environment) if the scheduler gives no answer.
Result<std::string> nodes_taken(const Workspace& workspace, const CampaignRecord& campaign,
                                const Layout& layout);

/// How a check is closed that does not come to its verdict.
enum class Closed {
  given_up,  ///< it is a check, undecided
  skipped,   ///< it never began: no check at all
};

/// Ends the jobs of a check, in the name of `note`, and records a verdict with the reason why it has no other
/// (exit code 3). Its runs are values of no series. Fails (environment) while somebody runs it, and if
/// nothing can be written.
Result<CheckVerdict> closed_check(const Workspace& workspace, const CampaignRecord& campaign, Closed how,
                                  const std::string& because, const StopNote& note, const Layout& layout);

}  // namespace shakedown
