#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"
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

/// What stands between the program and a webhook's secret: a file, or a variable of the environment. Empty
/// where none is stated. Fails where it can't be read, is empty, or spans several lines; the sentence never
/// holds it.
Result<std::string> webhook_secret(const RegressionNotice& notice);

/// The webhook's address: as it stands in the configuration, or from where that says it is. Fails as
/// `webhook_secret`, and where it is no http or https address; the sentence never holds it.
Result<std::string> webhook_url(const RegressionNotice& notice);

/// curl's configuration for a webhook, which it reads from its standard input: address and secret never
/// stand on a command line, where `ps` shows them. `payload`: the file that is sent.
std::string curl_configuration(const RegressionNotice& notice, const std::string& url,
                               const std::string& secret, const std::filesystem::path& payload);

/// Tells by command, by webhook, or by both. `payload` is a file that holds a `shakedown.notification/1`.
/// Fails (environment) with what the command or curl says, secret and address masked, and where the webhook
/// answers with another status than 2xx: a redirect to a page to log in at tells nobody.
Result<void> notified(const RegressionNotice& notice, const std::filesystem::path& payload);

}  // namespace shakedown
