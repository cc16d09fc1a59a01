#include "orchestrator/campaign/disturbed_runs.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/regression.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/measure/comparability.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

constexpr double least_patience_s = 30;
constexpr double most_patience_s = 600;
constexpr double report_pause_s = 30;

/// Whether cases of a campaign are measured again by themselves: a scheduled check has its own rule.
bool repeats_itself(const CampaignRecord& campaign) {
  return !is_external(campaign) && campaign.kind != regression_kind;
}

/// The criteria that judge a campaign; none where they can't be read, which the report says.
Criteria judging(const CampaignRecord& campaign) {
  const CriteriaRevision revision = judging_criteria(campaign);
  if (revision.text.empty() || !repeats_itself(campaign)) return {};
  return read_criteria(revision.text, revision.name.empty() ? "criteria" : revision.name)
      .value_or(Criteria());
}

/// How long a campaign waits for calm, in all: as long as its measurements were to take.
double patience_of(const CampaignRecord& campaign) {
  if (const auto options = json_or_discarded<nlohmann::json>(campaign.planned_by); options.is_object())
    if (const double minutes = options.value("minutes", 0.0); minutes > 0) return 60 * minutes;
  double expected_s = 0;
  for (const CaseRecord& record : campaign.cases)
    if (const Prediction* predicted = predicted_wall_time(record.planned)) expected_s += predicted->value;
  return std::clamp(expected_s, least_patience_s, most_patience_s);
}

Result<Comparability> comparability_of(const Layout& layout) {
  const auto text = file_content(layout.share / "comparability.toml");
  if (!text) return failure_of(text);
  return read_comparability(*text, "comparability.toml");
}

/// A case's attempts that ended by themselves after number `from`.
int measured_times(const CaseRecord& record, int from) {
  return static_cast<int>(std::ranges::count_if(record.attempts, [&](const AttemptRecord& attempt) {
    return attempt.index > from && ended_by_itself(attempt);
  }));
}

}  // namespace

DisturbedRuns::DisturbedRuns(ExecutionContext& context, ProgressEvents& events, AttemptLedger& ledger)
    : context_(context),
      events_(events),
      ledger_(ledger),
      criteria_(judging(context.campaign)),
      calm_(context.outlives_us() ? CalmWatch(Criteria(), 0, "/", "")
                                  : CalmWatch(criteria_, patience_of(context.campaign))),
      given_up_(!context.journal.content().measures_again) {}

bool DisturbedRuns::may_begin() {
  waiting_ = false;
  if (!context_.running.empty()) {
    calm_.forget();
    return true;
  }
  std::size_t next = 0;
  while (next < context_.campaign.cases.size() && !context_.dispatcher.is_waiting(next)) ++next;
  if (next == context_.campaign.cases.size()) return true;
  switch (calm_.look(context_.planned(next), steady_s())) {
    case CalmWatch::State::calm:
      return true;
    case CalmWatch::State::looking:
      return false;
    case CalmWatch::State::disturbed:
      waiting_ = true;
      report_wait(next);
      return false;
    case CalmWatch::State::given_up:
      break;
  }
  if (again_.contains(next)) give_up_repeats();
  return true;
}

void DisturbedRuns::report_wait(std::size_t work) {
  if (reported_s_ > 0 && steady_s() - reported_s_ < report_pause_s) return;
  std::string why = waits_for();
  if (why.empty()) return;
  reported_s_ = steady_s();
  Event event = events_.of_case(Event::Kind::calm_awaited, work, ledger_.of(work).attempts + 1);
  event.text = std::move(why);
  events_.report(std::move(event));
}

std::string DisturbedRuns::waits_for() const {
  if (!waiting_) return "";
  if (calm_.patience_left_s() < 1) return "";  // the wait is over with the next look
  return fmt::format("waits until nothing disturbs it: {}; for up to {} more", calm_.disturbed_by(),
                     duration_text(calm_.patience_left_s()));
}

void DisturbedRuns::give_up_repeats() {
  given_up_ = true;
  for (const auto& [work, state] : again_) {
    if (!context_.dispatcher.is_waiting(work)) continue;
    context_.dispatcher.end(work);
    ledger_.of(work).end = state;
    Event event = events_.of_case(Event::Kind::repeat_given_up, work, ledger_.of(work).attempts);
    event.text = fmt::format("{}, also after {} of waiting; the disturbed result stays", calm_.disturbed_by(),
                             duration_text(calm_.patience_s()));
    events_.report(std::move(event));
  }
}

Result<bool> DisturbedRuns::measure_again() {
  again_.clear();
  if (given_up_ || !repeats_itself(context_.campaign)) return false;
  const auto suites = context_.database.result_suites(context_.campaign.id);
  if (!suites) return failure_of(suites);
  if (suites->empty()) return false;  // nothing was measured yet
  auto stored = context_.database.campaign(context_.campaign.id, Excerpts::skip);
  if (!stored) return failure_of(stored);
  const auto table = comparability_of(context_.options.layout);
  if (!table) return failure_of(table);
  const MeasuredCampaign measured = without_disturbed(*std::move(stored), criteria_, *table);
  const auto& from = context_.journal.content().measured_again_from;
  for (const Disturbance& each : to_measure_again(measured, criteria_, *table)) {
    const std::size_t work = context_.work_of(each.case_id);
    if (work >= context_.campaign.cases.size() || again_.contains(work)) continue;
    const auto record = std::ranges::find_if(
        measured.record.cases, [&](const CaseRecord& other) { return other.planned.id == each.case_id; });
    // What was cut, or failed, after a disturbed attempt has ended the case.
    if (record == measured.record.cases.end() || record->planned.confirms || record->attempts.empty() ||
        record->attempts.back().index != each.attempt || ledger_.of(work).attempts != each.attempt ||
        !ended_by_itself(record->attempts.back()))
      continue;
    const auto asked = from.find(each.case_id);
    if (measured_times(*record, asked == from.end() ? 0 : asked->second) >= measured_at_most) continue;
    again_.emplace(work, ledger_.of(work).end);
    ledger_.of(work).end = CaseState::waiting;
    context_.dispatcher.restart(work);
    Event event = events_.of_case(Event::Kind::case_again, work, each.attempt);
    const std::string named = each.case_id + ", ";  // the event names it
    event.text =
        fmt::format("is to be measured again, once nothing disturbs it: {}",
                    each.sentence.starts_with(named) ? each.sentence.substr(named.size()) : each.sentence);
    events_.report(std::move(event));
  }
  return !again_.empty();
}

Result<int> request_disturbed(const Workspace& workspace, const std::string& id, const Layout& layout,
                              const LockOptions& options) {
  const fs::path folder = workspace.campaign(id);
  auto lock = CampaignLock::take(folder, options);
  if (!lock) return failure_of(lock);
  const auto outcome = judged_campaign(workspace, id, layout);
  if (!outcome) return failure_of(outcome);
  const CampaignRecord& campaign = outcome->campaign.record;
  if (!repeats_itself(campaign))
    return fail("--disturbed",
                is_external(campaign) ? "the logs were made elsewhere: nothing can be measured again here"
                                      : "a scheduled check repeats by itself",
                "leave it out");
  const auto table = comparability_of(layout);
  if (!table) return failure_of(table);
  std::map<std::string, int> last;
  for (const Disturbance& each : to_measure_again(outcome->campaign, judging(campaign), *table))
    last[each.case_id] = std::max(last[each.case_id], each.attempt);
  if (last.empty()) return 0;
  auto journal = Journal::open(folder);
  if (!journal) return failure_of(journal);
  if (auto noted = journal->measure_again({last.begin(), last.end()}); !noted) return failure_of(noted);
  return static_cast<int>(last.size());
}

}  // namespace shakedown
