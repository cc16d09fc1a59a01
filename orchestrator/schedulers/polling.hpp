#pragma once

namespace shakedown {

/// When the queue may be asked again: at least `least_s` apart, later and later as long as nothing changes,
/// at most `most_s` apart. Times are seconds since 1970.
class PollingClock {
 public:
  static constexpr double least_s = 10;

  explicit PollingClock(double most_s) : most_s_(most_s) {}

  [[nodiscard]] bool may_ask() const;
  /// A question begins: where it gets no answer, the next comes after the same pause.
  void asks();
  /// It was answered.
  void answered(bool changed);
  /// A job was submitted or taken on: it may change soon, though not at once.
  void job_entered();
  /// Something was done that changes what is there.
  void ask_soon();

 private:
  double most_s_;
  double ask_at_s_ = 0;
  double pause_s_ = least_s;
};

}  // namespace shakedown
