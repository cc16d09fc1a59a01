#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// When checks begin: the times of a week, evenly spread, that cron and systemd can both express.
struct Timetable {
  std::vector<int> weekdays;  ///< 0 Sunday to 6; empty: each day
  std::vector<int> hours;     ///< empty: each hour
  int minute = 0;             ///< of the hour
  int every_minutes = 0;      ///< of each hour from the minute 0 on, instead of `minute`; 0: once an hour
  friend bool operator==(const Timetable&, const Timetable&) = default;
};

/// The table of so many checks a week, the first of a day at `at` ("02:30"). Up to 7 are days of the week, 14
/// to 168 hours of each day, more minutes of each hour. Fails for what has no such table, with the numbers
/// nearest to it that have.
Result<Timetable> timetable(double checks_per_week, std::string_view at);

/// What is scheduled.
struct ScheduledCheck {
  std::string name;               ///< of the unit and of the block in a crontab: "shakedown-regress-nightly"
  std::string title;              ///< one line
  std::vector<std::string> argv;  ///< absolute paths
  std::string folder;             ///< that it runs in
  std::string path;               ///< PATH
  std::string log;                ///< its output is appended there (cron); the journal has it under systemd
  double minutes = 0;             ///< that it may take, with all repeats
  std::vector<std::string> slurm_options;  ///< of the job that scrontab makes: "--partition=batch"
};

/// `argv` for ExecStart=. Source: systemd.service(5), "Command lines"; systemd.unit(5), "Specifiers".
std::string systemd_line(const std::vector<std::string>& argv);
std::string systemd_service(const ScheduledCheck& each);
std::string systemd_timer(const ScheduledCheck& each, const Timetable& table);

/// A crontab's block, from its first comment to its last. `%` is escaped, which cron takes for a line's end.
/// Source: crontab(5).
std::string cron_block(const ScheduledCheck& each, const Timetable& table);

/// As `cron_block`, for Slurm's scrontab. Source: scrontab(1).
std::string scrontab_block(const ScheduledCheck& each, const Timetable& table);

/// A crontab with its block of that name replaced by `block`, or with it at its end. Fails where a block of
/// that name has no end: which lines are its own is not known then. Errors name `program` (crontab).
Result<std::string> with_block(std::string_view program, std::string_view crontab, std::string_view name,
                               std::string_view block);

/// Why a user's own timer does not run while that user is not logged in; empty: it runs, for root or if the
/// user lingers. `lingering`: the folder that shows who does.
/// Source: loginctl(1), enable-linger; systemd stores it in /var/lib/systemd/linger.
std::string linger_remark(bool root, const std::string& user, const std::filesystem::path& lingering);

}  // namespace shakedown
