#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// A log that was copied into a campaign of runs made elsewhere.
struct ImportedFile {
  std::string name;    ///< of the copy, in <case>/attempt-1
  std::string source;  ///< the path that it was copied from
  std::string sha256;
  friend bool operator==(const ImportedFile&, const ImportedFile&) = default;
};

/// A run made elsewhere, as its folder `<campaign>/<case>` holds it: imported.json, and the logs in
/// attempt-1.
struct ImportedRun {
  int number = 0;  ///< its place among the campaign's cases
  Case planned;    ///< with origin; parameters as the log states them
  std::vector<ImportedFile> files;

  /// What tells it from other runs: its suite and the content of its logs, wherever they came from.
  [[nodiscard]] std::string key() const;
  friend bool operator==(const ImportedRun&, const ImportedRun&) = default;
};

std::string imported_json(const ImportedRun& run);
Result<ImportedRun> imported_from_json(std::string_view text, const std::string& name);

/// The runs of a campaign's folder by number. Fails on an imported.json that can't be read; folders without
/// one are no runs.
Result<std::vector<ImportedRun>> imported_runs(const std::filesystem::path& campaign_folder);

/// A run's results as its logs in `folder` prove them, those of one run joined and judged by the suite's
/// rules.
Result<std::vector<ResultRecord>> results_made_elsewhere(const ImportedRun& run,
                                                         const std::filesystem::path& folder);

/// Nodes, ranks and parameters that all results state: what the logs themselves tell of a case.
void describe(Case& planned, const std::vector<ResultRecord>& results);

/// The run with an attempt of these results and files.
CaseRecord imported_case(const ImportedRun& run, std::vector<ResultRecord> results,
                         std::vector<FileRecord> files);

/// The same from the run's folder below the campaign's.
Result<CaseRecord> collected_import(const ImportedRun& run, const std::filesystem::path& campaign_folder);

}  // namespace shakedown
