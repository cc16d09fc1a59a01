#pragma once
#include <span>
#include <string>
#include <string_view>

#include "reports/compare/campaign_comparison.hpp"
#include "reports/measure/like_runs.hpp"
#include "reports/statistics/before_after.hpp"

namespace shakedown {

/// Fills in medians, shift, statistics, change and verdict of a metric from the values of both sides. What
/// one value is of depends on where it was measured:
///
/// - runs on one and the same node, on many nodes together, or on nodes that are not known: each run is a
///   value;
/// - single nodes of which some were measured on both sides: each is compared with itself
///   (`compared_nodes`);
/// - single nodes, others before than after: each node's median is a value, for its repetitions don't show
///   how nodes differ.
void judge_metric(MetricComparison& comparison, const std::vector<NodeValues>& before,
                  const std::vector<NodeValues>& after, const ChangeTerms& terms);

/// What a change is described with.
struct ChangeContext {
  const BeforeAfter& found;
  const ChangeTerms& terms;
  std::string sample;  ///< "n = 5 and 5", "n = 8 nodes, each before and after"
};

/// The verdict in words with the values that it rests on: "5.1 % slower, more than noise (95 % interval
/// -5.3 % to -4.9 %, p = 0.0079, n = 5 and 5, 9 earlier days differ by 0.4 %)"; without such days it is
/// of the two days alone, and says so. No share is shown as the magnitude that counts, or beyond it,
/// unless it is.
std::string change_words(const ChangeContext& context);

/// "slower", "faster" of rates and times alike; "lower", "higher" of all else, such as efficiencies.
std::string_view pace(double shift, const ChangeTerms& terms);

/// Whether a metric, or a phase by its unit, is a rate or a time.
bool is_speed(std::string_view metric, std::string_view unit = {});

}  // namespace shakedown
