#pragma once

#include <string>
#include <vector>

#include "suites/mlperf/reference/mllog.hpp"
#include "suites/mlperf/reference/model.hpp"
#include "suites/mlperf/reference/replicas.hpp"
#include "suites/mlperf/reference/workload.hpp"

namespace training {

/// What a run is given beside its workload.
struct RunSettings {
  std::uint64_t seed = 0;   ///< of first weights and order of samples; 0: one of its own for each run
  double peak_gflops = 0;   ///< FP32, of all ranks together; 0: not known
  double most_seconds = 0;  ///< between run_start and run_stop; 0: as long as it takes
};

struct Outcome {
  bool reached = false;
  std::string why_not;  ///< a sentence where it did not
  double quality = 0;   ///< log-perplexity of the last evaluation
  int samples = 0;      ///< trained
  double seconds = 0;   ///< from run_start to run_stop
  bool sound = true;    ///< ranks stayed alike and the operations counted are those of the formula
};

/// Trains until the target is reached, with all of MLPerf's events from run_start to run_stop.
Outcome train(const Workload& workload, Model<float>& model, Replicas& replicas, const MlLog& log,
              const RunSettings& settings);

/// Writes a run's settings to MLPerf's log before it starts.
void log_settings(const Workload& workload, const Replicas& replicas, const MlLog& log,
                  const RunSettings& settings);

}  // namespace training
