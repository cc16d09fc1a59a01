#include "orchestrator/regression/timetable.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

constexpr int days = 7;
constexpr int hours_a_day = 24;
constexpr int minutes_an_hour = 60;
constexpr std::array<std::string_view, days> day_names = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

/// How often a week checks can begin.
std::vector<int> possible() {
  std::vector<int> all;
  all.reserve(days + hours_a_day + minutes_an_hour);
  for (int n = 1; n <= days; ++n) all.push_back(n);
  for (int a_day = 2; a_day <= hours_a_day; ++a_day)
    if (hours_a_day % a_day == 0) all.push_back(a_day * days);
  for (int an_hour = 2; an_hour <= minutes_an_hour; ++an_hour)
    if (minutes_an_hour % an_hour == 0) all.push_back(an_hour * hours_a_day * days);
  return all;
}

Result<std::pair<int, int>> time_of_day(std::string_view at) {
  const auto parts = split(at, ':');
  if (parts.size() == 2 && parts[0].size() == 2 && parts[1].size() == 2) {
    const auto hour = parsed_integer(parts[0]);
    const auto minute = parsed_integer(parts[1]);
    if (hour && minute && *hour >= 0 && *hour < hours_a_day && *minute >= 0 && *minute < minutes_an_hour)
      return std::pair(static_cast<int>(*hour), static_cast<int>(*minute));
  }
  return fail("--at", fmt::format("'{}' is no time of day", at), "hours and minutes: 02:30");
}

std::string numbers(const std::vector<int>& values) {
  if (values.empty()) return "*";
  std::string text;
  for (const int value : values) text += fmt::format("{}{}", text.empty() ? "" : ",", value);
  return text;
}

/// The five fields of a crontab.
std::string cron_fields(const Timetable& table) {
  const std::string minute = table.every_minutes == 0   ? fmt::format("{}", table.minute)
                             : table.every_minutes == 1 ? std::string("*")
                                                        : fmt::format("*/{}", table.every_minutes);
  return fmt::format("{} {} * * {}", minute, numbers(table.hours), numbers(table.weekdays));
}

std::string calendar(const Timetable& table) {
  std::string text;
  for (const int day : table.weekdays)
    text += fmt::format("{}{}", text.empty() ? "" : ",", day_names.at(static_cast<size_t>(day)));
  if (!text.empty()) text += " ";
  text += "*-*-* ";
  if (table.hours.empty()) {
    text += "*";
  } else {
    std::string hours;
    for (const int hour : table.hours) hours += fmt::format("{}{:02}", hours.empty() ? "" : ",", hour);
    text += hours;
  }
  if (table.every_minutes > 0) return text + fmt::format(":00/{}:00", table.every_minutes);
  return text + fmt::format(":{:02}:00", table.minute);
}

/// A word of a systemd unit, in double quotes where it needs them.
std::string systemd_word(std::string_view word) {
  std::string text;
  bool plain = !word.empty();
  for (const char c : word) {
    const bool safe = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                      std::string_view("/._-+=:,@%$").find(c) != std::string_view::npos;
    plain = plain && safe;
    if (c == '%' || c == '$') text += c;  // doubled: neither a specifier nor a variable
    if (c == '"' || c == '\\') text += '\\';
    if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return plain ? text : "\"" + text + "\"";
}

/// A path for a setting that takes the rest of the line.
std::string systemd_path(std::string_view path) {
  std::string text;
  for (const char c : path) {
    if (c == '%') text += '%';
    text += c;
  }
  return text;
}

/// The command of a crontab's line.
std::string cron_command(const ScheduledCheck& each) {
  std::vector<std::string> argv = {"/usr/bin/env", "PATH=" + each.path};
  argv.insert(argv.end(), each.argv.begin(), each.argv.end());
  const std::string line = fmt::format("cd {} && {} >>{} 2>&1", shell_quoted(each.folder), shell_line(argv),
                                       shell_quoted(each.log));
  std::string text;
  for (const char c : line) {
    if (c == '%') text += '\\';
    text += c;
  }
  return text;
}

std::string first_line(std::string_view name) {
  return fmt::format("# {} begins", name);
}
std::string last_line(std::string_view name) {
  return fmt::format("# {} ends", name);
}

}  // namespace

Result<Timetable> timetable(double checks_per_week, std::string_view at) {
  const auto first = time_of_day(at);
  if (!first) return failure_of(first);
  const auto all = possible();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](int n) { return static_cast<double>(n) == checks_per_week; });
  if (found == all.end()) {
    const auto above = std::find_if(all.begin(), all.end(), [&](int n) { return n > checks_per_week; });
    const std::string near = above == all.begin() ? fmt::format("{}", *above)
                             : above == all.end() ? fmt::format("{}", all.back())
                                                  : fmt::format("{} or {}", *(above - 1), *above);
    return fail("checks_per_week", fmt::format("{} checks a week have no even timetable", checks_per_week),
                fmt::format("{} have", near));
  }
  const auto [hour, minute] = *first;
  Timetable table;
  table.minute = minute;
  if (*found <= days) {
    table.hours = {hour};
    if (*found < days)
      for (int i = 0; i < *found; ++i) table.weekdays.push_back((1 + i * days / *found) % days);
    std::sort(table.weekdays.begin(), table.weekdays.end());
  } else if (*found <= days * hours_a_day) {
    const int a_day = *found / days;
    if (a_day < hours_a_day)
      for (int i = 0; i < a_day; ++i) table.hours.push_back((hour + i * hours_a_day / a_day) % hours_a_day);
    std::sort(table.hours.begin(), table.hours.end());
  } else {
    table.every_minutes = minutes_an_hour / (*found / (days * hours_a_day));
    table.minute = 0;
  }
  return table;
}

std::string systemd_line(const std::vector<std::string>& argv) {
  std::string text;
  for (const std::string& word : argv) text += (text.empty() ? "" : " ") + systemd_word(word);
  return text;
}

std::string systemd_service(const ScheduledCheck& each) {
  return fmt::format(
      "[Unit]\n"
      "Description={}\n"
      "\n"
      "[Service]\n"
      "Type=oneshot\n"
      "WorkingDirectory={}\n"
      "Environment={}\n"
      "ExecStart={}\n"
      "# 75: skipped, since another check ran or no node was idle. 3: undecided. An alarm (1) fails the "
      "unit.\n"
      "SuccessExitStatus=3 75\n",
      systemd_path(on_one_line(each.title)), systemd_path(each.folder), systemd_word("PATH=" + each.path),
      systemd_line(each.argv));
}

std::string systemd_timer(const ScheduledCheck& each, const Timetable& table) {
  return fmt::format(
      "[Unit]\n"
      "Description={}, on time\n"
      "\n"
      "[Timer]\n"
      "OnCalendar={}\n"
      "Persistent=true\n"
      "\n"
      "[Install]\n"
      "WantedBy=timers.target\n",
      systemd_path(on_one_line(each.title)), calendar(table));
}

std::string cron_block(const ScheduledCheck& each, const Timetable& table) {
  return fmt::format("{}\n{} {}\n{}\n", first_line(each.name), cron_fields(table), cron_command(each),
                     last_line(each.name));
}

std::string scrontab_block(const ScheduledCheck& each, const Timetable& table) {
  std::string text = first_line(each.name) + "\n";
  text += fmt::format("#SCRON --job-name={}\n", each.name);
  text += fmt::format("#SCRON --time={}\n", static_cast<long>(std::ceil(each.minutes)));
  for (const std::string& option : each.slurm_options) text += fmt::format("#SCRON {}\n", option);
  return text + fmt::format("{} {}\n{}\n", cron_fields(table), cron_command(each), last_line(each.name));
}

Result<std::string> with_block(std::string_view program, std::string_view crontab, std::string_view name,
                               std::string_view block) {
  std::string text;
  int number = 0;
  int begun = 0;  // the line that the block begins in; 0: outside of it
  bool placed = false;
  const auto unended = [&] {
    return fail(fmt::format("{}, line {}", program, begun),
                fmt::format("'{}' has no line '{}' behind it", first_line(name), last_line(name)),
                fmt::format("`{} -e`: put it where the block ends, or take the block out", program));
  };
  if (crontab.ends_with('\n')) crontab.remove_suffix(1);
  if (!crontab.empty())
    for (const std::string_view line : split(crontab, '\n')) {
      ++number;
      if (line == first_line(name)) {
        if (begun > 0) return unended();
        begun = number;
        if (!placed) text += block;
        placed = true;
      } else if (begun > 0) {
        if (line == last_line(name)) begun = 0;
      } else {
        text += fmt::format("{}\n", line);
      }
    }
  if (begun > 0) return unended();
  if (!placed) text += block;
  return text;
}

std::string linger_remark(bool root, const std::string& user, const std::filesystem::path& lingering) {
  std::error_code code;
  if (root || std::filesystem::exists(lingering / user, code)) return "";
  return fmt::format(
      "a timer of {} runs only while {} is logged in, until `loginctl enable-linger` is called",
      user.empty() ? "a user" : user, user.empty() ? "that one" : user);
}

}  // namespace shakedown
