#pragma once

#include <string>
#include <vector>

#include "suites/io500/reference/file.hpp"

namespace io500 {

/// Removes the data files below the data directory, those with the names of data_files alone, and the
/// directories between; those of data_folders stay. Returns what is left and why, empty: nothing.
std::string remove_data(const File& folder, const std::string& path);

/// Removes those of the directories that are empty, the last first.
void remove_empty(const std::vector<std::string>& paths);

}  // namespace io500
