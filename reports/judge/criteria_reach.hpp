#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/plan/plan.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown {

/// The planned cases that a criterion will be judged on, by suite, benchmark, nodes and `each_node`; those on
/// several nodes together only if they are as wide as `nodes_required`. A criterion of the whole campaign is
/// judged on none: it counts attempts.
std::vector<const Case*> judged_cases(const Criterion& criterion, std::span<const Case> cases);

/// Planned runs of one kind that no criterion is judged on, nor refers to as its denominator.
struct UnjudgedWork {
  std::string what;  ///< "HPL (nvidia) on 2, 4, 8 nodes, stage 2"
  int cases = 0;
  double node_hours = 0;  ///< as predicted; 0: not known
};

/// All of a plan, in the order of their first case.
std::vector<UnjudgedWork> unjudged_work(std::span<const Criterion> criteria, std::span<const Case> cases);

/// How many times off a limit must be to be doubted.
inline constexpr double limit_far_off = 10;

/// "rate asks for at most its limit of rmax_gflops, where more is better", or for at least 0 of it; empty:
/// for neither.
std::string wrong_side(const Criterion& criterion);

/// The source of a contract's value that `init` wrote and nobody has replaced yet: no contract states it.
inline constexpr std::string_view predicted_source = "prediction of the plan, not a contract";

/// Whether the contract's value that a criterion judges by is the plan's own prediction.
bool is_only_predicted(const Criterion& criterion);

/// The ids of the mandatory criteria of which that is so.
std::vector<std::string> predicted_limits(std::span<const Criterion> criteria);

/// What reads differently from what it does, as sentences that begin with the criterion's id:
///
///   - `nodes_required` without `each_node` where runs on each node are planned, too: they are judged as well
///   - one limit on a total (a rate, a time) that runs on several numbers of nodes are held against
///   - a limit ten times off what the plan predicts, or more
///   - a limit on the side of the metric that is not the good one
///   - a limit of 0, which decides nothing
///   - per cent as the limit of a share
std::vector<std::string> criteria_doubts(std::span<const Criterion> criteria, std::span<const Case> cases);

}  // namespace shakedown
