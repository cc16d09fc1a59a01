#pragma once
#include <optional>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// What people declared about the systems of a workspace, from `accepted.jsonl` and `events.jsonl`: one JSON
/// object a line, only ever appended. A last line that a power loss cut is none. Fails with the line of what
/// can't be read: a reference that silently went back to the one before would move every comparison.
Result<std::vector<AcceptedCampaign>> read_acceptances(const Workspace& workspace);
Result<std::vector<NodeEvent>> read_node_events(const Workspace& workspace);

/// Appends a declaration; it survives a power loss when this returns.
Result<void> append_acceptance(const Workspace& workspace, const AcceptedCampaign& acceptance);
Result<void> append_node_event(const Workspace& workspace, const NodeEvent& event);

/// Stores what the files say, replacing what the store had of it.
Result<void> store_declarations(const Workspace& workspace, Database& database);

/// Takes over what another workspace declares of a campaign and of its system, and ours does not.
Result<void> adopt_declarations(const Workspace& ours, const Workspace& theirs,
                                const CampaignRecord& campaign);

/// The newest acceptance of a system; none: no campaign of it was ever accepted.
Result<std::optional<AcceptedCampaign>> last_acceptance(const Workspace& workspace, std::string_view system);

}  // namespace shakedown
