#pragma once

#include <string>
#include <tl/expected.hpp>

#include "suites/mlperf/reference/trainer.hpp"
#include "suites/mlperf/reference/workload.hpp"

namespace training {

struct Options {
  Workload workload;
  Workload before;  ///< fine-tuning without a checkpoint: the pretraining that comes first
  RunSettings run;
  std::string save;  ///< a file; empty: none
  std::string load;
  bool help = false;
  [[nodiscard]] bool fine_tunes() const { return workload.shape.rank > 0; }
};

/// The command line. A workload whose model, data or target are not the benchmark's own is called
/// "..._custom", so that no score is made of it. Fails with one sentence on an unknown option, a value out of
/// range, and values that don't go together.
tl::expected<Options, std::string> parse_options(int argc, char** argv);

extern const char* const kUsage;

}  // namespace training
