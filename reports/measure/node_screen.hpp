#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/store/declaration.hpp"
#include "orchestrator/store/series.hpp"
#include "reports/measure/measured_campaign.hpp"
#include "reports/statistics/watch.hpp"

namespace shakedown {

/// Fewer nodes than this are not screened: their own spread is known so badly that little can be found among
/// them. Of 8 that spread by 0.5 % one that is 4.5 % slow is found with 95 %, of 6 only one that is 6.5 %
/// slow.
///
/// Source: docs/benchmarks.md, slow nodes among many.
inline constexpr std::size_t fewest_screened = 8;

enum class NodeFinding {
  sound,
  suspect,    ///< slow by its first run, and not repeated yet
  confirmed,  ///< its repeats confirm it
  cleared,    ///< they don't
};
std::string_view to_string(NodeFinding finding);

/// One node beside those like it.
struct ScreenedNode {
  std::string node;
  std::string case_id;  ///< of its first run
  double value = 0;     ///< of its first run, in the metric's unit
  /// Of its later runs, in their order.
  std::vector<double> repeats{};  // NOLINT(readability-redundant-member-init): g++ 12 warns without it
  double expected = 0;            ///< what it should give, in the metric's unit
  double adjusted_p = 1;          ///< by Benjamini and Hochberg; of the repeats where there are any
  bool by_past = false;  ///< `expected` is what it gave itself in earlier campaigns, not the others' median
  NodeFinding finding = NodeFinding::sound;
  /// The median of the repeats, or the first run where there are none.
  [[nodiscard]] double judged() const;
};

/// One metric of like nodes, each measured by itself: the same build of a suite with the same parameters, on
/// one node each, of one kind.
struct NodeScreen {
  std::string suite;
  std::string implementation;
  std::string parameters;  ///< "N=8000 NB=192 P=1 Q=2"
  std::string node_kind;   ///< empty: not in the inventory
  std::string metric;
  Better better = Better::higher;
  double median = 0;                    ///< of the nodes' first runs
  double spread = 0;                    ///< 1.4826 MAD over that median: one standard deviation, robust
  std::size_t with_past = 0;            ///< nodes with values of three earlier campaigns or more
  std::vector<ScreenedNode> nodes;      ///< in the order of the plan
  std::vector<std::string> unmeasured;  ///< nodes that were to give the value and have no valid result
  std::string unjudged;                 ///< why the nodes were not judged; empty: they were

  /// Higher is better: a value as a rate, and a rate of the same kind as a value again.
  [[nodiscard]] double rate(double value) const;
  /// The nodes of a finding, the slowest first.
  [[nodiscard]] std::vector<const ScreenedNode*> of(NodeFinding finding) const;
};

/// What nodes gave before: the system's series and what was declared to have happened to its nodes.
struct NodePast {
  const SystemSeries* series = nullptr;
  std::vector<NodeEvent> events;
};

/// Screens the nodes of a campaign by the metrics that count of each suite. A node's first valid run is
/// compared with the first runs of the others, and, if earlier campaigns have it, with its own past relative
/// to the others' median of that day; suspects by either are judged by their later runs. What a node gave
/// before the last thing that was declared to have happened to it is ignored. Two nodes or more that are too
/// few to be judged are listed with the reason. It decides no criterion.
///
/// Source: `screened_nodes`.
std::vector<NodeScreen> node_screens(const MeasuredCampaign& campaign, const NodePast& past = {});

/// Whether `resume --repeat-suspects` may add runs: not to logs made elsewhere, nor to a scheduled check,
/// which repeats by itself.
[[nodiscard]] bool may_be_repeated(const CampaignRecord& campaign);

/// " (without cn042: no valid result)"; empty: all nodes that were to give the value have one.
std::string without_nodes(const NodeScreen& screen);

/// "cn17 −7.2 %", or "cn17 −3.1 % (beside its own past)"; of many the slowest.
std::string shortfalls(const std::vector<const ScreenedNode*>& nodes);

/// What a reader of the verdict must know: a sentence of each screen with suspect or confirmed nodes.
std::vector<std::string> slow_node_sentences(const std::vector<NodeScreen>& screens);

/// The runs of one screen, not judged yet.
struct ScreenRuns {
  NodeScreen screen;  ///< its nodes with their values, and those without
  int ranks = 0;
  int threads_per_rank = 0;
  bool unruled = false;                       ///< results that no rules exist for count
  std::map<std::string, std::size_t> places;  ///< of the screen's nodes, by name
};

/// The runs of a campaign on one node each, by what makes them alike and by metric, in the order of the plan.
/// Results count that may be used as numbers, or would but for their length; a node is the one that the run
/// got. Values that are not finite and above 0 are none.
std::vector<ScreenRuns> node_runs(const MeasuredCampaign& campaign);

/// By node: what it gave in each earlier campaign, relative to the median of the nodes of that campaign, as
/// rates (higher is better). Campaigns of fewer than `fewest_screened` such nodes are omitted, since they
/// don't show the level of their day, and of a node what it gave before the last thing that was declared to
/// have happened to it.
using PastRatios = std::map<std::string, std::vector<double>>;
PastRatios past_ratios(const ScreenRuns& runs, const CampaignRecord& campaign, const NodePast& past);

}  // namespace shakedown
