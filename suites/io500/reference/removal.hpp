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

}  // namespace io500
