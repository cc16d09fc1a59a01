#include "orchestrator/cli/support/pass_measuring.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/more_runs.hpp"
#include "orchestrator/cli/support/campaigning.hpp"
#include "orchestrator/cli/support/unfinished_pass.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"

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

/// Leaves the suspicions of a pass open that began so long ago that repeats say nothing of its time.
void leave_open(PassStanding& standing, const Regression& regression) {
  for (const WantedRepeats& each : standing.wanted)
    standing.verdict.missing.push_back(
        {series_text(each.series),
         fmt::format(
             "the pass began on {}, its repeats would be of another time, and the suspicion stays open",
             utc_text(standing.campaign.created_s))});
  standing.wanted.clear();
  conclude(standing.verdict, !regression.floor.relative_to.empty());
}

/// Ends a pass of which nothing runs for as long as it may take: its nodes were idle, and others got them.
/// The time counts from the first event on: what is looked at before has a limit of its own.
class QueueLimit {
 public:
  QueueLimit(const PassFrame& frame, const std::string& id)
      : folder_(frame.workspace.campaign(id)), limit_s_(frame.regression.minutes * 60) {}
  void beat(const Event& event) {
    const double now = steady_s();
    if (event.running > 0 || !moved_s_) moved_s_ = now;
    if (reached_ || now - *moved_s_ <= limit_s_) return;
    reached_ = true;
    if (auto asked = request_end(folder_, stop_note_of_pass("its budget")); !asked)
      complain("not ended", asked.error());
  }
  /// Empty: it was not reached.
  [[nodiscard]] std::string text() const {
    if (!reached_) return "";
    return fmt::format("its jobs waited for {}, the pass's budget, and did not begin",
                       duration_text(limit_s_));
  }

 private:
  fs::path folder_;
  double limit_s_;
  std::optional<double> moved_s_;  // when anything ran, or its first event was
  bool reached_ = false;
};

}  // namespace

Result<std::optional<MeasuredPass>> measured_pass(const PassFrame& frame, const std::string& id,
                                                  FileLock& lock, int& signal) {
  std::vector<WantedRepeats> asked;
  while (true) {
    Progress progress(frame.common, "");
    QueueLimit limit(frame, id);
    const auto carried = carried_out(
        frame.workspace, id, frame.common, progress, /*break_lock=*/false,
        {.beat = [&](const Event& event) { limit.beat(event); }, .keep = [&] { return lock.keep(); }});
    if (auto kept = lock.keep(); !kept) return pass_on(kept);  // else two would judge, and tell
    if (!carried) return pass_on(carried);
    if (carried->end.interrupted && limit.text().empty()) {
      signal = carried->end.signal;
      return std::nullopt;
    }
    auto standing = pass_standing(frame.workspace, id, frame.regression, frame.layout, asked);
    if (!standing) return pass_on(standing);
    if (standing->wanted.empty() || !limit.text().empty())
      return std::optional(MeasuredPass{*std::move(standing), limit.text()});
    if (is_outdated(frame.regression, standing->campaign.created_s, now_s())) {
      leave_open(*standing, frame.regression);
      return std::optional(MeasuredPass{*std::move(standing), ""});
    }
    asked = standing->wanted;
    const std::vector<MoreRuns> more = more_runs(asked);
    int count = 0;
    for (const MoreRuns& each : more) count += each.count;
    if (!frame.common.quiet) std::cerr << fmt::format("suspicion: {} more runs decide\n", count);
    if (auto added = add_runs(frame.workspace, id, more); !added) return pass_on(added);
  }
}

}  // namespace shakedown
