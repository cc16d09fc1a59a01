#include "orchestrator/regression/measurement.hpp"

#include <algorithm>
#include <utility>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/more_runs.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/regression/resumption.hpp"

namespace shakedown {
namespace {

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
