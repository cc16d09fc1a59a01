#pragma once
#include <string>

#include "orchestrator/planning/fitted_runs.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown {

/// The criteria of a starting configuration as TOML, for the fitted runs: those of the shipped configuration
/// that these runs can decide. A limit is kept where it belongs to the same runs of the same system;
/// elsewhere it is a contract's value, which begins as what the plan predicts and is marked with `# EDIT:`. A
/// metric that nothing predicts has a commented example instead of a limit. Every suite has a criterion on
/// validity at least.
std::string starting_criteria(const Criteria& shipped, const FittedRuns& fitted);

}  // namespace shakedown
