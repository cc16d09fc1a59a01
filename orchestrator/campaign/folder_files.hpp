#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/campaign/journal.hpp"

namespace shakedown {

// Files of a campaign's folder that lie in no run directory, and that the commitment does not bind: those of
// its jobs, and environment-<host>.json.

/// The files of `jobs/` as they are now, by their names below the campaign's folder. The journal's line
/// `finished` binds them.
std::vector<CollectedFile> job_files(const std::filesystem::path& campaign_folder);

/// Where they are not those that the journal binds, a sentence each. More at a log's end is no difference:
/// the batch system may write it when the last attempt has ended.
std::vector<std::string> job_file_faults(const JournalContent& journal,
                                         const std::filesystem::path& campaign_folder);

/// What the attempts of a campaign state of the files from which their nodes knew hashes (`KnownHashes`).
struct KnownHashesCheck {
  /// Where an attempt read what no attempt left; where two attempts found a file on one node to be another
  /// one, and neither noticed.
  std::vector<std::string> faults;
  std::set<std::string> left;  ///< SHA-256 of what attempts left
};
KnownHashesCheck check_known_hashes(const std::filesystem::path& campaign_folder);

}  // namespace shakedown
