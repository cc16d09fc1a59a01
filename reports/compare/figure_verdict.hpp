#pragma once
#include "reports/compare/campaign_comparison.hpp"
#include "reports/measure/like_runs.hpp"

namespace shakedown {

/// Fills in medians, shift, statistics, standing and verdict of a figure from the values of both sides. What
/// one value is of depends on where it was measured:
///
/// - runs on one and the same node, on many nodes together, or on nodes that nobody told: each run is a
/// value;
/// - single nodes of which some were measured on both sides: those are set beside themselves
///   (`compared_nodes`);
/// - single nodes, others before than after: each node's median is a value, for its repetitions say nothing
/// of
///   how nodes differ.
void judge_figure(FigureComparison& figure, const std::vector<NodeValues>& before,
                  const std::vector<NodeValues>& after, const BeforeAfterLimits& limits);

}  // namespace shakedown
