#pragma once
#include <string>
#include <vector>

#include "suites/io500/site.hpp"
#include "suites/io500/target.hpp"

namespace shakedown::io500 {

/// The command lines that make the benchmark's directories, each phase's laid out as the site wants it. The
/// benchmark's own directory must not be there yet: IO500's rules forbid files from before (it is removed at
/// the end of a run, and what a killed run left is for a person to look at).
///
/// Source: IO500, io500.sh, setup(); lfs-setstripe(1), lfs-setdirstripe(1).
std::vector<std::vector<std::string>> directories(const Target& target,
                                                  const std::vector<SiteStripe>& stripes);

}  // namespace shakedown::io500
