#include "parsers/mlperf/rules/rcps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "parsers/mlperf/benchmarks.hpp"

namespace shakedown {
namespace {

/// The 95 % quantile of Student's t for an interpolated point, taken as 2N reference runs beside N - 2 of the
/// set, by N.
constexpr std::array<std::pair<int, double>, 4> quantiles = {
    {{3, 2.0150483733}, {5, 1.7958848187}, {10, 1.7056179198}, {40, 1.6580957443}}};

constexpr double allowance_405b = 46080;

double least_of(std::string_view benchmark, double mean, double deviation) {
  const MlperfBenchmark* known = mlperf_benchmark(benchmark);
  if (known == nullptr) return mean;
  for (const auto& [runs, quantile] : quantiles) {
    if (runs != known->runs) continue;
    const double spread = deviation * std::sqrt(1.0 / (2 * runs) + 1.0 / (runs - 2));
    const double allowance = benchmark == "llama31_405b" ? allowance_405b : 0;
    return std::max(0.0, mean - quantile * spread - allowance);
  }
  return mean;
}

MlperfReference reference_among(std::span<const MlperfRcp> points, std::int64_t GBS) {
  MlperfReference found;
  found.since = points.front().since;
  found.until = points.front().until;
  if (GBS < points.front().GBS) {
    found.kind = MlperfReference::Kind::smallest;
    found.mean = points.front().mean;
    found.least = points.front().least;
    return found;
  }
  for (size_t i = 0; i < points.size(); ++i) {
    if (points[i].GBS == GBS) {
      found.kind = MlperfReference::Kind::exact;
      found.mean = points[i].mean;
      found.least = points[i].least;
      return found;
    }
    if (i + 1 < points.size() && points[i].GBS < GBS && GBS < points[i + 1].GBS) {
      const double part =
          static_cast<double>(GBS - points[i].GBS) / static_cast<double>(points[i + 1].GBS - points[i].GBS);
      found.kind = MlperfReference::Kind::interpolated;
      found.mean = std::lerp(points[i].mean, points[i + 1].mean, part);
      found.least = least_of(points[i].benchmark, found.mean,
                             std::lerp(points[i].deviation, points[i + 1].deviation, part));
      return found;
    }
  }
  return found;
}

}  // namespace

std::vector<MlperfReference> mlperf_references(std::string_view benchmark, int version, std::int64_t GBS) {
  std::vector<MlperfReference> references;
  const std::span<const MlperfRcp> table = mlperf_rcp_table();
  for (size_t first = 0; first < table.size();) {
    size_t last = first;
    while (last < table.size() && table[last].benchmark == table[first].benchmark &&
           table[last].since == table[first].since)
      ++last;
    const MlperfRcp& head = table[first];
    if (head.benchmark == benchmark && (version == 0 || (head.since <= version && version <= head.until)))
      references.push_back(reference_among(table.subspan(first, last - first), GBS));
    first = last;
  }
  return references;
}

}  // namespace shakedown
