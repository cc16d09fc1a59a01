#include "orchestrator/regression/conclusion.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/more_runs.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/regression/check_judgement.hpp"
#include "orchestrator/regression/check_metrics.hpp"
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
  const bool learning = std::ranges::any_of(verdict.series, &JudgedSeries::learning);
  if (std::string remark = learning_remark(check.regression, planned.hosts.size());
      learning && !remark.empty())
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

/// Of several series of one case those runs that satisfy all.
std::vector<MoreRuns> more_runs(const std::vector<WantedRepeats>& wanted) {
  std::vector<MoreRuns> more;
  for (const WantedRepeats& each : wanted) {
    const auto same = std::ranges::find(more, each.case_id, &MoreRuns::case_id);
    if (same == more.end())
      more.push_back({each.case_id, each.count});
    else
      same->count = std::max(same->count, each.count);
  }
  return more;
}

/// Reports the suspicions of a check as open: it began so long ago that repeats prove nothing about its time.
void keep_open(CheckState& standing, const Regression& regression) {
  for (const WantedRepeats& each : standing.wanted)
    standing.verdict.missing.push_back(
        {series_text(each.series),
         fmt::format(
             "the check began on {}, its repeats would be of another time, and the suspicion stays open",
             utc_text(standing.campaign.created_s))});
  standing.wanted.clear();
  conclude(standing.verdict, !regression.floor.relative_to.empty());
}

/// Ends a check of which nothing runs for as long as it may take: its nodes were idle, and others got them.
/// The time counts from the first event on: what is looked at before has a limit of its own.
class QueueLimit {
 public:
  QueueLimit(const Check& check, const std::string& id)
      : folder_(check.workspace.campaign(id)),
        limit_s_(check.regression.minutes * 60),
        warn_(check.output.warn) {}
  void beat(const Event& event) {
    const double now = steady_s();
    if (event.running > 0 || !moved_s_) moved_s_ = now;
    if (reached_ || now - *moved_s_ <= limit_s_) return;
    reached_ = true;
    if (auto asked = request_end(folder_, stop_note_of_check("its budget")); !asked)
      warn_("not ended", asked.error());
  }
  /// Empty: it was not reached.
  [[nodiscard]] std::string text() const {
    if (!reached_) return "";
    return fmt::format("its jobs waited for {}, the check's budget, and did not begin",
                       duration_text(limit_s_));
  }

 private:
  fs::path folder_;
  double limit_s_;
  const std::function<void(std::string_view, const Error&)>& warn_;
  std::optional<double> moved_s_;  // when anything ran, or its first event was
  bool reached_ = false;
};

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

Result<std::optional<MeasuredCheck>> measured_check(const Check& check, const std::string& id, FileLock& lock,
                                                    int& signal) {
  std::vector<WantedRepeats> asked;
  while (true) {
    QueueLimit limit(check, id);
    const auto carried = check.output.run(
        check.workspace, id,
        {.beat = [&](const Event& event) { limit.beat(event); }, .renew_lock = [&] { return lock.renew(); }});
    if (auto renewed = lock.renew(); !renewed)
      return failure_of(renewed);  // else two would judge, and notify
    if (!carried) return failure_of(carried);
    if (carried->end.interrupted && limit.text().empty()) {
      signal = carried->end.signal;
      return std::nullopt;
    }
    auto standing = check_state(check.workspace, id, check.regression, check.layout, asked);
    if (!standing) return failure_of(standing);
    if (standing->wanted.empty() || !limit.text().empty())
      return std::optional(MeasuredCheck{*std::move(standing), limit.text()});
    if (is_outdated(check.regression, standing->campaign.created_s, now_s())) {
      keep_open(*standing, check.regression);
      return std::optional(MeasuredCheck{*std::move(standing), ""});
    }
    asked = standing->wanted;
    const std::vector<MoreRuns> more = more_runs(asked);
    int count = 0;
    for (const MoreRuns& each : more) count += each.count;
    check.output.note(fmt::format("suspicion: {} more runs decide", count));
    if (auto added = add_runs(check.workspace, id, more); !added) return failure_of(added);
  }
}

}  // namespace shakedown
