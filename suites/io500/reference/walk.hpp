#pragma once

#include <functional>
#include <string>

#include "suites/io500/reference/file.hpp"

namespace io500 {

/// An entry of a directory.
struct Entry {
  const char* name = "";
  unsigned char type = 0;  ///< DT_REG, DT_DIR, ...; DT_UNKNOWN where the file system does not say
};

/// Calls `each` for the entries of the directory but "." and "..", until it returns false. Fails where the
/// directory can't be read.
Result<void> for_entries(const File& folder, const std::function<bool(const Entry&)>& each);

}  // namespace io500
