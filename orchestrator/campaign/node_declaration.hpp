#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/store/declaration.hpp"

namespace shakedown {

/// What a user says happened to nodes.
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

/// The events as they were kept, for people and as `shakedown.node-events/1`.
std::string events_text(const std::vector<NodeEvent>& events);
std::string events_json(const std::vector<NodeEvent>& events);

}  // namespace shakedown
