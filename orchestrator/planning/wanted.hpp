#pragma once
#include <string>
#include <vector>

#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/suite.hpp"
#include "orchestrator/planning/implementation_choice.hpp"
#include "orchestrator/planning/plan_options.hpp"

namespace shakedown {

/// One suite at one scale, as the options or the configuration want it.
struct Wanted {
  const Suite* suite = nullptr;
  ImplementationWish implementation;
  int nodes = 0;      ///< 0: all
  std::string hosts;  ///< hostlist; empty: those of the largest kind
  std::string exclude;
  double time_s = 0;
  bool each_node = false;  ///< a case of one node for each
  int stage = 0;
  int repetitions = 1;
  std::vector<Parameter> pins;
  bool by_name = false;  ///< its refusal is the user's error, not a row of the plan
  std::string place;
};

/// What the configuration's runs want, in their order; without runs what the options want: all suites or
/// those named, screens first.
Result<std::vector<Wanted>> wanted_runs(const PlanOptions& options, const Acceptance& acceptance);

/// Refuses a pin of a parameter that the suite does not have.
Result<void> check_pins(const Wanted& wanted);

}  // namespace shakedown
