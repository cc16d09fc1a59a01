#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// A log that was copied into a campaign of runs made elsewhere.
struct ImportedFile {
  std::string name;    ///< of the copy, in <case>/attempt-1
  std::string source;  ///< the path that it was copied from
  std::string sha256;
  /// `text_hash_of`; empty: imported by a version that had none.
  std::string text_hash{};  // NOLINT(readability-redundant-member-init): g++ 12 warns without it
  friend bool operator==(const ImportedFile&, const ImportedFile&) = default;
};

/// A hash of a file's text without its blanks: of logs that differ in spaces, tabs and ends of lines alone it
/// is the same.
Result<std::string> text_hash_of(const std::filesystem::path& file);

/// A run made elsewhere, as its folder `<campaign>/<case>` holds it: imported.json, and the logs in
/// attempt-1.
struct ImportedRun {
  int number = 0;  ///< its place among the campaign's cases
  Case planned;    ///< with origin; parameters as the log states them
  std::vector<ImportedFile> files;

  /// What distinguishes it from other runs: its suite and the text of its logs without blanks, wherever they
  /// came from.
  [[nodiscard]] std::string key() const;
  friend bool operator==(const ImportedRun&, const ImportedRun&) = default;
};

std::string imported_json(const ImportedRun& run);
Result<ImportedRun> imported_from_json(std::string_view text, const std::string& name);

/// The runs of a campaign's folder by number. Fails on an imported.json that can't be read; folders without
/// one are no runs.
Result<std::vector<ImportedRun>> imported_runs(const std::filesystem::path& campaign_folder);

/// A run's results as its logs in `folder` prove them, those of one run joined and judged by the suite's
/// rules, with what is stated of the run and of its machine (null: nothing) beside them.
Result<std::vector<ResultRecord>> results_made_elsewhere(const ImportedRun& run,
                                                         const std::filesystem::path& folder,
                                                         std::span<const Parameter> stated,
                                                         const Inventory* inventory);

/// Nodes, ranks and parameters that all results state: the logs' own description of a case. Logs that name
/// the host of each rank state the nodes by that.
void describe(Case& planned, const std::vector<ResultRecord>& results);

/// What whoever imports logs states of their runs, where the logs don't.
struct RunStatement {
  int nodes = 0;                      ///< 0: not stated
  std::vector<Parameter> conditions;  ///< of `statable_conditions` (reports/measure/conditions.hpp)
};

/// Adds what is stated to a described case, with the reason. Fails where the log states a different value,
/// and where the inventory has fewer nodes.
Result<void> add_statement(Case& planned, const RunStatement& stated, const Inventory* inventory);

/// The run with an attempt of these results and files.
CaseRecord imported_case(const ImportedRun& run, std::vector<ResultRecord> results,
                         std::vector<FileRecord> files);

/// The machine that was stated to have run what a campaign imported; null: none was.
const Inventory* stated_inventory(const CampaignRecord& campaign);

/// The same from the run's folder below that of its campaign.
Result<CaseRecord> collected_import(const ImportedRun& run, const std::filesystem::path& campaign_folder,
                                    const CampaignRecord& campaign);

/// The largest file that is copied into a workspace: 16 GiB.
inline constexpr std::uintmax_t largest_imported_file = std::uintmax_t{16} << 30;

/// A run described by logs; it becomes a case.
struct FoundRun {
  std::string suite;
  std::string implementation;
  std::string benchmark;        ///< within the suite; empty: none is stated
  std::string grammar;          ///< of its log
  std::string file;             ///< the log that it represents
  std::set<std::string> files;  ///< all logs that describe it
};

/// The runs among some logs, and the files that are none.
struct FoundRuns {
  std::vector<FoundRun> runs;
  std::vector<Error> left_out;  ///< files of folders that are no benchmark logs
  std::vector<Error>
      refused;  ///< what is not read in folders: `FolderFiles::refused`, names that can't be shown
  std::vector<Error>
      failures;          ///< files that were named and are no logs, folders without one, what can't be read
  bool stopped = false;  ///< by `stop`: the rest was not looked at
};

/// Reads logs and folders of logs; `stop` is asked before each file. A log of several suites gives a run for
/// each.
FoundRuns found_runs(const std::vector<std::filesystem::path>& paths, const std::function<bool()>& stop);

}  // namespace shakedown
