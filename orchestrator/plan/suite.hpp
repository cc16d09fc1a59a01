#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// What a suite is asked to plan for.
struct PlanRequest {
  const Inventory* inventory = nullptr;
  const Implementation* implementation = nullptr;
  const NodeGroup* group = nullptr;  ///< the nodes to use: one kind of hardware
  std::vector<std::string> hosts;    ///< of that group, in order
  Layout layout;
  double time_s = 0;       ///< wished run time of the case; 0: as large as memory allows
  double gemm_gflops = 0;  ///< measured FP64 GEMM of all nodes; 0: none, theoretical peak is used
};

/// A benchmark that can be planned: a table of functions, one constant per suites/<suite>/suite.cpp.
struct Suite {
  std::string_view id;     ///< "hpl"
  std::string_view title;  ///< "HPL"
  std::string_view about;  ///< one sentence for `list`
  bool screen = false;     ///< gemm, stream, ...: measured before the suites, referred to by efficiencies
  /// Derives the case; a refusal is an Error whose `where` is the rule's id.
  Result<Case> (*plan)(const PlanRequest&) = nullptr;
};

/// All suites, from the folders suites/*.
std::span<const Suite* const> suites();

}  // namespace shakedown
