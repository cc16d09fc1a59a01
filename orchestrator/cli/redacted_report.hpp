#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/workspace.hpp"

namespace shakedown {

/// The folder below a campaign's own that redacted reports are written to.
inline constexpr const char* redacted_folder = "redacted";

/// What was written, and names that may still stand there, or may be ordinary words: somebody must look.
struct RedactedReport {
  Reported reported;
  std::vector<std::string> doubtful;
};

/// Judges a campaign and writes the given formats without the names of its site into `folder`. Stores
/// nothing. Fails, and writes nothing, if a name would still stand in one of them.
Result<RedactedReport> redacted_report(const Workspace& workspace, const std::string& id,
                                       const std::filesystem::path& folder,
                                       const std::vector<std::string>& formats);

}  // namespace shakedown
