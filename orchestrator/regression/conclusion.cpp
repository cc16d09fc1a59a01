#include "orchestrator/regression/conclusion.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/regression/check_judgement.hpp"
#include "orchestrator/regression/check_metrics.hpp"
#include "orchestrator/regression/measurement.hpp"
#include "orchestrator/regression/node_rotation.hpp"
#include "orchestrator/regression/resumption.hpp"
#include "orchestrator/regression/skip_alarm.hpp"

namespace shakedown {
namespace {

/// Records the verdict where the next check finds it. If that fails, the next check resumes this one.
Result<void> recorded_verdict(const Check& check, const LoggedCheck& logged, const CheckVerdict& verdict) {
  if (auto noted = log_check(check.workspace, logged); !noted) return noted;
  return write_check_verdict(check.workspace.campaign(logged.campaign), verdict);
}

/// Records the verdict, writes the report, prints, notifies: each whatever becomes of the others.
Result<int> concluded(const Check& check, CheckState standing, const PlannedWith& planned) {
  const std::string& id = standing.campaign.id;
  const std::string& system = standing.history.system;
  CheckVerdict& verdict = standing.verdict;
  const Coverage seen = coverage_of(check.regression, planned.hosts, standing.history, now_s());
  const auto log = read_check_log(check.workspace);  // as it was before this check
  if (!log) return failure_of(log);
  const CheckLog::Skipped skipped = log->skipped(system);
  verdict.notes.push_back(seen.text());
  if (std::string remark = promise_remark(check.regression, planned.hosts.size()); !remark.empty())
    verdict.notes.push_back(std::move(remark));
  if (skipped.all > 0) verdict.notes.push_back(skipped_text(skipped));
  const auto kept = recorded_verdict(check,
                                     {system, id, standing.campaign.created_s, verdict.exit_code,
                                      planned.runs, planned_nodes(standing.campaign), standing.left_out},
                                     verdict);
  if (!kept) check.output.warn("verdict not stored", kept.error());
  const auto reported =
      reported_campaign(check.workspace, id, check.layout, check.workspace.campaign(id), {"html", "json"});
  if (!reported) check.output.warn("report not written", reported.error());
  const CheckNotification notification{system, id, check.regression.facts.title,
                                       reported ? reported->written.front() : fs::path(), verdict};
  check.output.concluded({notification, seen, skipped});
  CheckMetrics metrics = CheckMetrics::read(check.workspace);
  metrics.drop_ended(check.regression, standing);
  metrics.record_check(standing, seen, all_hosts(check.inventory));
  record_and_write_textfile(check, std::move(metrics));
  notify_of(check, notification);                                // last: it may take its time
  if (!kept && verdict.exit_code == 0) return failure_of(kept);  // no success that nobody can look up
  return verdict.exit_code;
}

}  // namespace

Result<int> concluded_check(const Check& check, const std::string& id, FileLock& lock,
                            const PlannedWith& planned) {
  int signal = 0;
  auto measured = measured_check(check, id, lock, signal);
  if (!measured) return failure_of(measured);
  std::optional<MeasuredCheck>& whole = *measured;
  if (!whole) return 128 + signal;
  if (auto renewed = lock.renew(); !renewed) return failure_of(renewed);
  CheckState& standing = whole->standing;
  const bool began = std::ranges::any_of(standing.campaign.cases, [](const CaseRecord& record) {
    return std::ranges::any_of(record.attempts,
                               [](const AttemptRecord& attempt) { return attempt.started_s > 0; });
  });
  if (!whole->waited.empty() && !began) {
    auto closed = closed_check(check.workspace, standing.campaign, Closed::skipped, whole->waited,
                               stop_note_of_check("the check is skipped"), check.layout);
    if (!closed) return failure_of(closed);
    return skipped_check(check, whole->waited);
  }
  standing.verdict.notes.insert(standing.verdict.notes.end(), planned.notes.begin(), planned.notes.end());
  if (!whole->waited.empty()) standing.verdict.notes.push_back(whole->waited);
  return concluded(check, std::move(standing), planned);
}

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
  write_textfile(check, CheckMetrics::read(check.workspace));
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
  if (logged) write_textfile(check, CheckMetrics::read(check.workspace));  // else nobody knows what it held
}

tl::unexpected<Error> failed_early(Check& check, Error error) {
  std::string& system = check.inventory.system;
  if (system.empty()) system = only_system(check.workspace);
  if (system.empty()) system = fs::path(check.regression.facts.system).stem().string();
  failed_check(check, error);
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace shakedown
