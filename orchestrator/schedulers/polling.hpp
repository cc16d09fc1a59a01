#pragma once

namespace shakedown {

inline constexpr double answer_s = 60;  ///< that a command of a batch system may take
inline constexpr double longest_lane_s = 3600;

/// When the queue is asked again about silent jobs: at least `least_s` apart, later and later as long as
/// nothing changes, at most `most_s` apart; about the others each `most_s`. A step of the wall clock does not
/// count.
class PollingClock {
 public:
  static constexpr double least_s = 10;

  explicit PollingClock(double most_s);

  /// `silent`: what a job wrote, or did not, gives reason to ask.
  [[nodiscard]] bool is_due(bool silent) const;
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
  double asked_s_;       ///< when it last was
  double ask_at_s_ = 0;  ///< not before, about silent jobs
  double pause_s_ = least_s;
};

}  // namespace shakedown
