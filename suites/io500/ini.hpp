#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/io500/site.hpp"
#include "suites/io500/sizes.hpp"
#include "suites/io500/target.hpp"

namespace shakedown::io500 {

/// The choices in io500.ini beside the sizes.
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

/// How many ranks of each node write: the largest power of two that is no more than the usable cores and that
/// gives at most `most_ranks` (the implementation's tuning) ranks in all, but at least one; or the pinned
/// `ranks_per_node`.
///
/// Fails where the pinned number is above a million in all.
Result<RankLayout> clients(const PlanRequest& request);

/// The command lines that make the benchmark's directories, each phase's laid out as the site wants it. The
/// benchmark's own directory must not be there yet: IO500's rules forbid files from before (it is removed at
/// the end of a run; a person should look at the files of a killed run).
///
/// Source: IO500, io500.sh, setup(); lfs-setstripe(1), lfs-setdirstripe(1).
std::vector<std::vector<std::string>> directories(const Target& target,
                                                  const std::vector<SiteStripe>& stripes);

}  // namespace shakedown::io500
