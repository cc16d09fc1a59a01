#include "reports/statistics/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "reports/statistics/distributions.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// Both sides of a cut with the two-sided t-test at equal spread. Hunter takes the spread with n in the
/// divisor, and so do its published limits.
ChangePoint tested(std::span<const double> values, std::size_t begin, std::size_t at, std::size_t end) {
  const Moments left = moments(values.subspan(begin, at - begin));
  const Moments right = moments(values.subspan(at, end - at));
  ChangePoint point{at, left.mean, right.mean, 1};
  const double n = static_cast<double>(left.n);
  const double m = static_cast<double>(right.n);
  const double freedom = n + m - 2;
  if (freedom <= 0) return point;
  const auto squares = [](const Moments& of) {
    const double size = static_cast<double>(of.n);
    return of.deviation * of.deviation * (size - 1) * (size - 1) / size;
  };
  const double error = std::sqrt((squares(left) + squares(right)) / freedom * (1 / n + 1 / m));
  const double off = std::abs(right.mean - left.mean);
  if (error > 0)
    point.p = std::min(1.0, 2 * student_tail(off / error, freedom));
  else if (off > 0)
    point.p = 0;
  return point;
}

double magnitude(const ChangePoint& point) {
  const double forward = std::abs(point.change());
  const double backward = std::abs(point.before / point.after - 1);
  const double larger = std::max(std::isnan(forward) ? 0 : forward, std::isnan(backward) ? 0 : backward);
  return larger;
}

/// The cuts of one window, found and tested over and over within the parts.
void split_window(std::span<const double> values, std::size_t begin, std::size_t end,
                  const HunterOptions& options, std::vector<std::size_t>& cuts) {
  const EnergySplit split = energy_split(values.subspan(begin, end - begin), options.least_segment);
  if (split.at == 0) return;
  const std::size_t at = begin + split.at;
  if (tested(values, begin, at, end).p > std::min(1.0, 10 * options.p)) return;
  split_window(values, begin, at, options, cuts);
  cuts.push_back(at);
  split_window(values, at, end, options, cuts);
}

std::vector<ChangePoint> between(std::span<const double> values, const std::vector<std::size_t>& cuts) {
  std::vector<ChangePoint> points;
  points.reserve(cuts.size());
  for (std::size_t i = 0; i < cuts.size(); ++i)
    points.push_back(
        tested(values, i == 0 ? 0 : cuts[i - 1], cuts[i], i + 1 < cuts.size() ? cuts[i + 1] : values.size()));
  return points;
}

/// Whether the cut of a segment is so far out that the same values in another order seldom come up to it.
bool stands_permutation(std::span<const double> segment, double distance, const DivisiveOptions& options,
                        std::mt19937_64& random) {
  std::vector<double> shuffled(segment.begin(), segment.end());
  std::size_t as_far = 1;
  const double draws = static_cast<double>(options.permutations + 1);
  for (std::size_t draw = 0; draw < options.permutations; ++draw) {
    for (std::size_t i = shuffled.size() - 1; i > 0; --i)
      std::swap(shuffled[i], shuffled[random() % (i + 1)]);
    as_far += energy_split(shuffled, options.least_segment).distance >= distance ? 1 : 0;
    if (static_cast<double>(as_far) > options.p * draws) return false;
  }
  return true;
}

void divide(std::span<const double> values, std::size_t begin, std::size_t end,
            const DivisiveOptions& options, std::mt19937_64& random, std::vector<std::size_t>& cuts) {
  const auto segment = values.subspan(begin, end - begin);
  const EnergySplit split = energy_split(segment, options.least_segment);
  if (split.at == 0 || !(split.distance > 0) || !stands_permutation(segment, split.distance, options, random))
    return;
  divide(values, begin, begin + split.at, options, random, cuts);
  cuts.push_back(begin + split.at);
  divide(values, begin + split.at, end, options, random, cuts);
}

}  // namespace

double ChangePoint::change() const {
  return before != 0 ? (after - before) / std::abs(before) : std::numeric_limits<double>::quiet_NaN();
}

Result<std::vector<ChangePoint>> hunter_change_points(std::span<const double> values,
                                                      const HunterOptions& options) {
  if (auto good = check_sample(values, 0, "the series"); !good) return failure_of(good);
  const std::size_t least = std::max<std::size_t>(2, options.least_segment);
  if (options.window < 2 * least)
    return fail("", fmt::format("a window of {} values has no two sides", options.window),
                fmt::format("take {} at least", 2 * least));
  std::vector<std::size_t> cuts;
  for (std::size_t start = 0; start < values.size();) {
    const std::size_t end = std::min(start + options.window, values.size());
    std::vector<std::size_t> found;
    split_window(values, start, end, options, found);
    cuts.insert(cuts.end(), found.begin(), found.end());
    start = std::max(found.empty() ? 0 : found.back(), start + options.window / 2);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<ChangePoint> points = between(values, cuts);
  while (!points.empty()) {
    auto weakest = std::max_element(points.begin(), points.end(),
                                    [](const auto& a, const auto& b) { return a.p < b.p; });
    if (weakest->p <= options.p) {
      weakest = std::min_element(points.begin(), points.end(),
                                 [](const auto& a, const auto& b) { return magnitude(a) < magnitude(b); });
      if (magnitude(*weakest) >= options.magnitude) break;
    }
    const std::size_t removed = static_cast<std::size_t>(weakest - points.begin());
    points.erase(weakest);
    // The sides of the adjacent points have grown.
    const auto again = [&](std::size_t i) {
      points[i] = tested(values, i == 0 ? 0 : points[i - 1].index, points[i].index,
                         i + 1 < points.size() ? points[i + 1].index : values.size());
    };
    if (removed > 0) again(removed - 1);
    if (removed < points.size()) again(removed);
  }
  return points;
}

Result<std::vector<ChangePoint>> divisive_change_points(std::span<const double> values,
                                                        const DivisiveOptions& options) {
  if (auto good = check_sample(values, 0, "the series"); !good) return failure_of(good);
  if (!(options.p > 0) || 1 / static_cast<double>(options.permutations + 1) > options.p)
    return fail("", fmt::format("{} permutations can't reach p = {}", options.permutations, options.p),
                fmt::format("take {:.0f}", std::ceil(1 / options.p) - 1));
  std::mt19937_64 random(options.seed);
  std::vector<std::size_t> cuts;
  divide(values, 0, values.size(), options, random, cuts);
  return between(values, cuts);
}

EnergySplit energy_split(std::span<const double> values, std::size_t least) {
  least = std::max<std::size_t>(least, 2);
  EnergySplit best;
  if (values.size() < 2 * least) return best;
  const std::size_t n = values.size();
  // Of each value: its distances to all before it, and to all after it.
  std::vector<double> before(n, 0.0);
  std::vector<double> after(n, 0.0);
  double within_left = 0;
  double within_right = 0;
  double across = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double apart = std::abs(values[i] - values[j]);
      after[i] += apart;
      before[j] += apart;
    }
    within_right += after[i];
  }
  for (std::size_t cut = 1; cut < n; ++cut) {
    // The value before the cut goes over to the left.
    const double to_left = before[cut - 1];
    const double to_right = after[cut - 1];
    within_left += to_left;
    within_right -= to_right;
    across += to_right - to_left;
    if (cut < least || n - cut < least) continue;
    const double left = static_cast<double>(cut);
    const double right = static_cast<double>(n - cut);
    const double distance = left * right / (left + right) *
                            (2 * across / (left * right) - within_left / (left * (left - 1) / 2) -
                             within_right / (right * (right - 1) / 2));
    if (best.at == 0 || distance > best.distance) best = {cut, distance};
  }
  return best;
}

}  // namespace shakedown
