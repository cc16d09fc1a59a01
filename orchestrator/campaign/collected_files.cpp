#include "orchestrator/campaign/collected_files.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <string_view>

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/workspace.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

/// Whether a pattern names a file or a folder above it, as `result_files` reads it.
bool is_named(std::string_view pattern, const fs::path& file) {
  const std::string wanted(pattern);
  for (fs::path path = file; !path.empty(); path = path.parent_path())
    if (path == wanted || ::fnmatch(wanted.c_str(), path.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0)
      return true;
  return false;
}

bool is_evidence(const Case& planned, const AttemptRecord& attempt, const std::string& name) {
  if (attempt.state == AttemptState::imported || name == "started.json" || name == "finished.json")
    return true;
  if (name.starts_with("node-") && name.ends_with(".json")) return true;
  return is_named(planned.result_file.empty() ? "stdout.log" : planned.result_file, name) ||
         std::ranges::find(attempt.results, name, &ResultRecord::file) != attempt.results.end();
}

}  // namespace

std::vector<CollectedFile> evidence_files(const Case& planned, const AttemptRecord& attempt) {
  std::vector<CollectedFile> files;
  for (const FileRecord& file : attempt.files)
    if (!file.sha256.empty() && is_evidence(planned, attempt, file.name))
      files.push_back({file.name, file.sha256, file.bytes, 0});
  return files;
}

Result<CollectedAttempt> journaled_attempt(const Database& database, const std::string& campaign,
                                           const Case& planned, const AttemptRecord& attempt,
                                           const fs::path& campaign_folder) {
  const auto stored = database.stored_hash(campaign, planned.id, attempt.index);
  if (!stored) return failure_of(stored);
  CollectedAttempt journaled{planned.id,
                             attempt.index,
                             attempt.state,
                             attempt.failure,
                             stored->value_or(RecordHash{}),
                             evidence_files(planned, attempt)};
  const fs::path folder = settled_folder(campaign_folder) / attempt.run_folder;
  for (CollectedFile& file : journaled.files)
    if (const auto stamp = stamp_of((folder / file.name).string()); stamp && stamp->bytes == file.bytes)
      file.changed_ns = stamp->changed_ns;
  return journaled;
}

}  // namespace shakedown
