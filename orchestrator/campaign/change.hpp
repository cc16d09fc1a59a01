#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/store/declaration.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// How much of a system a change can have moved.
enum class Reach {
  nothing,  ///< nothing remains to be measured: a node that is gone
  node,     ///< what a node does by itself
  network,  ///< how it talks with others: only runs of several nodes show it
  both,
};

/// Something that is not as it was when the reference was accepted.
struct FoundChange {
  std::string what;   ///< "GPU uuids: a → b", "replaced, declared by op: GPU 3"
  std::string hosts;  ///< hostlist; empty: the system as a whole
  Reach reach = Reach::both;
  std::vector<std::string> suites;  ///< that it can have moved; empty: all
  bool resized = false;             ///< other processors, memory or GPUs: sizes are planned again
};

/// Whether a change can have moved a suite, or a screen that such a suite is held against.
bool moves(const FoundChange& change, std::string_view suite);

/// A run that covers changes, with the reason.
struct ProposedRun {
  AcceptanceRun run;    ///< with the reference's sizes as pins, where its nodes are what they were
  std::string hosts;    ///< hostlist of its nodes
  std::string because;  ///< a sentence
};

/// The smallest campaign that covers what changed.
struct ChangeProposal {
  std::vector<FoundChange> changes;
  std::vector<ProposedRun> runs;         ///< empty: nothing changed, or nothing can cover it
  bool everywhere = false;               ///< a change is on every node, or of the system
  std::vector<std::string> not_covered;  ///< sentences: what no run of the reference would show
};

/// What changed since the reference: the difference of the inventories, and what was declared of nodes.
std::vector<FoundChange> found_changes(const Inventory& reference, const Inventory& today,
                                       const std::vector<NodeEvent>& events);

/// The smallest selection of the reference's own runs that covers the changes, so that each can be compared
/// with what was measured then:
/// - of a node, its runs on one node of the suites that its changes can affect, on that node alone;
/// - and, where it can affect the node's communication, one run on several nodes that has all changed
///   nodes in it: of the suite whose predicted node-hours are least, at the smallest number of nodes at which
///   the reference ran it and that holds them;
/// - of a change on every node or of the system, every run of those suites (of a network change: those on
///   several nodes).
/// Repetitions and sizes are those of the reference. Nodes on which it never ran (such as login nodes) are
/// looked at only if they changed. Runs that came from a plan made by hand can't be planned again; they are
/// reported.
ChangeProposal proposed_campaign(const CampaignRecord& reference, const Inventory& today,
                                 std::vector<FoundChange> changes);

}  // namespace shakedown
