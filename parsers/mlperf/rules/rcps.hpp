#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace shakedown {

/// A reference convergence point: how much training the reference needs at a global batch size.
struct MlperfRcp {
  std::string_view benchmark;
  int since = 0;  ///< first and last version that have it, times ten
  int until = 0;
  std::int64_t GBS = 0;
  double mean = 0;       ///< samples; GPT-3 tokens, epochs where the benchmark counts these
  double deviation = 0;  ///< of the reference's runs
  double least = 0;      ///< the smallest mean of a set that is accepted
};

/// All points, those of one benchmark and version together and by GBS.
std::span<const MlperfRcp> mlperf_rcp_table();

/// What a set at some GBS is measured by.
struct MlperfReference {
  enum class Kind { exact, interpolated, smallest, missing };
  Kind kind = Kind::missing;  ///< `smallest`: GBS lies below all points; `missing`: above
  double mean = 0;
  double least = 0;
  int since = 0;
  int until = 0;
};

/// The references of `benchmark` at `GBS`: one of `version` (times ten), or one for each that the versions
/// differ in where it is 0. Empty: there are none.
///
/// Source: mlcommons/logging, rcp_checker.py; mlcommons/training_policies, "Reference Convergence Points".
std::vector<MlperfReference> mlperf_references(std::string_view benchmark, int version, std::int64_t GBS);

}  // namespace shakedown
