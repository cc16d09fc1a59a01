#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// The largest file that is copied into a workspace: 16 GiB.
inline constexpr std::uintmax_t largest_imported_file = std::uintmax_t{16} << 30;

/// A run that logs tell of: what becomes a case.
struct FoundRun {
  std::string suite;
  std::string implementation;
  std::string benchmark;        ///< within the suite; empty: none is stated
  std::string grammar;          ///< of its log
  std::string file;             ///< the log that it stands for
  std::set<std::string> files;  ///< all logs that tell of it
};

/// The runs among some logs, and the files that are none.
struct FoundRuns {
  std::vector<FoundRun> runs;
  std::vector<Error> left_out;  ///< files of folders that are no benchmark logs
  std::vector<Error> refused;   ///< what is not read in folders: `FolderFiles::refused`
  std::vector<Error>
      failures;          ///< files that were named and are no logs, folders without one, what can't be read
  bool stopped = false;  ///< `stop` said so: the rest was not looked at
};

/// Reads logs and folders of logs; `stop` is asked before each file. A log of several suites gives a run for
/// each.
FoundRuns found_runs(const std::vector<std::filesystem::path>& paths, const std::function<bool()>& stop);

}  // namespace shakedown
