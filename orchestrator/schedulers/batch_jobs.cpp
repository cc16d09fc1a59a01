#include "orchestrator/schedulers/batch_jobs.hpp"

#include <algorithm>

#include "orchestrator/core/time.hpp"

namespace shakedown {

std::string BatchJobs::enter(const Job& job, const std::string& id) {
  track(job, id);
  clock_.job_entered();
  has_taken_ = true;
  return id;
}

Result<std::string> BatchJobs::found(const Job& job) {
  auto id = found_by_name(job);
  if (id && !id->empty()) return enter(job, *id);
  return id;
}

Result<void> BatchJobs::expect(std::span<const KnownJob> jobs) {
  for (const KnownJob& known : jobs)
    if (!known.known_as.empty()) enter(*known.job, known.known_as);
  if (auto asked = ask_queue(); !asked) return asked;
  for (const KnownJob& known : jobs)
    if (!known.known_as.empty()) expected_.insert(known.job->id);
  return {};
}

Result<bool> BatchJobs::adopt(const Job& job, const std::string& known_as) {
  std::string id = known_as;
  if (id.empty()) {
    const auto found = found_by_name(job);
    if (!found) return failure_of(found);
    id = *found;
  }
  if (id.empty()) return false;
  if (expected_.erase(job.id) == 0) {
    enter(job, id);
    if (auto asked = ask_queue(); !asked) return failure_of(asked);
  }
  return !is_gone(job);
}

PollingClock::PollingClock(double most_s) : most_s_(std::max(most_s, least_s)), asked_s_(steady_s()) {}

bool PollingClock::is_due(bool silent) const {
  return steady_s() >= (silent ? ask_at_s_ : asked_s_ + most_s_);
}

void PollingClock::asks() {
  asked_s_ = steady_s();
  ask_at_s_ = asked_s_ + pause_s_;
}

void PollingClock::answered(bool changed) {
  pause_s_ = changed ? least_s : std::min(most_s_, 2 * pause_s_);
  ask_at_s_ = steady_s() + pause_s_;
}

void PollingClock::job_entered() {
  pause_s_ = least_s;
  ask_at_s_ = std::max(ask_at_s_, steady_s() + least_s / 2);
}

void PollingClock::ask_soon() {
  pause_s_ = least_s;
  ask_at_s_ = 0;
}

}  // namespace shakedown
