// Jobs that the scheduler did not take: offered again for a time, divided, given up.
#include <algorithm>
#include <utility>

#include "orchestrator/campaign/submit_queue.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

constexpr int most_passed_over = 3;  // times that a job is rejected and another taken: then it is its fault

/// The words without their numbers: those of a job differ from those of the next.
std::string without_numbers(std::string words) {
  std::ranges::replace_if(
      words, [](char c) { return c >= '0' && c <= '9'; }, '0');
  return words;
}

}  // namespace

Result<void> SubmitQueue::keep_rejected(ReadyJob ready, const JobLater& answer) {
  if (ready.words != answer.words && !answer.words.empty()) {
    Event event;
    event.kind = Event::Kind::job_waiting;
    event.job = fmt::format("job-{}", next_job_);
    event.text = answer.words;
    event.hosts = folded_hostlist(hosts_of(ready));
    events_.report(event);
  }
  ready.words = answer.words;
  const bool alone = context_.running.empty() && answer.of == JobLater::Of::this_one;
  if (!alone)
    ready.rejected_since_s = 0;
  else if (ready.rejected_since_s <= 0)
    ready.rejected_since_s = steady_s();
  const bool for_good = alone && steady_s() - ready.rejected_since_s >= context_.options.pauses.refused_s;
  if (for_good) return refuse(std::move(ready), answer.words);
  if (answer.of == JobLater::Of::this_one) {
    ready.suspect = true;
    ready_.push_back(std::move(ready));
  } else {
    ready_.push_front(std::move(ready));
  }
  return {};
}

Result<void> SubmitQueue::reoffer_suspects() {
  std::vector<ReadyJob> suspects;
  std::erase_if(ready_, [&](ReadyJob& ready) {
    if (!ready.suspect) return false;
    suspects.push_back(std::move(ready));
    return true;
  });
  for (ReadyJob& ready : suspects) {
    ready.suspect = false;
    if (++ready.passed_over < most_passed_over) {
      ready_.push_front(std::move(ready));  // again at once, as long as the queue takes others
      continue;
    }
    const std::string words = ready.words;
    if (auto refused = refuse(std::move(ready), words); !refused) return refused;
  }
  return {};
}

Result<void> SubmitQueue::put_off(ReadyJob ready, const std::string& words) {
  Refusals& refusals = ready.refusals;
  const bool first = refusals.since_s <= 0;
  if (first) refusals.since_s = steady_s();
  refusals.pause_s = first ? context_.options.pauses.refusal_s
                           : std::min(2 * refusals.pause_s, context_.options.pauses.refusal_most_s);
  const std::string before = std::exchange(refusals.words, words);
  const std::string kind = without_numbers(words);
  if (steady_s() - refusals.since_s >= context_.options.pauses.refused_s) lasting_refusals_.insert(kind);
  if (!first && lasting_refusals_.contains(kind)) return refuse(std::move(ready), words);
  if (first || without_numbers(before) != kind) report_refusal(ready);
  ready.offer_at_s = steady_s() + refusals.pause_s;
  put_off_.push_back(std::move(ready));
  return {};
}

void SubmitQueue::report_refusal(const ReadyJob& ready) {
  Event event;
  event.kind = Event::Kind::job_refused;
  event.job = ready.job_id;
  event.hosts = folded_hostlist(hosts_of(ready));
  event.text = fmt::format("{}; retried for up to {}", ready.refusals.words,
                           duration_text(context_.options.pauses.refused_s));
  events_.report(std::move(event));
}

void SubmitQueue::offer_again() {
  const auto due = std::ranges::stable_partition(
      put_off_, [now = steady_s()](const ReadyJob& ready) { return ready.offer_at_s > now; });
  for (ReadyJob& ready : due) ready_.push_back(std::move(ready));
  put_off_.erase(due.begin(), due.end());
}

Result<void> SubmitQueue::refuse(ReadyJob ready, const std::string& words) {
  std::size_t steps = 0;
  for (const RunningLane& lane : ready.lanes) steps += lane.steps.size();
  if (steps <= 1) return give_up_job(ready, words);
  // One of them may be what is wrong: the others shall not go with it.
  std::vector<ReadyJob> parts;
  if (ready.lanes.size() > 1) {
    for (RunningLane& lane : ready.lanes) parts.push_back({{std::move(lane)}, {}, 0, 0});
  } else {
    // Steps behind each other share their nodes: the first goes, the others wait for them.
    RunningLane& lane = ready.lanes.front();
    for (std::size_t i = 1; i < lane.steps.size(); ++i) {
      ledger_.take_back(lane.steps[i].work);
    }
    lane.steps.resize(1);
    parts.push_back({{std::move(lane)}, {}, 0, 0});
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) ready_.push_front(std::move(*part));
  return {};
}

Result<void> SubmitQueue::give_up_job(const ReadyJob& ready, const std::string& words) {
  for (const RunningLane& lane : ready.lanes) {
    for (const RunningStep& step : lane.steps) {
      if (const auto abandoned = abandon_unstarted(step.place.folder()); !abandoned)
        return failure_of(abandoned);
      if (auto given = ledger_.give_up(step.work, fmt::format("the scheduler refuses its job: {}", words));
          !given)
        return given;
    }
    context_.dispatcher.release(lane.pool);
  }
  return {};
}

}  // namespace shakedown
