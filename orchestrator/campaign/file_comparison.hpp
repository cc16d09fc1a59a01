#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/record_comparison.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// How a file differs from what was collected.
enum class FileState { same, other, not_here, too_long };

/// Reads files, as many as it may.
class FileReader {
 public:
  explicit FileReader(Hashing hashing) : hashing_(hashing) {}

  /// `grows`: more at the file's end is no difference.
  FileState state(const std::filesystem::path& path, const CollectedFile& file, bool grows);

 private:
  Hashing hashing_;
  std::int64_t left_ = 64 << 20;  // bytes: a quarter of a second
};

/// The files of an attempt beside those that were collected.
struct AttemptFiles {
  std::vector<Error> others;
  std::vector<std::string> too_long;
  bool all_here = true;
};

/// Compares the files in `folder`. Of an attempt that was collected without its end (finished.json), more at
/// a log's end is no difference: its remaining processes may write on. `imported`: it never had one.
AttemptFiles compared_files(const std::vector<CollectedFile>& files, const std::filesystem::path& folder,
                            bool imported, FileReader& reading);

/// The files below a campaign's folder that are others than the journal states, as a failure each.
std::vector<Error> changed_files(const JournalContent& journal, const std::filesystem::path& folder);

/// Whether `name` stays below the folder that it is relative to. Names come from a file that anybody may have
/// written.
bool stays_below(const std::string& name);

/// Whether `name` is that of a file or folder right below another. Names come from a file that anybody may
/// have written.
bool is_one_name(const std::string& name);

/// The files of a stored attempt that were hashed, all of its run directory. Without stamps.
std::vector<CollectedFile> evidence_files(const AttemptRecord& attempt);

/// The journal's record of an attempt that is stored in `database`; its files lie below `folder`.
Result<CollectedAttempt> journaled_attempt(const Database& database, const std::string& campaign,
                                           const Case& planned, const AttemptRecord& attempt,
                                           const std::filesystem::path& campaign_folder);

}  // namespace shakedown
