#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "reports/evidence/bundle_file.hpp"

namespace shakedown {

/// What a bundle takes from a campaign's folder.
struct BundledFolder {
  std::vector<BundledFile> files;
  std::vector<std::string> folders;   ///< without a file
  std::vector<OmittedFile> left_out;  ///< what is there and not taken, with the reason
};

/// Why a bundle holds no file of this path below a campaign's folder, whatever its content is: of secrets,
/// hidden, temporary, run by hand in a run directory. Empty: it may.
std::string unbundled_because(const std::filesystem::path& below);

/// The files of a campaign's folder under `place` in the archive. Reports are not among them, which are
/// written anew, nor locks. Left out: the file of secrets, links that lead out, what is no regular file,
/// hidden and temporary files, what somebody ran by hand in a run directory, and what was added to one after
/// its attempt was collected. Fails (environment) where a folder can't be read.
Result<BundledFolder> bundled_folder(const std::filesystem::path& campaign_folder, const std::string& place);

}  // namespace shakedown
