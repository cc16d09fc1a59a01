#pragma once
#include <string>

#include "orchestrator/plan/implementation.hpp"

namespace shakedown {

/// The part of the memory that a matrix fills.
struct MemoryShare {
  double fraction = 0;
  std::string source;
};

/// On up to `few_nodes` nodes the implementation's `few_nodes_memory_fraction`, where its tuning states them:
/// vendors' samples for a few nodes fill another part than published runs of whole machines. Else its
/// `memory_fraction`.
inline MemoryShare memory_share(const Implementation& implementation, int nodes) {
  if (nodes <= implementation.tuned("few_nodes", 0))
    return {implementation.tuned("few_nodes_memory_fraction", implementation.memory_fraction),
            implementation.tuned_text("few_nodes_memory_source")};
  return {implementation.memory_fraction, implementation.tuned_text("memory_source")};
}

}  // namespace shakedown
