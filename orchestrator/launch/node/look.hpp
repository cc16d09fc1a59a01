#pragma once
#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "orchestrator/inventory/node_state.hpp"

namespace shakedown {

/// What a look saw of the other processes on this node, for the next look that the same server starts a
/// moment later.
struct LastLook {
  std::atomic_flag is_held;
  double seen_s = 0;    ///< since 1970; 0: not known
  double steady_s = 0;  ///< the same moment, by a clock that nobody sets
  int count = 0;        ///< of those that had used a CPU
  std::array<ProcessTime, 4096> processes;
};

/// In memory that the server shares with what looks. Null: there is no server.
extern LastLook* last_look;

/// Looks at this node, or at all nodes of a case, as `main.cpp` describes the words. `self`: the program that
/// a launcher starts on each node. Returns the exit code.
int look(const std::string& self, const std::vector<std::string>& words);

}  // namespace shakedown
