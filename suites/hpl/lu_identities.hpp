#pragma once
#include "orchestrator/plan/identities.hpp"

namespace shakedown::hpl {

// Identities of all that factorises a dense matrix, and of the matrix product that it consists of.

/// Operations of LU factorisation and solve (netlib HPL, HPL_pdtest.c).
double lu_flop(double N);

/// The efficiencies of a run's rate per GPU; `gemm`: the row that the first of them refers to, or null.
void rate_identities(const PublishedRun& run, const BaselineValue& rate, const BaselineValue* gemm,
                     IdentityList& found);

/// P x Q and N / NB; `rmax` carries the status.
void grid_identities(const PublishedRun& run, const BaselineValue& rmax, IdentityList& found);

}  // namespace shakedown::hpl
