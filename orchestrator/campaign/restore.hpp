#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// What a campaign's folder gave to the store.
struct Restored {
  std::string campaign;
  bool copied = false;  ///< its folder came from another workspace
  int cases = 0;        ///< of the campaign
  int attempts = 0;     ///< that the store did not have
  /// Of a folder that was copied: what is no regular file, is larger than `largest_imported_file`, or is a
  /// link out of it, each with the reason.
  std::vector<Error> left_out{};  // NOLINT(readability-redundant-member-init)
};

/// Stores what the run directories of a campaign hold and the store does not: the rows are the same as after
/// running it, or importing its logs. A campaign whose rows differ from its run directories is stored again.
/// Fails (environment) if files are others than when they were collected. A campaign that is being run is
/// refused (environment); a last attempt that may still run is for `resume`.
Result<Restored> restored_campaign(const Workspace& workspace, const std::string& id, const Layout& layout);

/// As above, for a campaign's folder anywhere: one of another workspace is copied first. Fails where the
/// workspace has another campaign of that id.
Result<Restored> adopted_campaign(const Workspace& workspace, const std::filesystem::path& folder,
                                  const Layout& layout);

/// Brings the store to what the folder of a campaign of runs made elsewhere holds; the number of runs added.
/// The caller holds the campaign's lock.
Result<int> restored_imports(Database& database, Journal& journal, const CampaignRecord& campaign,
                             const std::filesystem::path& folder);

/// Journals an attempt that was stored from its folder, unless the journal has it already.
Result<void> journal_stored(Journal& journal, const Database& database, const std::string& campaign,
                            const Case& planned, const AttemptRecord& attempt,
                            const std::filesystem::path& folder);

}  // namespace shakedown
