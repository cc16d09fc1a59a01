#include "reports/judge/aggregation.hpp"

#include <fmt/format.h>

#include <algorithm>
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

Aggregated limit_of_median(const Aggregation& how, std::vector<double> points, bool more_is_better) {
  // The upper limit of a median is the lower one of the values with their signs turned.
  if (!more_is_better) std::ranges::transform(points, points.begin(), std::negate<>());
  const auto limit = quantile_lower_limit(points, middle_share, how.confidence);
  if (!limit)
    return {std::nullopt, "",
            fmt::format("{} give no {} limit of the median; {}", results_text(points.size()),
                        confidence_text(how.confidence), limit.error().hint)};
  return {more_is_better ? limit->low : -limit->low,
          fmt::format("{} of {}, rank {}, exactly {}", how.text(more_is_better ? ">=" : "<="),
                      results_text(points.size()), limit->low_rank, percent_text(limit->coverage)),
          ""};
}

Aggregated best(const Aggregation& how, std::vector<double> points, bool more_is_better) {
  const auto n = static_cast<std::size_t>(how.n);
  const std::size_t there = points.size();
  if (there < n)
    return {
        std::nullopt, "",
        fmt::format("{} of the {} runs that the criterion fixed before the first", results_text(there), n)};
  points.resize(n);  // what was run after them may have been run because of them
  if (more_is_better)
    std::ranges::sort(points, std::greater<>());
  else
    std::ranges::sort(points);
  return {
      points[static_cast<std::size_t>(how.k) - 1],
      fmt::format("{} of {}{} results", how.text(more_is_better ? ">=" : "<="), there > n ? "the first " : "",
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

int Aggregation::fewest_runs() const {
  if (kind == "best_of") return n;
  // One-sided at c is one side of an interval at 2 c - 1.
  if (kind == "lower_confidence") return static_cast<int>(values_needed(middle_share, 2 * confidence - 1));
  return 1;
}

std::string Aggregation::text(std::string_view direction) const {
  const bool more_is_better = direction != "<=";
  if (kind == "every") return more_is_better ? "lowest" : "highest";
  if (kind == "lower_confidence")
    return fmt::format("{} {} limit of the median", more_is_better ? "lower" : "upper",
                       confidence_text(confidence));
  if (kind == "best_of") return k == 1 ? "best" : fmt::format("number {} of the best", k);
  return kind;
}

Aggregated aggregated(const Aggregation& how, std::span<const double> points, std::string_view direction) {
  const bool more_is_better = direction != "<=";
  if (points.empty()) return {std::nullopt, "", "there is no result"};
  std::vector<double> values(points.begin(), points.end());
  if (how.kind == "lower_confidence") return limit_of_median(how, std::move(values), more_is_better);
  if (how.kind == "best_of") return best(how, std::move(values), more_is_better);
  const std::string text = points.size() == 1
                               ? "one result"
                               : fmt::format("{} of {}", how.text(direction), results_text(points.size()));
  if (how.kind == "every")
    return {more_is_better ? std::ranges::min(values) : std::ranges::max(values), text, ""};
  return {median(std::move(values)), text, ""};
}

}  // namespace shakedown
