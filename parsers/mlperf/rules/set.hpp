#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/mlperf/benchmarks.hpp"
#include "parsers/mlperf/rules/rules.hpp"

namespace shakedown {

/// A run as a set sees it.
struct MlperfSetRun {
  const FileResult* source = nullptr;
  std::string name;                   ///< the file, with the line where it holds several runs
  std::optional<double> minutes;      ///< time to train; nothing where the run did not converge or is invalid
  std::string why_not;                ///< then: the reason
  std::string broken;                 ///< a validity rule that it fails, but for the target; empty: none
  std::optional<double> start, stop;  ///< ms since 1970
  std::optional<double> converged_at;  ///< samples, tokens or epochs
};

/// The runs of one benchmark on one system that make one score.
struct MlperfSet {
  std::string name;
  std::string benchmark;
  int version = 0;               ///< of the rules, times ten; 0: not known
  bool version_of_name = false;  ///< no log states it, a file's or folder's name does
  std::vector<MlperfSetRun> runs;
};

/// The sets among the results: those that are declared as one (`FileResult::set`), and of one folder those
/// whose names differ in the number of "result_<i>.txt" alone, as in MLPerf's repositories; of others those
/// with the same benchmark, platform and global batch size.
std::vector<MlperfSet> mlperf_sets(std::span<const FileResult> results);

/// The mean without `dropped` of the fastest and, together with `failed` runs that count as slowest, as many
/// of the slowest. Nothing if none remains or more than `dropped` failed.
std::optional<double> olympic_mean(std::vector<double> values, int failed, int dropped);

/// What shows that runs of the set are not independent, as sentences: copies, equal seeds, runs that overlap.
struct MlperfDoubts {
  std::vector<std::string> copies;
  std::vector<std::string> seeds;
  std::string overlap;  ///< empty: no two runs overlap in time
};
MlperfDoubts doubts(const MlperfSet& set);

/// ML-05 of a set, and by how much a faster convergence than the reference's lengthens the official score.
struct MlperfConvergence {
  Finding finding;
  std::optional<double> factor;
};
MlperfConvergence convergence(const MlperfSet& set);

}  // namespace shakedown
