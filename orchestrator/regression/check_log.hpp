#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"

namespace shakedown {

/// In place of a run's name: all runs of a check, those that are added later, too.
inline constexpr std::string_view every_run = "*";

/// A scheduled check that came to its verdict.
struct LoggedCheck {
  std::string system;
  std::string campaign;
  double at_s = 0;
  int exit_code = 0;
  std::vector<std::string> runs;      ///< of the configuration, by what they measure
  std::vector<std::string> nodes;     ///< that had their turn, whatever became of it
  std::vector<std::string> left_out;  ///< runs that are no values of a series: "hpl-reference-1n/attempt-1";
                                      ///< or `every_run`, where the check was given up
  friend bool operator==(const LoggedCheck&, const LoggedCheck&) = default;
};

/// A check that was not made.
struct LoggedSkip {
  std::string system;
  double at_s = 0;
  std::string because;
  bool superseded = false;  ///< a check of the system came to its verdict since
  bool notified = false;    ///< a notification was sent about the series of skips that it is of
  friend bool operator==(const LoggedSkip&, const LoggedSkip&) = default;
};

/// A check that ended in an error, such as a scheduler that gave no answer.
struct LoggedFailure {
  std::string system;
  double at_s = 0;
  std::string because;
  friend bool operator==(const LoggedFailure&, const LoggedFailure&) = default;
};

/// That a notification was sent about a check, or about skips in a row.
struct LoggedNotification {
  std::string system;
  std::string campaign;  ///< empty: of skips
  double at_s = 0;
  friend bool operator==(const LoggedNotification&, const LoggedNotification&) = default;
};

/// A node that a check found to be another one in hardware or software: the baseline of its series is reset
/// with that check.
struct LoggedChange {
  std::string system;
  std::string campaign;  ///< that found it
  std::string node;
  double at_s = 0;                ///< when that campaign was created
  std::vector<std::string> what;  ///< "kernel: 6.1.0-25 -> 6.1.0-26"
  friend bool operator==(const LoggedChange&, const LoggedChange&) = default;
};

/// The content of `<workspace>/regression.jsonl`, oldest first.
struct CheckLog {
  std::vector<LoggedCheck> checks;
  std::vector<LoggedSkip> skips;
  std::vector<LoggedChange> changes;
  std::vector<LoggedFailure> failures;
  std::vector<LoggedNotification> notifications;

  /// Whether a check was given up, by its last line: nothing of it was compared with any other.
  [[nodiscard]] bool given_up(std::string_view campaign) const;
  /// How many checks of the system came to a verdict: campaigns, since one may be noted twice.
  [[nodiscard]] int verdicts(std::string_view system) const;
  /// How many checks of the system were skipped: in all, and since its last check came to its verdict.
  struct Skipped {
    int all = 0;
    int since_last_check = 0;
    double since_s = 0;     ///< the first of the latter; 0: there is none
    bool notified = false;  ///< of the latter
  };
  [[nodiscard]] Skipped skipped(std::string_view system) const;
  /// When the last check of the system that came to a verdict was begun; nothing: there is none.
  [[nodiscard]] std::optional<double> last_check_s(std::string_view system) const;
};

/// Reads the log; a workspace without one has had no check. Lines that are not its own are ignored.
Result<CheckLog> read_check_log(const Workspace& workspace);

/// Appends a line, which survives a power loss when it returns; several processes may, each line stays whole.
/// A skip is noted beside a check that runs, so this takes no lock.
Result<void> log_check(const Workspace& workspace, const LoggedCheck& each);
Result<void> log_skip(const Workspace& workspace, const LoggedSkip& skip);
Result<void> log_change(const Workspace& workspace, const LoggedChange& change);
Result<void> log_failure(const Workspace& workspace, const LoggedFailure& failure);
Result<void> log_notification(const Workspace& workspace, const LoggedNotification& notification);

}  // namespace shakedown
