#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/store/declaration.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// A user's declaration of what happened to nodes.
struct NodeDeclaration {
  std::string system;  ///< empty: the only one
  std::string node;    ///< hostlist
  std::string event;
  std::string by;
  std::string note;
};

/// The system that is meant: the one given, else the only one that has an accepted campaign, else the only
/// one that has any campaign. Fails with their names, and on one that no campaign was of.
Result<std::string> declared_system(const Workspace& workspace, const std::string& given);

/// Appends an event for each node and stores them. Fails on an unknown event, where nobody declares it, and
/// on a node that no campaign of the system had.
Result<std::vector<NodeEvent>> declared_events(const Workspace& workspace,
                                               const NodeDeclaration& declaration);

/// The events as recorded, for people and as `shakedown.node-events/1`.
std::string events_text(const std::vector<NodeEvent>& events);
std::string events_json(const std::vector<NodeEvent>& events);

/// What of a node's hardware and software differs between a campaign and an earlier one, as far as both
/// record it: "kernel: Linux 6.1.0-25 -> Linux 6.1.0-26", by inventory, versions, libraries and hashes of
/// programs. A case's program is known by its suite and implementation, wherever it lies; fabric and storage
/// belong to every node. Settings, such as a power limit, and a job's variables don't count: a change of them
/// is a reason to look into a loss, not a new machine.
std::vector<std::string> node_changes(const CampaignRecord& before, const CampaignRecord& after,
                                      const std::string& node);

/// The nodes that an operator takes out of a campaign, and why.
struct OperatorExclusion {
  std::string hosts;   ///< hostlist
  std::string reason;  ///< in the operator's words; empty: none was given
};

/// Excludes nodes of a campaign that is not being run, for good: `run_campaign` then gives them no more work
/// and plans again what needed them. Jobs that run there run to their end, and their results count. Returns
/// the nodes that were not excluded before.
///
/// Fails if the hostlist can't be read, names a host that is no node of the campaign or all remaining ones,
/// or if the campaign runs on this machine alone or elsewhere; (environment) while somebody runs it. It then
/// changed nothing.
Result<std::vector<std::string>> exclude_by_operator(const Workspace& workspace, const std::string& id,
                                                     const OperatorExclusion& wanted,
                                                     const LockOptions& lock = {});

}  // namespace shakedown
