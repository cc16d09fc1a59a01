#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/campaign/imported_run.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"

namespace shakedown {

/// What imported logs are judged by: a file's name and its frozen TOML; no text: nothing.
struct ImportCriteria {
  std::string name;
  std::string text;
};

/// Logs of runs made elsewhere, and where they shall go.
struct ImportRequest {
  std::vector<std::filesystem::path> paths;  ///< logs, or folders of logs
  std::string campaign;                      ///< empty: named after the paths
  std::string system;                        ///< whose logs they are; empty: not stated
  std::string note;
  std::string tool_version;
  std::string baseline;                ///< published values to compare with; empty: none
  std::optional<Inventory> inventory;  ///< the nodes that ran, as whoever imports states them
  RunStatement stated;                 ///< what whoever imports states of the runs
  /// Gives the criteria of a system's campaign that was created at a time, seconds since 1970: limits may be
  /// a part of what was accepted by then. Not set: none.
  std::function<Result<ImportCriteria>(const std::string& system, double created_s)> criteria;
};

/// A run that was imported.
struct ImportedCase {
  std::string id;
  std::string source;  ///< the log that it represents
  std::string suite;
  std::vector<Validity> validity;  ///< of each result
  std::optional<Metric> metric;    ///< the first that the log proves
};

/// What became of an import. Whatever is listed as added is stored for good, whatever happened to the rest.
struct Imported {
  std::string campaign;             ///< empty: no log was found, and nothing was made
  bool created = false;             ///< the campaign is new
  std::vector<ImportedCase> added;  ///< in the order of the paths
  int restored = 0;                 ///< runs that were on disk already and only the store lacked
  int known = 0;                    ///< runs that were there already, content for content
  int no_logs = 0;                  ///< files in folders that are no benchmark logs
  std::string machines;  ///< by what the campaign's logs are of several machines; empty: they may be of one
  std::vector<Error> left_out;  ///< those files, each with the reason
  std::vector<Error>
      refused;  ///< links, pipes, huge files, unprintable names in folders, each with the reason
  /// Files that were named and are no logs, what couldn't be read, and what couldn't be stored: only of the
  /// last the fault may be the environment's.
  std::vector<Error> failures;
  int signal = 0;  ///< that ended it early; 0: none
};

/// Called while it goes on.
struct ImportListener {
  std::function<void(const ImportedCase&)> added;
  std::function<void(const Holder&)> waiting;  ///< another process holds the campaign
};

/// Stores logs as attempts of a campaign of runs made elsewhere: a case for each run and suite, its logs
/// copied below the campaign's folder. A run is known by its suite and the content of its logs: a known one
/// is not stored again. Each run is stored whole or not at all; the same call resumes an import that was
/// interrupted. SIGINT and SIGTERM end it after the current run.
///
/// A run whose log contradicts what is stated of it is a failure, and not stored.
///
/// Fails where the campaign is one that was run here, belongs to another system, has another note, inventory
/// or other criteria, and where the store can't be opened.
Result<Imported> import_logs(const Workspace& workspace, const ImportRequest& request,
                             const ImportListener& listener);

/// The folders of campaigns that a path names: a campaign's own, or all those of a workspace or its
/// `campaigns`; none where it holds logs.
std::vector<std::filesystem::path> campaign_folders(const std::filesystem::path& path);

}  // namespace shakedown
