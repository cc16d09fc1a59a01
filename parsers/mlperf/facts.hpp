#pragma once
#include <vector>

#include "parsers/mlperf/run.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// What the rules judge: status, times in ms since 1970, counts, evaluations, throughputs, seeds (one fact
/// each), and the settings under the keys of the log; "contradicts <key>" where a setting has two values.
std::vector<Fact> mlperf_facts(const MlperfRun& run);

}  // namespace shakedown
