#pragma once
#include "orchestrator/plan/identities.hpp"

namespace shakedown::hpcg {

/// Recomputes the identities of a published run of the suite.
void identities(const PublishedRun& run, const Baseline& baseline, IdentityList& found);

}  // namespace shakedown::hpcg
