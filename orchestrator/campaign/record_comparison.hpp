#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Which files of run directories are read.
enum class Hashing {
  all,      ///< each that a verdict may rest on
  changed,  ///< those that changed since (`FileStamp`), 64 MiB of them at most
};

/// What is stored of a campaign beside its folder.
struct ComparedRecord {
  RecordComparison comparison;
  std::vector<Error> files;         ///< that are others than when their attempts were collected
  std::vector<Error> rows;          ///< of the store that are not what was collected, or are too many
  std::vector<Error> lacking;       ///< what was collected, and the store does not have
  std::vector<std::string> unread;  ///< files beyond what `Hashing::changed` reads

  [[nodiscard]] bool differs() const { return !files.empty() || !rows.empty() || !lacking.empty(); }
  /// The differences as one failure (environment) of `where`, with the way out; only if there are any.
  [[nodiscard]] Error failure(const std::string& where) const;
};

/// Compares a campaign as the store has it with its folder: each attempt with the journal's line of it, the
/// files that the verdict may rest on with their SHA-256 then, and commitment, cases, inventory and criteria
/// with the folder's, unless the folder itself is not what its journal bound (a breach of the commitment,
/// which the verdict states). What is not in the folder is counted, and is no difference. Excerpts of files
/// are compared if `with_excerpts`, which the record must then hold.
Result<ComparedRecord> compared_record(const CampaignRecord& stored, const std::filesystem::path& folder,
                                       Hashing hashing, bool with_excerpts);

}  // namespace shakedown
