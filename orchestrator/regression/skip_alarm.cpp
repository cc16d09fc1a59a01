#include "orchestrator/regression/skip_alarm.hpp"

#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/regression/node_rotation.hpp"

namespace shakedown {
namespace {

constexpr int in_a_row = 2;   // one skip is what a busy night does
constexpr long most_due = 2;  // checks without a verdict

/// A schedule is no clockwork: checks due are whole intervals, to the nearest.
long checks_due(const Regression& regression, double since_s, double now_s) {
  return std::lround((now_s - since_s) * regression.checks_per_week / week_s);
}

}  // namespace

std::string skipped_text(const CheckLog::Skipped& skipped) {
  return fmt::format("skipped: {} of this system so far, {} since the last one made",
                     plural(skipped.all, "check"), skipped.since_last_check);
}

std::string skip_alarm(const Regression& regression, const CheckHistory& history,
                       const std::vector<std::string>& hosts, double now_s) {
  const CheckLog::Skipped skipped = history.log.skipped(history.system);
  if (skipped.since_last_check < in_a_row) return "";
  const std::string count = fmt::format("{} checks in a row were skipped", skipped.since_last_check);
  const auto last_s = history.log.last_check_s(history.system);
  if (checks_due(regression, last_s.value_or(skipped.since_s), now_s) > most_due)
    return last_s ? fmt::format("{}, and there was no verdict for {}: the last one is of {}", count,
                                duration_text(now_s - *last_s), utc_text(*last_s))
                  : fmt::format("{}, and there was never a verdict; the first skip was on {}", count,
                                utc_text(skipped.since_s));
  if (regression.days == 0 || history.checks.empty()) return "";
  const double next_s = now_s + week_s / regression.checks_per_week;
  const Coverage next = coverage_of(regression, hosts, history, next_s);
  if (next.late.empty()) return "";
  return fmt::format(
      "{}, and the coverage promise of {} days breaks before the next: {} of {} nodes, {} first", count,
      next.days, next.late.size(), next.nodes, next.oldest);
}

std::optional<CheckNotification> skip_notification(const Regression& regression, const CheckHistory& history,
                                                   const std::string& alarm, const std::string& because) {
  const CheckLog::Skipped skipped = history.log.skipped(history.system);
  if (alarm.empty() || skipped.notified) return std::nullopt;
  CheckNotification notification{history.system, "", regression.facts.title, {}, {}};
  notification.verdict.sentence =
      fmt::format("regression check: skipped: {}; the reason now: {}", alarm, because);
  notification.verdict.exit_code = exit_skipped;
  notification.skipped = SkippedChecks{skipped.since_last_check, skipped.since_s,
                                       history.log.last_check_s(history.system), because};
  return notification;
}

}  // namespace shakedown
