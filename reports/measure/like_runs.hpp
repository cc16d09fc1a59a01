#pragma once
#include <string>
#include <vector>

#include "reports/measure/measured_campaign.hpp"
#include "reports/statistics/watch.hpp"

namespace shakedown {

/// Cases of one campaign that run the same thing: repetitions, and the same on one node after the other.
struct LikeRuns {
  std::string suite;
  std::string implementation;
  std::string benchmark;  ///< empty: the suite is one
  int nodes = 0;
  std::string node_kind;  ///< `node_kind_text`; empty: not known, or the inventory has but one
  int ranks = 0;
  std::vector<Parameter> parameters;  ///< those planned; where none are, what the log states
  bool parameters_known = false;      ///< false: neither planned nor stated, as of runs that all failed
  const MeasuredCampaign* owner = nullptr;
  std::vector<const MeasuredCase*> cases;  ///< not empty, in the order of the plan
  std::vector<const MeasuredCase*>
      confirming;  ///< runs that a node was suspect for: evidence on that node, counted nowhere else

  [[nodiscard]] const MeasuredCase& first() const { return *cases.front(); }
  [[nodiscard]] const MeasuredCampaign& campaign() const { return *owner; }
};

/// The cases of a campaign that were to measure something, grouped, in the order of the plan: those of unlike
/// nodes apart. A case whose parameters are neither in the plan nor in a log, as it failed, is one of the
/// first that are like it in all else: it is lost there, and no group of its own.
std::vector<LikeRuns> like_runs(const MeasuredCampaign& campaign);

/// What distinguishes two groups, as one sentence: "implementation netlib before, nvidia after; N 8000
/// before, 9000 after"; empty: they are alike. Seeds and paths don't distinguish groups, nor do parameters
/// that one side does not know.
std::string differing_shape(const LikeRuns& before, const LikeRuns& after);

/// A value that results state: a metric, or a phase.
struct LikeMetric {
  std::string name;
  std::string unit;  ///< of a phase; else empty
  Better better = Better::higher;
};

/// The metrics with a direction that valid results of either group state, in the order of the logs.
std::vector<LikeMetric> like_metrics(const LikeRuns& before, const LikeRuns& after);

/// Values of one node.
struct NodeValues {
  std::string node;  ///< empty: of several nodes together, or the node is not known
  std::vector<double> values;
  std::vector<double> repeats{};  // NOLINT(readability-redundant-member-init): made because it was suspect
  bool suspect = false;           ///< its own campaign has it so, and it was not repeated yet: it may be
};

/// The values of a metric in the valid results of a group, finite and in their order, by the node that each
/// was measured on: by none where a run takes several nodes, or where of one run it is not known.
std::vector<NodeValues> values_of(const LikeRuns& like, const LikeMetric& metric);

}  // namespace shakedown
