#include "orchestrator/schedulers/polling.hpp"

#include <algorithm>

#include "orchestrator/core/time.hpp"

namespace shakedown {

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
