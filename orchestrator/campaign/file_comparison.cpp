#include "orchestrator/campaign/file_comparison.hpp"

#include <algorithm>
#include <string_view>

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"

namespace shakedown {

namespace fs = std::filesystem;

namespace {

bool has_end(const std::vector<CollectedFile>& files) {
  return std::ranges::find(files, "finished.json", &CollectedFile::name) != files.end();
}

/// Files of an attempt that was collected without its end: its remaining processes may still write them.
bool may_change(const CollectedFile& file) {
  return file.name == "started.json" || (file.name.starts_with("node-") && file.name.ends_with(".json"));
}

}  // namespace

bool stays_below(const std::string& name) {
  const fs::path path(name);
  return !path.empty() && path.is_relative() &&
         std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

bool is_one_name(const std::string& name) {
  return stays_below(name) && name != "." && name.find('/') == std::string::npos;
}

FileState FileReader::state(const fs::path& path, const CollectedFile& file, bool grows) {
  const auto stamp = stamp_of(path.string());
  if (!stamp) return FileState::not_here;
  if (stamp->bytes < file.bytes || (stamp->bytes > file.bytes && !grows)) return FileState::other;
  const bool unchanged = stamp->bytes == file.bytes && stamp->changed_ns == file.changed_ns;
  if (hashing_ == Hashing::changed) {
    if (unchanged) return FileState::same;
    if (file.bytes > left_) return FileState::too_long;
    left_ -= file.bytes;
  }
  const auto hash = sha256_of_file(path, static_cast<std::uint64_t>(file.bytes));
  if (!hash) return FileState::not_here;
  return *hash == file.sha256 ? FileState::same : FileState::other;
}

AttemptFiles compared_files(const std::vector<CollectedFile>& files, const fs::path& folder, bool imported,
                            FileReader& reading) {
  AttemptFiles compared;
  const bool ended = imported || has_end(files);
  for (const CollectedFile& file : files) {
    if (!ended && may_change(file)) continue;
    const fs::path path = folder / file.name;
    switch (stays_below(file.name) ? reading.state(path, file, /*grows=*/!ended) : FileState::other) {
      case FileState::same:
        break;
      case FileState::other:
        compared.others.push_back(
            {path.string(), "is not the file that was collected",
             fmt::format("put back the file of {} bytes with SHA-256 {}; without it this result proves "
                         "nothing: measure the case again in a new campaign",
                         file.bytes, file.sha256),
             Fault::environment});
        break;
      case FileState::not_here:
        compared.all_here = false;
        break;
      case FileState::too_long:
        compared.too_long.push_back(path.string());
        break;
    }
  }
  return compared;
}

std::vector<Error> changed_files(const JournalContent& journal, const fs::path& folder) {
  std::vector<Error> changed;
  FileReader reading(Hashing::all);
  for (const auto& [key, attempt] : journal.collected) {
    if (!is_one_name(attempt.case_id)) continue;
    const fs::path place =
        settled_folder(folder) / attempt.case_id / fmt::format("attempt-{}", attempt.attempt);
    AttemptFiles found =
        compared_files(attempt.files, place, attempt.state == AttemptState::imported, reading);
    std::ranges::move(found.others, std::back_inserter(changed));
  }
  return changed;
}

std::vector<CollectedFile> evidence_files(const AttemptRecord& attempt) {
  std::vector<CollectedFile> files;
  for (const FileRecord& file : attempt.files)
    if (!file.sha256.empty()) files.push_back({file.name, file.sha256, file.bytes, 0});
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
                             evidence_files(attempt)};
  const fs::path folder = settled_folder(campaign_folder) / attempt.run_folder;
  for (CollectedFile& file : journaled.files)
    if (const auto stamp = stamp_of((folder / file.name).string()); stamp && stamp->bytes == file.bytes)
      file.changed_ns = stamp->changed_ns;
  return journaled;
}

}  // namespace shakedown
