#pragma once
#include <filesystem>
#include <vector>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// All files of a run directory by name, with hash and excerpt, except what a repeat by hand left there.
std::vector<FileRecord> run_files(const std::filesystem::path& folder);

}  // namespace shakedown
