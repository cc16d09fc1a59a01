#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/plan/regression.hpp"
#include "orchestrator/regression/check_log.hpp"
#include "reports/judge/regression.hpp"

namespace shakedown {

/// Skips in a row.
struct SkippedChecks {
  int count = 0;
  double since_s = 0;                    ///< the first of them
  std::optional<double> last_check_s{};  // NOLINT(readability-redundant-member-init): the verdict before them
  std::string because;                   ///< the last one's reason
};

/// What those whom a configuration names are told.
struct CheckNotification {
  std::string system;
  std::string campaign;                    ///< empty: the check came to none
  std::string title;                       ///< of the configuration
  std::filesystem::path report;            ///< empty: there is none
  CheckVerdict verdict;                    ///< of skips: sentence and exit code only
  std::optional<SkippedChecks> skipped{};  // NOLINT(readability-redundant-member-init): nothing: no skips
  /// "verdict", "skipped" (checks in a row), or "failed" (an error: no campaign was made or judged).
  [[nodiscard]] std::string_view kind() const;
};

/// A `shakedown.notification/1`: verdict, report, and the series that raise an alarm or lie below a floor; of
/// skips how many, since when, and when the last verdict was.
std::string notification_json(const CheckNotification& notification, double at_s);

/// Whether the configuration wants a check of this exit code told.
bool is_notified(const RegressionNotice& notice, int exit_code);

/// Tells by command, webhook or both, and notes in the workspace's log that a campaign, or skips, were told.
/// The document lies in the campaign's folder, or in the workspace where it came to none; where it can't be
/// written there it is told all the same, and not noted. Fails (environment) as `notified`.
Result<void> tell(const Workspace& workspace, const RegressionNotice& notice,
                  const CheckNotification& notification);

/// Of the last check of a system, whose verdict is kept, what nobody was told though the configuration wants
/// it: the check was cut short before, or the notification failed. Nothing: all was told.
std::optional<CheckNotification> unsent_notification(const Workspace& workspace, const Regression& regression,
                                                     const CheckLog& log, const std::string& system);

}  // namespace shakedown
