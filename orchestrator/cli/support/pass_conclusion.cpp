#include "orchestrator/cli/support/pass_conclusion.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/cli/support/node_turns.hpp"
#include "orchestrator/cli/support/pass_judgement.hpp"
#include "orchestrator/cli/support/pass_measuring.hpp"
#include "orchestrator/cli/support/pass_textfile.hpp"
#include "orchestrator/cli/support/pass_without_verdict.hpp"
#include "orchestrator/cli/support/pass_words.hpp"
#include "orchestrator/cli/support/unfinished_pass.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/node_kind.hpp"

namespace shakedown {
namespace {

/// Keeps the verdict where the next pass finds it. That one goes on with this pass where it can't be kept.
Result<void> kept_verdict(const PassFrame& frame, const LoggedPass& logged, const PassVerdict& verdict) {
  if (auto noted = log_pass(frame.workspace, logged); !noted) return noted;
  return write_pass_verdict(frame.workspace.campaign(logged.campaign), verdict);
}

/// Keeps the verdict, reports, says, tells: each whatever becomes of the others.
Result<int> concluded(const PassFrame& frame, PassStanding standing, const PlannedWith& planned) {
  const std::string& id = standing.campaign.id;
  const std::string& system = standing.history.system;
  PassVerdict& verdict = standing.verdict;
  const Coverage seen = coverage_of(frame.regression, planned.hosts, standing.history, now_s());
  const auto log = read_pass_log(frame.workspace);  // as it was before this pass
  if (!log) return pass_on(log);
  const PassLog::Skipped skipped = log->skipped(system);
  verdict.notes.push_back(seen.text());
  if (std::string remark = promise_remark(frame.regression, planned.hosts.size()); !remark.empty())
    verdict.notes.push_back(std::move(remark));
  if (skipped.all > 0) verdict.notes.push_back(skipped_text(skipped));
  const auto kept = kept_verdict(frame,
                                 {system, id, standing.campaign.created_s, verdict.exit_code, planned.runs,
                                  planned_nodes(standing.campaign), standing.left_out},
                                 verdict);
  if (!kept) complain("verdict not kept", kept.error());
  const auto reported =
      reported_campaign(frame.workspace, id, frame.layout, frame.workspace.campaign(id), {"html", "json"});
  if (!reported) complain("report not written", reported.error());
  const PassTelling telling{system, id, frame.regression.facts.title,
                            reported ? reported->written.front() : fs::path(), verdict};
  say_pass(frame, telling, seen, skipped);
  PassMetrics metrics = PassMetrics::kept(frame.workspace);
  metrics.drop_ended(frame.regression, standing);
  metrics.put_pass(standing, seen, all_hosts(frame.inventory));
  keep_and_put_textfile(frame, std::move(metrics));
  tell_of(frame, telling);                                    // last: it may take its time
  if (!kept && verdict.exit_code == 0) return pass_on(kept);  // no success that nobody can look up
  return verdict.exit_code;
}

}  // namespace

Result<int> ended_pass(const PassFrame& frame, const std::string& id, FileLock& lock,
                       const PlannedWith& planned) {
  int signal = 0;
  auto measured = measured_pass(frame, id, lock, signal);
  if (!measured) return pass_on(measured);
  std::optional<MeasuredPass>& whole = *measured;
  if (!whole) return 128 + signal;
  if (auto kept = lock.keep(); !kept) return pass_on(kept);
  PassStanding& standing = whole->standing;
  const bool began = std::ranges::any_of(standing.campaign.cases, [](const CaseRecord& record) {
    return std::ranges::any_of(record.attempts,
                               [](const AttemptRecord& attempt) { return attempt.started_s > 0; });
  });
  if (!whole->waited.empty() && !began) {
    auto closed = closed_pass(frame.workspace, standing.campaign, Closed::skipped, whole->waited,
                              stop_note_of_pass("the pass is skipped"), frame.layout);
    if (!closed) return pass_on(closed);
    return skipped_pass(frame, whole->waited);
  }
  standing.verdict.notes.insert(standing.verdict.notes.end(), planned.notes.begin(), planned.notes.end());
  if (!whole->waited.empty()) standing.verdict.notes.push_back(whole->waited);
  return concluded(frame, std::move(standing), planned);
}

}  // namespace shakedown
