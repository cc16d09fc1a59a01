#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {

/// What the user said of an implementation.
struct ImplementationWish {
  std::string id;         ///< empty: by the hardware
  std::string benchmark;  ///< empty: all that the implementation has
  bool strict = false;    ///< the suite was named: `id` must be one of its own
  bool here = false;      ///< the plan is for this machine: what is not installed can't run
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

}  // namespace shakedown
