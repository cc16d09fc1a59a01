#include "reports/statistics/node_outliers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reports/statistics/distributions.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr std::size_t history_least = 3;
constexpr double efficiency_of_mad = 0.3674;  // of normal values, beside the standard deviation

Result<std::vector<std::size_t>> ascending(std::span<const double> p) {
  const auto wrong =
      std::find_if(p.begin(), p.end(), [](double each) { return !(each >= 0) || !(each <= 1); });
  if (wrong != p.end())
    return fail("", fmt::format("{} is no probability", *wrong), "give p-values from 0 to 1");
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  return order;
}

std::vector<double> of_kind(const std::vector<double>& values, const std::vector<bool>& known, bool kind) {
  std::vector<double> found;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (known[i] == kind) found.push_back(values[i]);
  return found;
}

/// One standard deviation of the values as modified z-scores see it; 0 where all are equal.
double robust_deviation(const std::vector<double>& values) {
  const double middle = median(values);
  if (const double mad = median_absolute_deviation(values); mad > 0) return mad / 0.6745;
  double mean = 0;
  for (const double value : values) mean += std::abs(value - middle) / static_cast<double>(values.size());
  return 1.2533 * mean;
}

Result<void> check(std::span<const NodeRate> nodes) {
  if (nodes.size() < 3)
    return fail("", fmt::format("{} nodes are too few to find a slow one", nodes.size()),
                "measure at least three");
  for (const NodeRate& node : nodes) {
    const double first[] = {node.rate};
    for (const std::span<const double> rates : {std::span<const double>(first), node.before, node.repeats})
      for (const double rate : rates)
        if (!(rate > 0) || std::isinf(rate))
          return fail("", fmt::format("a node's rate is {}", rate),
                      "exclude nodes without a result, and name them");
  }
  return {};
}

}  // namespace

Result<std::vector<double>> holm_adjusted(std::span<const double> p) {
  const auto order = ascending(p);
  if (!order) return failure_of(order);
  std::vector<double> adjusted(p.size());
  double greatest = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    greatest = std::max(greatest, std::min(1.0, p[(*order)[i]] * static_cast<double>(p.size() - i)));
    adjusted[(*order)[i]] = greatest;
  }
  return adjusted;
}

Result<std::vector<double>> benjamini_hochberg_adjusted(std::span<const double> p) {
  const auto order = ascending(p);
  if (!order) return failure_of(order);
  std::vector<double> adjusted(p.size());
  double least = 1;
  for (std::size_t i = p.size(); i > 0; --i) {
    least = std::min(least, p[(*order)[i - 1]] * static_cast<double>(p.size()) / static_cast<double>(i));
    adjusted[(*order)[i - 1]] = least;
  }
  return adjusted;
}

Result<std::vector<double>> modified_z(std::span<const double> values) {
  if (auto good = check_sample(values, 3, "the values"); !good) return failure_of(good);
  std::vector<double> scores(values.begin(), values.end());
  const double middle = median(scores);
  const double deviation = robust_deviation(scores);
  for (double& score : scores) score = deviation > 0 ? (score - middle) / deviation : 0;
  return scores;
}

Result<std::vector<NodeVerdict>> screened_nodes(std::span<const NodeRate> nodes, const ScreenLimits& limits) {
  if (auto good = check(nodes); !good) return failure_of(good);
  std::vector<double> rates;
  for (const NodeRate& node : nodes) rates.push_back(node.rate);
  const double level = median(rates);
  std::vector<NodeVerdict> verdicts(nodes.size());
  std::vector<bool> known;
  std::vector<double> ratios;  // to what is expected
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    known.push_back(nodes[i].before.size() >= history_least);
    verdicts[i].expected =
        known[i] ? level * median(std::vector<double>(nodes[i].before.begin(), nodes[i].before.end()))
                 : level;
    ratios.push_back(nodes[i].rate / verdicts[i].expected);
    verdicts[i].loss = 1 - ratios[i];
  }
  double deviations[2] = {0, 0};
  double centres[2] = {1, 1};
  double freedom[2] = {1, 1};
  std::vector<double> beside;  // of each to the median of all
  beside.reserve(rates.size());
  for (const double rate : rates) beside.push_back(rate / level);
  for (const bool kind : {false, true}) {
    const auto values = of_kind(ratios, known, kind);
    // One or two don't show how far such nodes lie apart: the spread of all replaces theirs.
    const std::vector<double>& spread = values.size() >= 3 ? values : beside;
    deviations[kind ? 1 : 0] = robust_deviation(spread);
    freedom[kind ? 1 : 0] = std::max(1.0, efficiency_of_mad * static_cast<double>(spread.size() - 1));
    centres[kind ? 1 : 0] = values.size() >= 3 ? median(values) : 1;
  }
  const auto p_of = [&](std::size_t i, double ratio) {
    const double off = ratio - centres[known[i] ? 1 : 0];
    const double deviation = deviations[known[i] ? 1 : 0];
    if (!(deviation > 0)) return off < 0 ? 0.0 : 1.0;
    return student_tail(-off / deviation, freedom[known[i] ? 1 : 0]);
  };
  std::vector<double> p;
  p.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) p.push_back(p_of(i, ratios[i]));
  const auto adjusted = benjamini_hochberg_adjusted(p);
  if (!adjusted) return failure_of(adjusted);
  std::vector<double> again(nodes.size(), 1.0);  // p of the repeats
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    verdicts[i].adjusted_p = (*adjusted)[i];
    verdicts[i].suspect = (*adjusted)[i] <= limits.suspect_share && verdicts[i].loss >= limits.magnitude;
    if (!verdicts[i].suspect || nodes[i].repeats.empty()) continue;
    const double ratio =
        median(std::vector<double>(nodes[i].repeats.begin(), nodes[i].repeats.end())) / verdicts[i].expected;
    verdicts[i].loss = 1 - ratio;
    again[i] = p_of(i, ratio);
  }
  const auto confirmed = benjamini_hochberg_adjusted(again);
  if (!confirmed) return failure_of(confirmed);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!verdicts[i].suspect || nodes[i].repeats.empty()) continue;
    verdicts[i].adjusted_p = (*confirmed)[i];
    verdicts[i].confirmed = (*confirmed)[i] <= limits.false_share && verdicts[i].loss >= limits.magnitude;
  }
  return verdicts;
}

}  // namespace shakedown
