#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/campaign/workspace.hpp"
#include "reports/site/history.hpp"

namespace shakedown {

/// What of a workspace's history is shown.
struct WantedHistory {
  std::string system;            ///< empty: all systems
  double since_s = 0;            ///< campaigns that began before are left out; 0: none
  std::filesystem::path folder;  ///< that the page lies in: addresses of reports are relative to it
};

/// Reads the history of a workspace from its store, its log of checks and its declarations. A store without
/// campaigns gives a history without systems. Fails where there is no store or it can't be read, and (input)
/// for a system that it does not have, with the nearest name.
Result<SiteHistory> gathered_history(const Workspace& workspace, const WantedHistory& wanted);

}  // namespace shakedown
