#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "parsers/mlperf/run.hpp"

namespace shakedown {

/// The benchmark's name; "mask" of some submissions is "maskrcnn".
std::string mlperf_benchmark_of(const MlperfRun& run);

/// Whose program ran, as far as the submission's own lines tell: "nvidia", "amd", "google", ..., else the
/// organization in lower case.
std::string mlperf_implementation(const MlperfRun& run);

struct MlperfMachine {
  std::optional<std::int64_t> nodes;
  std::optional<std::int64_t> gpus;
};

/// From the platform's name, else from one init_start for each GPU, else from MLPerf HPC's own keys.
MlperfMachine mlperf_machine(const MlperfRun& run);

}  // namespace shakedown
