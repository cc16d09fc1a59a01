#include "orchestrator/regression/unjudged_check.hpp"

#include <algorithm>

#include "orchestrator/core/time.hpp"
#include "orchestrator/regression/skip_alarm.hpp"
#include "orchestrator/regression/textfile.hpp"

namespace shakedown {
namespace {

/// The system that all checks of a workspace are of; empty: there is none, or there are several.
std::string only_system(const Workspace& workspace) {
  const auto log = read_check_log(workspace);
  if (!log || log->checks.empty()) return "";
  const std::string& system = log->checks.back().system;
  const bool only =
      std::ranges::all_of(log->checks, [&](const LoggedCheck& each) { return each.system == system; });
  return only ? system : "";
}

}  // namespace

Result<int> skipped_check(const Check& check, const std::string& because) {
  const std::string& system = check.inventory.system;
  if (auto logged = log_skip(check.workspace, {system, now_s(), because}); !logged) return failure_of(logged);
  auto history = read_check_history(check);
  if (!history) {  // the check that is under way may have the store alone
    auto log = read_check_log(check.workspace);
    if (!log) return failure_of(log);
    history = CheckHistory();
    history->system = system;
    history->log = *std::move(log);
  }
  const CheckLog::Skipped counted = history->log.skipped(system);
  const std::string alarm = skip_alarm(check.regression, *history, reachable_now(check), now_s());
  check.output.skipped({system, because, counted, alarm});
  if (const auto notification = skip_notification(check.regression, *history, alarm, because))
    notify_of(check, *notification);
  write_textfile(check, CheckMetrics::kept(check.workspace));
  return exit_skipped;
}

void failed_check(const Check& check, const Error& error) {
  const std::string sentence = to_string(error);
  const auto logged = log_failure(check.workspace, {check.inventory.system, now_s(), sentence});
  if (!logged) check.output.warn("not logged", logged.error());
  CheckNotification notification{check.inventory.system, "", check.regression.facts.title, {}, {}};
  notification.verdict.sentence = "regression check: failed: " + sentence;
  notification.verdict.exit_code = error.fault == Fault::environment ? 4 : 2;
  notify_of(check, notification);
  if (logged) write_textfile(check, CheckMetrics::kept(check.workspace));  // else nobody knows what it held
}

tl::unexpected<Error> failed_early(Check& check, Error error) {
  std::string& system = check.inventory.system;
  if (system.empty()) system = only_system(check.workspace);
  if (system.empty()) system = fs::path(check.regression.facts.system).stem().string();
  failed_check(check, error);
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace shakedown
