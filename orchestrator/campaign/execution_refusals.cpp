// Jobs that the scheduler refuses in words that do not say whether it lasts.
#include <algorithm>
#include <utility>

#include "orchestrator/campaign/execution.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

/// The words without their numbers: those of a job differ from those of the next.
std::string without_numbers(std::string words) {
  std::ranges::replace_if(
      words, [](char c) { return c >= '0' && c <= '9'; }, '0');
  return words;
}

}  // namespace

void Execution::take_id(Job& job) {
  if (job.id == fmt::format("job-{}", next_job_)) ++next_job_;
}

Result<void> Execution::put_off(ReadyJob ready, const std::string& words) {
  Refusals& refusals = ready.refusals;
  const bool first = refusals.since_s <= 0;
  if (first) refusals.since_s = steady_s();
  refusals.pause_s =
      first ? options_.pauses.refusal_s : std::min(2 * refusals.pause_s, options_.pauses.refusal_most_s);
  const std::string before = std::exchange(refusals.words, words);
  const std::string kind = without_numbers(words);
  if (steady_s() - refusals.since_s >= options_.pauses.refused_s) lasting_refusals_.insert(kind);
  if (!first && lasting_refusals_.contains(kind)) return refuse(std::move(ready), words);
  if (first || without_numbers(before) != kind) report_refusal(ready);
  ready.offer_at_s = steady_s() + refusals.pause_s;
  put_off_.push_back(std::move(ready));
  return {};
}

void Execution::report_refusal(const ReadyJob& ready) {
  Event event;
  event.kind = Event::Kind::job_refused;
  event.job = ready.job_id;
  event.hosts = folded_hostlist(hosts_of(ready));
  event.text =
      fmt::format("{}; retried for up to {}", ready.refusals.words, duration_text(options_.pauses.refused_s));
  tell(std::move(event));
}

void Execution::offer_again() {
  const auto due = std::ranges::stable_partition(
      put_off_, [now = steady_s()](const ReadyJob& ready) { return ready.offer_at_s > now; });
  for (ReadyJob& ready : due) ready_.push_back(std::move(ready));
  put_off_.erase(due.begin(), due.end());
}

void Execution::for_each_ready(const std::function<void(ReadyJob&)>& visit) {
  for (ReadyJob& ready : ready_) visit(ready);
  for (ReadyJob& ready : put_off_) visit(ready);
}

}  // namespace shakedown
