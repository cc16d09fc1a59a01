#pragma once
#include "orchestrator/plan/identities.hpp"

namespace shakedown::io500 {

/// Recomputes the identities of a published run of the suite.
void identities(const PublishedRun& run, const Baseline& baseline, IdentityList& found);

}  // namespace shakedown::io500
