#pragma once
#include "orchestrator/plan/plan.hpp"
#include "suites/io500/sizes.hpp"

namespace shakedown::io500 {

/// Whether the request wants a run that is too short to be valid: the implementation allows screens, and the
/// wished time is below an hour.
bool is_screen(const PlanRequest& request);

/// Sizes of a run of the wished time: a stonewall that is a part of it, and items that bound the phases where
/// the storage is slower or faster than a small disk. Pins of the sizes are taken as they are, a pinned
/// stonewall too. Never valid by IO500's rules: IO5-02 fails.
///
/// Fails with rule "IO500 capacity" as check_capacity() does.
Result<Sizes> screen_sizes(const PlanRequest& request, int ranks, const Target& target);

/// `wall_time_s` of a screen: from the start alone to twice the wished time.
Prediction screen_time(const PlanRequest& request);

}  // namespace shakedown::io500
