#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "parsers/mlperf/rules/rcps.hpp"
#include "parsers/mlperf/rules/set.hpp"

namespace shakedown {
namespace {

std::string_view origin(MlperfReference::Kind kind) {
  using Kind = MlperfReference::Kind;
  return kind == Kind::exact          ? "its reference point"
         : kind == Kind::interpolated ? "between two reference points"
                                      : "the smallest reference point";
}

/// The set's mean without the fastest and slowest; runs that did not converge are the slowest.
std::optional<double> mean_to_converge(const MlperfSet& set, const MlperfBenchmark& benchmark) {
  std::vector<double> positions;
  int failed = 0;
  for (const MlperfSetRun& run : set.runs) {
    if (!run.minutes)
      ++failed;
    else if (run.converged_at)
      // The official checker rounds epochs to three decimals.
      positions.push_back(std::round(*run.converged_at * 1e3) / 1e3);
    else
      return std::nullopt;
  }
  return olympic_mean(std::move(positions), failed, benchmark.dropped);
}

/// Of the versions that may apply the first that was published after the run.
const MlperfReference& likeliest(const std::vector<MlperfReference>& references, const ParsedResult& run) {
  const auto start = fact_number(run, "run_start");
  const int version = start ? mlperf_version_after(*start) : 0;
  for (const MlperfReference& reference : references)
    if (version != 0 && version <= reference.until) return reference;
  return references.back();
}

}  // namespace

MlperfConvergence convergence(const MlperfSet& set) {
  const MlperfBenchmark* benchmark = mlperf_benchmark(set.benchmark);
  const ParsedResult& first = set.runs.front().source->result;
  if (text_parameter(first, "division") == "open") return {not_applicable("open division"), {}};
  const auto GBS = whole_parameter(first.parameters, "GBS");
  if (benchmark == nullptr || !GBS)
    return {unknown("the benchmark or its global batch size is not known"), {}};
  const auto mean = mean_to_converge(set, *benchmark);
  if (!mean) return {unknown("the set is too small for a mean"), {}};
  const auto references = mlperf_references(set.benchmark, set.version, *GBS);
  if (references.empty()) return {unknown("no reference convergence points are kept for it"), {}};
  const MlperfReference& reference = likeliest(references, first);
  const std::string value = fmt::format("mean {:.6g} at GBS {}", *mean, *GBS);
  if (reference.kind == MlperfReference::Kind::missing)
    return {unknown("no reference point has so large a batch: the rules require new ones", value), {}};
  const auto accepting =
      std::count_if(references.begin(), references.end(), [&](const MlperfReference& candidate) {
        return candidate.kind != MlperfReference::Kind::missing && *mean >= candidate.least;
      });
  const std::string beside =
      fmt::format("{}; version {}.{}, {}: mean {:.6g}, at least {:.6g}", value, reference.since / 10,
                  reference.since % 10, origin(reference.kind), reference.mean, reference.least);
  if (accepting == 0) return {failed(beside, 0, "the set converges faster than the reference allows"), {}};
  if (*mean < reference.least)
    return {unknown("the versions of the rules differ in it, and which one applies is not known", beside),
            {}};
  if (*mean < reference.mean) return {passed(beside), reference.mean / *mean};
  return {passed(beside), {}};
}

}  // namespace shakedown
