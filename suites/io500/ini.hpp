#pragma once
#include <string>

#include "suites/io500/sizes.hpp"
#include "suites/io500/target.hpp"

namespace shakedown::io500 {

/// What io500.ini says beside the sizes.
struct IniChoices {
  std::string ior_easy_api;  ///< "POSIX --posix.odirect"; empty: the global one, POSIX
  bool unique_dir = false;   ///< a directory for each rank's file of ior-easy
  bool drop_caches = false;  ///< before each phase, by sudo
};

/// io500.ini with the keys that differ between runs; all others stay as the program has them. The program
/// aborts on a key that it does not know, so only those are written that all versions since SC20 have.
///
/// Source: IO500, src/phase_*.c; README, "Configuration".
std::string io500_ini(const Sizes& sizes, const Target& target, const IniChoices& choices);

}  // namespace shakedown::io500
