#pragma once
#include <span>
#include <string_view>

namespace shakedown {

/// What becomes of a key of an MLPerf log.
enum class MlperfUse {
  none,     ///< nothing
  count,    ///< its lines are counted
  work,     ///< the first after run_start shows that training began
  setting,  ///< its first value is recorded, and whether there are others
  mark,     ///< its time is recorded: run_start, run_stop, init_start, init_stop
  seed,     ///< its values are recorded
  quality,  ///< an evaluation's outcome
  rate,     ///< tracked_stats
};

/// `key` in the spelling of version 0.7 and later: "run_set_random_seed" of 0.5 is "seed".
std::string_view mlperf_key(std::string_view key);

/// The use of a key in that spelling.
MlperfUse mlperf_use(std::string_view key);

}  // namespace shakedown
