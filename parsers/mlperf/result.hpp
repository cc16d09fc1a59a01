#pragma once
#include <vector>

#include "parsers/mlperf/run.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// One run of MLPerf Training as a result; incomplete, with the reason, where it didn't start or stop.
///
/// Parameters: benchmark, version, nodes, gpus, GBS, seed, sequence_length, gradient_accumulation_steps,
/// division, organization, platform. Metrics: time_to_train_min, final_quality and target_quality,
/// samples_per_s, tokens_per_s_per_gpu, model_gflops (of our own reference). Facts: what the rules judge,
/// settings under the keys of the log.
ParsedResult mlperf_result(const MlperfRun& run);

/// What the rules judge: status, times in ms since 1970, counts, evaluations, throughputs, seeds (one fact
/// each), and the settings under the keys of the log; "contradicts <key>" where a setting has two values.
std::vector<Fact> mlperf_facts(const MlperfRun& run);

}  // namespace shakedown
