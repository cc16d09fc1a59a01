#pragma once
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// Whether the case is one of a suite that is measured before the others.
bool is_screen(const Case& planned);

/// The order in which cases begin: by stage, the screens of a stage before its other cases. Those of one
/// number may run beside each other; a higher one begins when all of the lower have ended.
int stage_order(const Case& planned);
/// The stage that a number of this order belongs to.
int stage_of(int order);

}  // namespace shakedown
