#include "orchestrator/regression/conclusion.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/regression/check_judgement.hpp"
#include "orchestrator/regression/measurement.hpp"
#include "orchestrator/regression/node_rotation.hpp"
#include "orchestrator/regression/skip_alarm.hpp"
#include "orchestrator/regression/textfile.hpp"
#include "orchestrator/regression/unfinished_check.hpp"
#include "orchestrator/regression/unjudged_check.hpp"

namespace shakedown {
namespace {

/// Keeps the verdict where the next check finds it. That one goes on with this check where it can't be kept.
Result<void> kept_verdict(const Check& check, const LoggedCheck& logged, const CheckVerdict& verdict) {
  if (auto noted = log_check(check.workspace, logged); !noted) return noted;
  return write_check_verdict(check.workspace.campaign(logged.campaign), verdict);
}

/// Keeps the verdict, reports, says, tells: each whatever becomes of the others.
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
  const auto kept = kept_verdict(check,
                                 {system, id, standing.campaign.created_s, verdict.exit_code, planned.runs,
                                  planned_nodes(standing.campaign), standing.left_out},
                                 verdict);
  if (!kept) check.output.warn("verdict not kept", kept.error());
  const auto reported =
      reported_campaign(check.workspace, id, check.layout, check.workspace.campaign(id), {"html", "json"});
  if (!reported) check.output.warn("report not written", reported.error());
  const CheckNotification notification{system, id, check.regression.facts.title,
                                       reported ? reported->written.front() : fs::path(), verdict};
  check.output.concluded({notification, seen, skipped});
  CheckMetrics metrics = CheckMetrics::kept(check.workspace);
  metrics.drop_ended(check.regression, standing);
  metrics.put_check(standing, seen, all_hosts(check.inventory));
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
  if (auto kept = lock.keep(); !kept) return failure_of(kept);
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

}  // namespace shakedown
