#pragma once
#include <filesystem>
#include <vector>

#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// All files of a run directory by name, with hash and excerpt, except what a repeat by hand left there.
/// Where `mask` forbids to quote programs, job.sh alone has an excerpt.
std::vector<FileRecord> run_files(const std::filesystem::path& folder, const SecretMask& mask = {});

}  // namespace shakedown
