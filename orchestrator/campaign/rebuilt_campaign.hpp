#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"

namespace shakedown {

/// What the run directories of an unpacked bundle give by this version.
struct RebuiltCampaign {
  Outcome outcome;
  std::string results;  ///< results.json
  std::string report;   ///< report.html
  std::string store;    ///< `store_lines`
  /// Attempts whose rows have another hash than the journal states: where, what.
  std::vector<std::pair<std::string, std::string>> other_records;
  /// Where store/others.json is not what the workspace's list in the bundle has of earlier campaigns.
  std::vector<std::string> other_history;
  /// Shipped tables of the bundle that are other ones here: "share/comparability.toml is not the one".
  std::vector<std::string> other_data;
};

/// Stores a campaign anew from its run directories, as `import` does, and judges it by what the bundle holds
/// beside them: criteria, published values, the table of what may be compared, and what other campaigns gave.
/// `folder` is the bundle's, which becomes a workspace.
Result<RebuiltCampaign> rebuilt_campaign(const std::filesystem::path& folder, const std::string& id,
                                         const Layout& layout);

}  // namespace shakedown
