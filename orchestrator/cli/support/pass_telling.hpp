#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/campaign/pass_log.hpp"
#include "orchestrator/plan/regression.hpp"
#include "reports/regression.hpp"

namespace shakedown {

/// Skips in a row.
struct SkippedPasses {
  int count = 0;
  double since_s = 0;                   ///< the first of them
  std::optional<double> last_pass_s{};  // NOLINT(readability-redundant-member-init): the verdict before them
  std::string because;                  ///< the last one's reason
};

/// What those whom a configuration names are told.
struct PassTelling {
  std::string system;
  std::string campaign;                    ///< empty: the pass came to none
  std::string title;                       ///< of the configuration
  std::filesystem::path report;            ///< empty: there is none
  PassVerdict verdict;                     ///< of skips: sentence and exit code only
  std::optional<SkippedPasses> skipped{};  // NOLINT(readability-redundant-member-init): nothing: no skips
  /// "verdict", "skipped" (passes in a row), or "failed" (an error: no campaign was made or judged).
  [[nodiscard]] std::string_view kind() const;
};

/// A `shakedown.notification/1`: verdict, report, and the series that raise an alarm or lie below a floor; of
/// skips how many, since when, and when the last verdict was.
std::string notification_json(const PassTelling& telling, double at_s);

/// Whether the configuration wants a pass of this exit code told.
bool is_told(const RegressionNotice& notice, int exit_code);

/// Tells by command, webhook or both, and notes in the workspace's log that a campaign, or skips, were told.
/// The document lies in the campaign's folder, or in the workspace where it came to none; where it can't be
/// written there it is told all the same, and not noted. Fails (environment) as `notified`.
Result<void> tell(const Workspace& workspace, const RegressionNotice& notice, const PassTelling& telling);

/// Of the last pass of a system, whose verdict is kept, what nobody was told though the configuration wants
/// it: the pass was cut short before, or the telling failed. Nothing: all was told.
std::optional<PassTelling> untold(const Workspace& workspace, const Regression& regression,
                                  const PassLog& log, const std::string& system);

}  // namespace shakedown
