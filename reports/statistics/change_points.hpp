#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Where a series goes over from one level to another.
struct ChangePoint {
  std::size_t index = 0;  ///< the first value of the new level
  double before = 0;      ///< means of the values back to the change point before, and on to the next
  double after = 0;
  double p = 1;

  /// 0.03: the new level is 3 % above; NaN where the old one is 0.
  [[nodiscard]] double change() const;
};

/// Hunter's settings; the defaults are those it was published with.
struct HunterOptions {
  std::size_t window = 50;
  double p = 0.001;
  double magnitude = 0;  ///< of the change, 0.02: 2 %
  std::size_t least_segment = 2;
};

/// For weekly runs, of which there are few.
inline constexpr HunterOptions weekly_hunter{.p = 0.01, .magnitude = 0.02, .least_segment = 3};

/// All change points of a series, in order: within overlapping windows the split that sets both sides
/// furthest apart by their energy distance, accepted where Student's t-test finds it at 10 p, and then the
/// weakest taken away one by one until all are found at p and have the magnitude. In time proportional to
/// length x window. To look back over a series; the newest value is judged by `watch`, which bounds false
/// alarms.
///
/// Fails on values that are no finite numbers, and on a window that does not hold two segments. A series of
/// less than two has none.
///
/// Source: M. Fleming et al., "Hunter: Using Change Point Detection to Hunt for Performance Regressions",
/// ICPE 2023 (Apache Otava).
Result<std::vector<ChangePoint>> hunter_change_points(std::span<const double> values,
                                                      const HunterOptions& options = {});

struct DivisiveOptions {
  double p = 0.01;
  std::size_t permutations = 199;
  std::size_t least_segment = 3;
  std::uint64_t seed = 1;
};

/// All change points of a series, in order, by E-divisive: the split of a segment that sets both sides
/// furthest apart by their energy distance (exponent 1), where a seeded permutation test finds it at p; then
/// the same of its parts. Finds any change of the distribution, and needs some 10 times as long as the t-test
/// for each permutation: for a series that is looked at, not for all of a store.
///
/// Fails on values that are no finite numbers, and where so few permutations can't reach p.
///
/// Source: D. S. Matteson and N. A. James, "A Nonparametric Approach for Multiple Change Point Analysis of
/// Multivariate Data", JASA 109, 2014.
Result<std::vector<ChangePoint>> divisive_change_points(std::span<const double> values,
                                                        const DivisiveOptions& options = {});

/// The best place to cut a segment in two, and by how much its parts differ.
struct EnergySplit {
  std::size_t at = 0;  ///< the first value of the second part; 0: the segment is too short to be cut
  double distance = 0;
};

/// The cut that makes the scaled energy distance of both parts largest, each of at least `least` values:
/// n m / (n + m) x (2 mean |x - y| - mean |x - x'| - mean |y - y'|), all pairs within a part counted once.
/// In time proportional to the length squared.
///
/// Source: D. S. Matteson and N. A. James, JASA 109, 2014, equations 5 to 7, exponent 1.
EnergySplit energy_split(std::span<const double> values, std::size_t least);

}  // namespace shakedown
