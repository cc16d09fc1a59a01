#pragma once
#include <array>
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/node_state.hpp"
#include "orchestrator/launch/environment.hpp"
#include "orchestrator/launch/node_arguments.hpp"

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

/// What attempts before left on this node of what they read and loaded.
struct KnownEnvironment {
  std::string text;  ///< of the file; empty: there was none
  EnvironmentFile environment;
  std::string sha256;  ///< of the text
};

/// A look at this node just before a program and one just after it.
class NodeLook {
 public:
  /// What the program loads on this node.
  struct Loaded {
    bool first = true;  ///< this is the case's first node, whose program the wrapper hashes
    LoadedRecord record;
    KnownEnvironment known;
  };

  /// `wrapper`: it, and the processes that it descends from, are ours.
  NodeLook(NodeArguments arguments, int wrapper);
  /// Looks at the node and at what the program will load, and writes nothing.
  void begin();
  /// Writes node-<name>.json.
  [[nodiscard]] Result<void> before() const;
  /// Writes that beside it, for a process that looks after the program in place of this one.
  [[nodiscard]] Result<void> leave() const;
  /// Takes up what another process left.
  void take_up();
  /// Writes node-<name>.json again, and on the case's first node environment.json.
  Result<void> after();

 private:
  NodeArguments arguments_;
  int wrapper_;
  std::string node_;
  std::filesystem::path file_;
  NodeState state_;
  Loaded loaded_;
};

/// Whether the node that is looked at is this one, so that no launcher has to start this program there.
bool is_looked_at_here(const NodeArguments& arguments);

/// Looks at this node, or at all nodes of a case, as `main.cpp` describes the words. `self`: the program that
/// a launcher starts on each node. Returns the exit code.
int look(const std::string& self, const std::vector<std::string>& words);

}  // namespace shakedown
