#pragma once
#include <cstdint>
#include <string>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// Memory that a planned case may count on.
struct UsableMemory {
  std::int64_t bytes = 0;  ///< 0: not known
  std::string because;     ///< which limit it is: "available now", "the job's limit", ...
};

/// Host memory of one node: the smallest known of what is on the board, what the job is limited to and what
/// was available when the node was looked at.
UsableMemory usable_host_memory(const NodeGroup& node);

/// Memory of one GPU: the smallest of the node's GPUs, since ranks hold equal shares.
UsableMemory usable_gpu_memory(const NodeGroup& node);

}  // namespace shakedown
