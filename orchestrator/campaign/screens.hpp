#pragma once
#include <span>
#include <vector>

#include "orchestrator/store/record.hpp"
#include "parsers/rules/rule.hpp"

namespace shakedown {

/// Whether the case is one of a suite that is measured before the others.
bool is_screen(const Case& planned);

/// The order in which cases begin: by stage, the screens of a stage before its other cases. Those of one
/// number may run beside each other; a higher one begins when all of the lower have ended.
int stage_order(const Case& planned);
/// The stage that a number of this order belongs to.
int stage_of(int order);

/// What the screens of a campaign measured so far: the newest complete result of each that is not invalid.
/// Rules about plausible rates of later cases refer to it.
class MeasuredScreens {
 public:
  /// Takes the results of an attempt; nothing where the case is no screen.
  void remember(const Case& planned, const AttemptRecord& attempt);
  [[nodiscard]] std::span<const Screen> all() const { return screens_; }

 private:
  std::vector<Screen> screens_;
};

}  // namespace shakedown
