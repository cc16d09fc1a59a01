#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "parsers/rules/mlperf_rcps.hpp"
#include "parsers/rules/mlperf_set.hpp"

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
      positions.push_back(*run.converged_at);
    else
      return std::nullopt;
  }
  return olympic_mean(std::move(positions), failed, benchmark.dropped);
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
  const std::string value = fmt::format("mean {:.6g} at GBS {}", *mean, *GBS);
  size_t passing = 0;
  for (const MlperfReference& reference : references) {
    if (reference.kind == MlperfReference::Kind::missing)
      return {unknown("no reference point has so large a batch: the rules demand new ones", value), {}};
    if (*mean >= reference.least) ++passing;
  }
  const MlperfReference& reference = references.back();
  const std::string beside = fmt::format("{}; {}: mean {:.6g}, at least {:.6g}", value,
                                         origin(reference.kind), reference.mean, reference.least);
  if (passing == 0) return {failed(beside, 0, "the set converges faster than the reference allows"), {}};
  if (passing < references.size())
    return {unknown("the versions of the rules differ in it, and which one applies is not known", beside),
            {}};
  const bool certain = std::all_of(references.begin(), references.end(), [&](const MlperfReference& other) {
    return other.mean == reference.mean;
  });
  if (certain && *mean < reference.mean) return {passed(beside), reference.mean / *mean};
  return {passed(beside), {}};
}

}  // namespace shakedown
