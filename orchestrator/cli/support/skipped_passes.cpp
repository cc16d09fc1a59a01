#include "orchestrator/cli/support/skipped_passes.hpp"

#include <cmath>

#include "orchestrator/cli/support/node_turns.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

constexpr int in_a_row = 2;   // one skip is what a busy night does
constexpr long most_due = 2;  // passes without a verdict

/// A schedule is no clockwork: passes due are whole intervals, to the nearest.
long passes_due(const Regression& regression, double since_s, double now_s) {
  return std::lround((now_s - since_s) * regression.passes_per_week / week_s);
}

}  // namespace

std::string skip_alarm(const Regression& regression, const PassHistory& history,
                       const std::vector<std::string>& hosts, double now_s) {
  const PassLog::Skipped skipped = history.log.skipped(history.system);
  if (skipped.since_last_pass < in_a_row) return "";
  const std::string count = fmt::format("{} passes in a row were skipped", skipped.since_last_pass);
  const auto last_s = history.log.last_pass_s(history.system);
  if (passes_due(regression, last_s.value_or(skipped.since_s), now_s) > most_due)
    return last_s ? fmt::format("{}, and there was no verdict for {}: the last one is of {}", count,
                                duration_text(now_s - *last_s), utc_text(*last_s))
                  : fmt::format("{}, and there was never a verdict; the first skip was on {}", count,
                                utc_text(skipped.since_s));
  if (regression.days == 0 || history.passes.empty()) return "";
  const double next_s = now_s + week_s / regression.passes_per_week;
  const Coverage next = coverage_of(regression, hosts, history, next_s);
  if (next.late.empty()) return "";
  return fmt::format(
      "{}, and the coverage promise of {} days breaks before the next: {} of {} nodes, {} first", count,
      next.days, next.late.size(), next.nodes, next.oldest);
}

std::optional<PassTelling> skip_telling(const Regression& regression, const PassHistory& history,
                                        const std::string& alarm, const std::string& because) {
  const PassLog::Skipped skipped = history.log.skipped(history.system);
  if (alarm.empty() || skipped.told) return std::nullopt;
  PassTelling telling{history.system, "", regression.facts.title, {}, {}};
  telling.verdict.sentence = fmt::format("regression pass: skipped: {}; the reason now: {}", alarm, because);
  telling.verdict.exit_code = exit_skipped;
  telling.skipped = SkippedPasses{skipped.since_last_pass, skipped.since_s,
                                  history.log.last_pass_s(history.system), because};
  return telling;
}

}  // namespace shakedown
