#pragma once
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "orchestrator/campaign/execution_context.hpp"
#include "orchestrator/campaign/progress_events.hpp"

namespace shakedown {

/// Why a case does not get its nodes, beside the campaign itself.
struct NodeShortage {
  int there = 0;          ///< nodes that it may have, now or when others give them back
  std::vector<int> out;   ///< that get no jobs, or none as long as it
  std::vector<int> down;  ///< of those, the ones that are down
};

/// Which nodes of a campaign may work: their state in the scheduler, since when they are down, which of them
/// are suspect and which are excluded. Nodes are places in the pool.
class NodeWatch {
 public:
  NodeWatch(ExecutionContext& context, ProgressEvents& events);

  /// Asks the scheduler which nodes get jobs, when the last answer is old. Nodes that get none get no work
  /// until they do; those that others have next get work that ends before. Fails (environment) where the
  /// scheduler has never answered and cases wait.
  Result<void> look();
  /// The same, however new the last answer is.
  Result<void> look_again();
  /// Which nodes are down or taken by others may be news: the next look is not later than `fresh_s` after the
  /// last answer.
  void look_soon();
  /// Lanes of ours on one node each ended: the scheduler holds these nodes a moment longer. They get no work
  /// until it has given them back, so that they can share a job again; where that takes `given_back_s`, each
  /// gets its own.
  void note_ended(const std::vector<int>& hosts);
  /// Whether the last answer is good enough for a job on many nodes.
  [[nodiscard]] bool is_fresh() const;
  /// Whether the scheduler ever answered.
  [[nodiscard]] bool is_known() const { return !nodes_.empty(); }
  /// A node as the scheduler last saw it.
  [[nodiscard]] const SchedulerNode& node(int host) const { return nodes_[static_cast<std::size_t>(host)]; }
  [[nodiscard]] bool all_are(const std::vector<int>& hosts, SchedulerNode::Kind kind) const;

  /// Counts a job against a node, however many of its attempts ended there; the second excludes the node.
  Result<void> suspect(const std::string& node, const std::string& job, const std::string& because);
  /// Gives a node no more work, in this execution or a later one.
  Result<void> exclude(const std::string& node, const std::string& because);
  /// Those that earlier executions excluded.
  Result<void> exclude_earlier();
  /// Whether a node stayed down for as long as the site waits.
  [[nodiscard]] bool any_overdue() const;
  /// Excludes the nodes that stayed down for as long as the site waits, where a case of this stage can't
  /// begin without them. None while more than half of the campaign's nodes are down: that is an outage, and
  /// its cases wait or are not run. `not_begun`: the cases that wait for nodes, also those in the queue.
  Result<void> exclude_down(const std::set<std::size_t>& not_begun);

  [[nodiscard]] bool is_outage() const;
  [[nodiscard]] NodeShortage shortage(std::size_t work) const;
  /// "cn[3-4] get no jobs: DOWN*; waiting up to 8m 10s for them".
  [[nodiscard]] std::string shortage_text(const std::vector<int>& out) const;
  /// Why a case can't begin though nothing else runs; empty: it can.
  [[nodiscard]] std::string why_blocked(std::size_t work) const;
  /// The nodes of a job that were excluded since it was submitted.
  [[nodiscard]] std::vector<std::string> excluded_nodes(const RunningJob& running) const;
  /// The nodes without which a job can't begin that stayed down for as long as the site waits, in an outage:
  /// none is excluded then.
  [[nodiscard]] std::vector<std::string> nodes_in_outage(const RunningJob& running) const;

 private:
  /// Whether a node, as the scheduler sees it now, is still to be given back.
  [[nodiscard]] bool settles(int host, SchedulerNode::Kind kind);
  /// Notes since when nodes are down, and reports those that get no jobs.
  void note_nodes(const std::vector<SchedulerNode>& now);
  /// Whether a node is too soon somebody else's for any case that waits.
  [[nodiscard]] bool is_taken_too_soon(int host) const;
  /// The nodes that any case may run on and that are not excluded.
  [[nodiscard]] std::vector<int> nodes_in_use() const;
  /// How long a node that is down is still waited for; 0: no longer.
  [[nodiscard]] double wait_left_s(int host) const;
  [[nodiscard]] double waited_s(int host) const;
  [[nodiscard]] bool is_overdue(int host) const;

  ExecutionContext& context_;
  ProgressEvents& events_;
  std::vector<SchedulerNode> nodes_;         ///< the pool, as the scheduler last saw it
  std::map<int, std::string> reported_out_;  ///< why nodes get no jobs, as it was reported
  double ask_at_s_ = 0;
  double asked_s_ = 0;             ///< when `nodes_` was true
  std::map<int, double> ended_s_;  ///< when a lane of ours on one node ended, of nodes not seen idle since
  std::map<int, double> down_since_s_;  ///< when nodes were first seen down, by the steady clock
  double node_wait_s_ = 0;              ///< that a node which is down is waited for
  std::tuple<double, int, std::size_t> down_judged_;         ///< what `exclude_down` last looked at
  std::map<std::string, std::set<std::string>> suspicions_;  ///< jobs, by node
};

}  // namespace shakedown
