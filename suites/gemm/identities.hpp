#pragma once
#include "orchestrator/plan/identities.hpp"

namespace shakedown::gemm {

/// Recomputes the identities of a published run of the suite. Its rate was published with HPL.
void identities(const PublishedRun& run, const Baseline& baseline, IdentityList& found);

}  // namespace shakedown::gemm
