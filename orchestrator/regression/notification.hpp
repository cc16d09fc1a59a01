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

/// The content of a notification.
struct CheckNotification {
  std::string system;
  std::string campaign;                    ///< empty: the check came to none
  std::string title;                       ///< of the configuration
  std::filesystem::path report;            ///< empty: there is none
  CheckVerdict verdict;                    ///< of skips: sentence and exit code only
  std::optional<SkippedChecks> skipped{};  // NOLINT(readability-redundant-member-init): nothing: no skips
  /// Of the campaign's journal, when it is sent; empty: there is none.
  std::string first_root{};  // NOLINT(readability-redundant-member-init)
  std::string last_root{};   // NOLINT(readability-redundant-member-init)
  /// "verdict", "skipped" (checks in a row), or "failed" (an error: no campaign was made or judged).
  [[nodiscard]] std::string_view kind() const;
};

/// A `shakedown.notification/1`: verdict, report, and the series that raise an alarm or lie below a floor; of
/// skips how many, since when, and when the last verdict was.
std::string notification_json(const CheckNotification& notification, double at_s);

/// Whether the configuration asks to notify of a check with this exit code.
bool is_notified(const RegressionNotice& notice, int exit_code);

/// Notifies by command, webhook or both, and records in the workspace's log that a campaign, or skips, were
/// reported. The document lies in the campaign's folder, or in the workspace if there is no campaign; if it
/// can't be written there it is sent all the same, and not recorded. Fails (environment) as `notified`.
Result<void> notify(const Workspace& workspace, const RegressionNotice& notice,
                    const CheckNotification& notification);

/// The notification of a system's last check, with a recorded verdict, that was not sent though the
/// configuration asks for it: the check was interrupted before, or the notification failed. Nothing: all was
/// sent.
std::optional<CheckNotification> unsent_notification(const Workspace& workspace, const Regression& regression,
                                                     const CheckLog& log, const std::string& system);

/// A webhook's secret, from a file or a variable of the environment. Empty if none is stated. Fails if it
/// can't be read, is empty, or spans several lines; the error never contains it.
Result<std::string> webhook_secret(const RegressionNotice& notice);

/// The webhook's address: as written in the configuration, or from the place named there. Fails as
/// `webhook_secret`, and if it is no http or https address; the error never contains it.
Result<std::string> webhook_url(const RegressionNotice& notice);

/// curl's configuration for a webhook, which it reads from its standard input: address and secret are never
/// on a command line, where `ps` shows them. `payload`: the file that is sent.
std::string curl_configuration(const RegressionNotice& notice, const std::string& url,
                               const std::string& secret, const std::filesystem::path& payload);

/// Notifies by command, by webhook, or by both. `payload` is a file that holds a `shakedown.notification/1`.
/// Fails (environment) with the output of the command or curl, secret and address masked, and if the webhook
/// answers with another status than 2xx: a redirect to a login page notifies nobody.
Result<void> notified(const RegressionNotice& notice, const std::filesystem::path& payload);

}  // namespace shakedown
