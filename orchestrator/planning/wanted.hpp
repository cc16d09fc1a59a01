#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/suite.hpp"
#include "orchestrator/planning/plan_options.hpp"

namespace shakedown {

/// The user's choice of an implementation.
struct ImplementationWish {
  std::string id;         ///< empty: by the hardware
  std::string benchmark;  ///< empty: all that the implementation has
  bool strict = false;    ///< the suite was named: `id` must be one of its own
  bool here = false;      ///< the plan is for this machine: what is not installed can't run
  /// The make of the GPUs that it runs on; empty text: on processor cores. Nothing: either.
  std::optional<std::string>
      requires_gpu{};  // NOLINT(readability-redundant-member-init): g++ 12 warns without it
};

/// The implementation of `suite` for nodes like `group`, one entry for each of its benchmarks: the one asked
/// for; else the vendor's where the nodes have its GPUs, else an installed real program, else `reference`,
/// else (for other machines) the first that needs no GPU.
///
/// Fails where the one asked for does not exist, and with rule "requirements" where none is installed here.
Result<std::vector<const Implementation*>> chosen_implementation(std::span<const Implementation> all,
                                                                 const Suite& suite, const NodeGroup& group,
                                                                 const ImplementationWish& wish,
                                                                 const Layout& layout);

/// One suite at one scale, as the options or the configuration want it.
struct Wanted {
  const Suite* suite = nullptr;
  ImplementationWish implementation;
  int nodes = 0;      ///< 0: all
  std::string hosts;  ///< hostlist; empty: the largest kind that can run it
  std::string exclude;
  double time_s = 0;
  bool each_node = false;  ///< a case of one node for each
  int stage = 0;
  int repetitions = 1;
  std::vector<Parameter> pins;
  bool by_name = false;  ///< its refusal is the user's error, not a row of the plan alone
  std::string place;
};

/// What the configuration's runs want, in their order; without runs what the options want: all suites or
/// those named, screens first.
Result<std::vector<Wanted>> wanted_runs(const PlanOptions& options, const Acceptance& acceptance);

/// Refuses a pin of a parameter that the suite does not have.
Result<void> check_pins(const Wanted& wanted);

/// Why nodes with GPUs get a program for processor cores which nobody asked for, of a suite that has programs
/// for GPUs: "none of MLPerf's programs for GPUs (nvidia) is for AMD Instinct MI300X"; empty: they don't.
std::string cores_beside_gpus(const Wanted& wanted, const NodeGroup& like,
                              const std::vector<const Implementation*>& chosen,
                              std::span<const Implementation> implementations);

}  // namespace shakedown
