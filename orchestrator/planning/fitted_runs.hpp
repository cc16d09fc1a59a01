#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The system that a shipped configuration's runs are fitted to.
struct FittingRequest {
  const Acceptance* from = nullptr;  ///< the shipped configuration
  const Inventory* inventory = nullptr;
  int nodes = 0;                    ///< to use; 0: all of the kind
  std::vector<std::string> suites;  ///< to take over; empty: all
  /// A hostlist, all of one kind; empty: the largest kind.
  std::string hosts{};   // NOLINT(readability-redundant-member-init): g++ 12 warns without it
  bool at_once = false;  ///< only what this installation can run
};

/// A run of the shipped configuration at scales that the system has.
struct FittedRun {
  AcceptanceRun run;
  bool as_shipped = false;  ///< at the scales, and by the implementation, of the shipped configuration
  std::vector<Case> cases;  ///< one for each of its scales and benchmarks, as planned; of each node: one
  std::vector<Implementation> implementations;  ///< of its cases, each once
  std::string because;                          ///< why it has fewer nodes than were meant; empty: it has not
  int meant = 0;                                ///< that number; 0: it has them
};

/// The runs of a shipped configuration on another system.
struct FittedRuns {
  std::vector<FittedRun> runs;        ///< in the shipped order
  std::vector<std::string> left_out;  ///< what no scale here can do: "mlperf gpt3: 8 GPUs < TP x PP = 64"
  NodeKind kind;                      ///< the nodes that they are for, no more than asked for
  int nodes = 0;
  bool all_nodes = true;   ///< of that kind
  bool screening = false;  ///< by the reference kernels with small problems: they alone can run at once
  std::vector<std::string> other_kinds;  ///< hostlists of the kinds of nodes that the runs are not for
  std::string kind_because;              ///< "of the highest FP64 peak"; empty: there is one kind
  bool same_system = true;               ///< the configuration was written for this system
};

/// Fits the runs: those of about all nodes of the shipped system become runs of all nodes here, growing
/// numbers of nodes end below it and have half of it, a number that a benchmark's rules name stays. Each is
/// planned; one for which the plan recommends fewer nodes has those if they can be planned, one that is
/// refused is tried on up to eight nodes less and then by powers of two. The implementation is the shipped
/// one, else the vendor's of the nodes' GPUs; on nodes without GPUs that of the processors' vendor, else the
/// benchmark's own program; on nodes that only the reference kernels can use, or `at_once`, `reference`.
///
/// Fails for more nodes than there are, hosts of several kinds, an unknown suite, and if no run remains.
Result<FittedRuns> fitted_runs(const FittingRequest& request, const Layout& layout);

}  // namespace shakedown
