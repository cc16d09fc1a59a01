#pragma once
#include "orchestrator/plan/identities.hpp"

namespace shakedown::hpl {

/// Recomputes the identities of a published run of the suite. `baseline` holds the GEMM that was published
/// with it.
void identities(const PublishedRun& run, const Baseline& baseline, IdentityList& found);

}  // namespace shakedown::hpl
