#pragma once
#include <filesystem>

#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// The files of a stored attempt that its verdict may rest on: started.json, finished.json, what its nodes
/// said, and whatever its case's `result_file` can name; of logs made elsewhere all. Without stamps.
std::vector<CollectedFile> evidence_files(const Case& planned, const AttemptRecord& attempt);

/// What the journal says of an attempt once it is stored in `database`; its files lie below `folder`.
Result<CollectedAttempt> journaled_attempt(const Database& database, const std::string& campaign,
                                           const Case& planned, const AttemptRecord& attempt,
                                           const std::filesystem::path& campaign_folder);

}  // namespace shakedown
