#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parsers/mlperf/run.hpp"

namespace shakedown {

/// What MLPerf's rules fix of one benchmark, whatever the version.
struct MlperfBenchmark {
  std::string_view name;            ///< "llama2_70b_lora"
  int runs = 0;                     ///< in a set
  int dropped = 1;                  ///< fastest, and as many slowest, that the score drops
  int sequence_length = 0;          ///< tokens in a sample; 0: not fixed, or no tokens
  bool counts_tokens = false;       ///< positions and throughput are tokens, not samples
  bool whole_steps = false;         ///< positions are whole multiples of the global batch size
  bool offline_evaluation = false;  ///< evaluations run after run_stop and are logged later
  int layers = 0;                   ///< of the transformer; 0: none, or the rules don't fix it
  int heads = 0;                    ///< of its attention
  bool is_own = false;              ///< shakedown's workload: no result of it is one of MLPerf
  bool rate_over_run = false;       ///< the last throughput is the run's samples over its time to train
};

/// Null: not known.
const MlperfBenchmark* mlperf_benchmark(std::string_view name);

/// A quality that ends the training.
struct MlperfTarget {
  std::string_view benchmark;
  std::string_view metric;  ///< "" or one of several: "FID", "CLIP", "BBOX", "SEGM"
  double value = 0;
  bool higher_is_better = true;
  double bound = 0;  ///< on the other side: a value beyond it is no such quality
  int since = 5;     ///< first version of the rules, times ten
  int until = 99;

  [[nodiscard]] bool met_by(double quality) const {
    return higher_is_better ? quality >= value && quality <= bound : quality <= value && quality >= bound;
  }
};

/// The targets of a benchmark by the rules of `version` (times ten; 0: not known) or of the first round that
/// a run of `time_ms` since 1970 can have been for. Empty: not known.
std::span<const MlperfTarget> mlperf_targets(std::string_view benchmark, int version,
                                             std::optional<double> time_ms);

/// "4.1" -> 41, "0.5" -> 5; 0 for what is no version.
int mlperf_version(std::string_view text);

/// The first version that was published after that time; 0: later than all that are known.
int mlperf_version_after(double time_ms);

/// GPUs in a node of a system whose name states it: "NVIDIA DGX H100" -> 8, "XE9680x8H100-SXM-80GB" -> 8.
/// Nothing if it doesn't.
std::optional<int> gpus_of_platform(std::string_view node);

/// The benchmark's name; "mask" of some submissions is "maskrcnn".
std::string mlperf_benchmark_of(const MlperfRun& run);

/// Whose program ran, as far as the submission's own lines show: "nvidia", "amd", "google", ..., else the
/// organization in lower case.
std::string mlperf_implementation(const MlperfRun& run);

struct MlperfMachine {
  std::optional<std::int64_t> nodes;
  std::optional<std::int64_t> gpus;
  std::string_view gpu;  ///< model, as its driver names it; empty: the platform's name does not tell
};

/// "NVIDIA H100 80GB HBM3" for "NVIDIA DGX H100"; empty if the platform's name has no model.
std::string_view gpu_of_platform(std::string_view platform);

/// From the platform's name, else from MLPerf HPC's own keys. How many processes log init_start shows nothing
/// of the GPUs.
MlperfMachine mlperf_machine(const MlperfRun& run);

}  // namespace shakedown
