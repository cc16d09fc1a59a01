#include "orchestrator/schedulers/polling.hpp"

#include <algorithm>

#include "orchestrator/core/time.hpp"

namespace shakedown {

bool PollingClock::may_ask() const {
  return now_s() >= ask_at_s_;
}

void PollingClock::asks() {
  ask_at_s_ = now_s() + pause_s_;
}

void PollingClock::answered(bool changed) {
  pause_s_ = changed ? least_s : std::min(std::max(most_s_, least_s), 2 * pause_s_);
  ask_at_s_ = now_s() + pause_s_;
}

void PollingClock::job_entered() {
  pause_s_ = least_s;
  ask_at_s_ = std::max(ask_at_s_, now_s() + least_s / 2);
}

void PollingClock::ask_soon() {
  pause_s_ = least_s;
  ask_at_s_ = 0;
}

}  // namespace shakedown
