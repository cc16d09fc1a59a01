#pragma once
#include <functional>
#include <string>
#include <vector>

#include "suites/io500/reference/file.hpp"

namespace io500 {

/// Removes the data files below the data directory, those with the names of data_files alone, and the
/// directories between; those of data_folders stay. Returns what remains and why, empty: nothing.
std::string remove_data(const File& folder, const std::string& path);

/// Removes those of the directories that are empty, the last first.
void remove_empty(const std::vector<std::string>& paths);

/// An entry of a directory.
struct Entry {
  const char* name = "";
  unsigned char type = 0;  ///< DT_REG, DT_DIR, ...; DT_UNKNOWN if the file system does not report it
};

/// Calls `each` for the entries of the directory but "." and "..", until it returns false. Fails where the
/// directory can't be read.
Result<void> for_entries(const File& folder, const std::function<bool(const Entry&)>& each);

/// The data directory as this program found it; it is restored to this when the run is over. The marker file
/// within has the same content, in case the run is killed before that.
struct Claim {
  std::string folder;                ///< absolute
  std::vector<std::string> parents;  ///< directories that were not there, the highest first; `folder` too
  std::vector<std::string> made;     ///< of data_folders, those that were not there
  std::string host;                  ///< of rank 0
  int process = 0;                   ///< of rank 0
};

/// The path without links, "." and ".." up to its last directory that exists; the rest is taken as it is.
/// Fails if "." or ".." follow.
Result<std::string> absolute_path(const std::string& path);

/// What a run with this data directory would make. Fails where it is no empty directory (empty directories of
/// the names of data_folders may be in it), where it is on a network file system and `network` is not set, or
/// where a run's marker is in it.
Result<Claim> planned_claim(const std::string& folder, bool network);

/// Makes the directories and the marker. Fails where another run was quicker.
Result<void> staked(const Claim& claim);

/// Opens the marker and locks it, as each rank does for as long as it may write.
Result<File> held(const Claim& claim);

/// What removal could not remove.
struct Leftover {
  bool in_use = false;      ///< a process still writes, or the marker is of another host: nothing was removed
  bool by_another = false;  ///< another run removed them, and may have its own there: nothing was touched
  std::string words;        ///< what remains, and why; empty: nothing
};

/// Removes the data files of the claim, the directories that it made, and the marker. Waits `wait_s` for
/// ranks that still write.
Leftover removed(const Claim& claim, double wait_s);

/// The claim of a marker in the directory; fails if there is no marker of this program.
Result<Claim> marked(const std::string& folder);

/// Removes the files of killed runs in the directory and in those right below it, as their markers prove;
/// those of other hosts with `any_host`. Returns a sentence on each.
struct Recovery {
  std::vector<std::string> removed;
  std::vector<std::string> left;
};
Recovery recovered(const std::string& folder, bool any_host);

}  // namespace io500
