#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown {

/// What people declared about the systems of a workspace, from `accepted.jsonl` and `events.jsonl`: one JSON
/// object a line, only ever appended. A last line that a power loss cut is none. Fails with the line of what
/// can't be read: a reference that silently went back to the one before would move every comparison.
/// By the time of their declaration, whichever line they came to: those of another workspace may come late.
Result<std::vector<AcceptedCampaign>> read_acceptances(const Workspace& workspace);
Result<std::vector<NodeEvent>> read_node_events(const Workspace& workspace);

/// Appends a declaration; it survives a power loss when this returns.
Result<void> append_acceptance(const Workspace& workspace, const AcceptedCampaign& acceptance);
Result<void> append_node_event(const Workspace& workspace, const NodeEvent& event);

/// Stores the files' declarations, replacing those in the store.
Result<void> store_declarations(const Workspace& workspace, Database& database);

/// Takes over what another workspace declares of a campaign and of its system, and ours does not.
Result<void> import_declarations(const Workspace& ours, const Workspace& theirs,
                                 const CampaignRecord& campaign);

/// What holds for a system at a time (seconds since 1970): its newest whole acceptance, then the parts that
/// were declared beside it since, oldest first. Empty: no campaign of it was accepted by then.
std::vector<AcceptedCampaign> holding(const std::vector<AcceptedCampaign>& all, std::string_view system,
                                      double at_s);

/// The values of the last campaign of a system that was accepted up to `at_s` (seconds since 1970), or of a
/// part accepted beside it if that measured the same nodes again: criteria are frozen with it. It knows no
/// value if none was accepted; if the declarations can't be read, or the store no longer has that campaign,
/// just the criteria that ask for one fail.
LastAccepted accepted_values(const Workspace& workspace, std::string_view system, double at_s,
                             const Layout& layout);

}  // namespace shakedown
