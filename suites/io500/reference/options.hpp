#pragma once

#include <string>

#include "suites/io500/reference/text.hpp"

namespace io500 {

struct Options {
  std::string ini;
  std::string io_dir;     ///< the data directory, instead of the configuration's; may be on a network
  std::string timestamp;  ///< instead of the time of day in the names of directories
  bool clean = false;     ///< remove the files of killed runs, nothing else
  bool hash = false;      ///< print the configuration's hash, and nothing else
  bool help = false;
};

/// The command line. Fails with one sentence on an unknown option and on a missing value.
Result<Options> parse_options(int argc, char** argv);

extern const char* const usage;

}  // namespace io500
