#pragma once
#include <functional>
#include <string>
#include <vector>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/merge.hpp"

namespace shakedown {

/// What asking the nodes brought.
struct Probe {
  std::vector<NodeAnswer> answers;  ///< in the order in which the hosts were given
  std::vector<SilentNode> silent;
};

/// The line that asks one node for its inventory. It binds nothing, since what the process may use is the
/// answer.
std::vector<std::string> probe_argv(const std::string& host, const Layout& layout,
                                    const std::filesystem::path& sessions, bool as_root);

/// Asks every host for its inventory through mpirun, many at a time, each with a launch of its own: answers
/// can't mix, and a node that is down affects no other. `progress` gets how many are done.
///
/// Fails (environment) only where there is no mpirun.
Result<Probe> probed(const std::vector<std::string>& hosts, const Layout& layout,
                     const std::function<void(size_t)>& progress);

}  // namespace shakedown
