#include "reports/judge/aggregation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/order_interval.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr double middle_share = 0.5;

std::string results_text(std::size_t n) {
  return n == 1 ? "1 result" : fmt::format("{} results", n);
}

Aggregated limit_of_median(const Aggregation& how, std::vector<double> points, Direction direction) {
  const bool more_is_better = direction == Direction::at_least;
  // The upper limit of a median is the lower one of the values with their signs turned.
  if (!more_is_better) std::ranges::transform(points, points.begin(), std::negate<>());
  const auto limit = quantile_lower_limit(points, middle_share, how.confidence);
  if (!limit)
    return {std::nullopt, "",
            fmt::format("{} give no {} limit of the median; {}", results_text(points.size()),
                        confidence_text(how.confidence), limit.error().hint)};
  return {more_is_better ? limit->low : -limit->low,
          fmt::format("{} of {}, rank {}, exactly {}", how.text(direction), results_text(points.size()),
                      limit->low_rank, percent_text(limit->coverage)),
          ""};
}

Aggregated best(const Aggregation& how, std::vector<double> points, Direction direction) {
  const auto n = static_cast<std::size_t>(how.n);
  const std::size_t there = points.size();
  if (there < n)
    return {
        std::nullopt, "",
        fmt::format("{} of the {} runs that the criterion fixed before the first", results_text(there), n)};
  points.resize(n);  // what was run after them may have been run because of them
  if (direction == Direction::at_least)
    std::ranges::sort(points, std::greater<>());
  else
    std::ranges::sort(points);
  return {points[static_cast<std::size_t>(how.k) - 1],
          fmt::format("{} of {}{} results", how.text(direction), there > n ? "the first " : "",
                      there > n ? fmt::format("{} of {}", n, there) : fmt::format("{}", n)),
          ""};
}

}  // namespace

std::string confidence_text(double confidence) {
  int decimals = 0;
  const auto shown = [&] {
    return std::round(confidence * std::pow(10, decimals + 2)) / std::pow(10, decimals + 2);
  };
  while (decimals < 12 && std::abs(shown() - confidence) > 1e-14) ++decimals;
  return percent_text(confidence, decimals);
}

std::string_view to_string(Direction direction) {
  return direction == Direction::at_least ? ">=" : "<=";
}

std::string_view relation(Direction direction, bool holds) {
  if (direction == Direction::at_least) return holds ? "≥" : "<";
  return holds ? "≤" : ">";
}

std::string_view to_string(Aggregation::Kind kind) {
  static constexpr std::array<std::string_view, 6> words = {"",        "every", "median", "lower_confidence",
                                                            "best_of", "rate"};
  return words.at(static_cast<std::size_t>(kind));
}

int Aggregation::fewest_runs() const {
  if (kind == Kind::best_of) return n;
  // One-sided at c is one side of an interval at 2 c - 1.
  if (kind == Kind::lower_confidence)
    return static_cast<int>(values_needed(middle_share, 2 * confidence - 1));
  return 1;
}

std::string Aggregation::text(Direction direction) const {
  const bool more_is_better = direction == Direction::at_least;
  if (kind == Kind::every) return more_is_better ? "lowest" : "highest";
  if (kind == Kind::lower_confidence)
    return fmt::format("{} {} limit of the median", more_is_better ? "lower" : "upper",
                       confidence_text(confidence));
  if (kind == Kind::best_of) return k == 1 ? "best" : fmt::format("number {} of the best", k);
  return std::string(to_string(kind));
}

Aggregated aggregated(const Aggregation& how, std::span<const double> points, Direction direction) {
  if (points.empty()) return {std::nullopt, "", "there is no result"};
  std::vector<double> values(points.begin(), points.end());
  if (how.kind == Aggregation::Kind::lower_confidence)
    return limit_of_median(how, std::move(values), direction);
  if (how.kind == Aggregation::Kind::best_of) return best(how, std::move(values), direction);
  const std::string text = points.size() == 1
                               ? "one result"
                               : fmt::format("{} of {}", how.text(direction), results_text(points.size()));
  if (how.kind == Aggregation::Kind::every)
    return {direction == Direction::at_least ? std::ranges::min(values) : std::ranges::max(values), text, ""};
  return {median(std::move(values)), text, ""};
}

}  // namespace shakedown
