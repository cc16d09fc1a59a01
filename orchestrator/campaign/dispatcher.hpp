#pragma once
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

namespace shakedown {

/// What dispatching must know of a case.
struct Work {
  int nodes = 1;
  std::vector<int> hosts;  ///< the only ones it may run on, as places in the pool; empty: any `nodes` of it
  std::shared_ptr<const std::vector<bool>> among;  ///< of which nodes of the pool these may be; null: all
  double time_s = 0;                               ///< expected; 0: not known
  double limit_s = 0;  ///< that it may take at most, with what goes around it; 0: none
  int stage = 0;       ///< begins when all of the stages below it have ended
  int repetition = 1;  ///< of a case that is repeated: the first of all cases come before the second of any
  bool alone = false;  ///< nothing may run beside it: it measures what all nodes share (a file system)
};

/// Nodes and what shall run on them, one work behind the other.
struct DispatchedLane {
  std::vector<int> hosts;
  std::vector<std::size_t> works;
};

/// Decides which works begin when and where: pure, it starts nothing and knows no clock. Nodes are numbers
/// from 0, works their places in what it was given.
///
/// Works that are bound to one node go there as soon as it is free. The others begin widest first, then
/// retries, then longest first, each as soon as enough nodes are free: list scheduling. They take idle nodes
/// before busy ones; a retry takes those on which it failed least often. Works that must be alone come last
/// in their stage.
///
/// Source: R. L. Graham, "Bounds on Multiprocessing Timing Anomalies", 1969; E. G. Coffman et al.,
/// "Performance Bounds for Level-Oriented Two-Dimensional Packing Algorithms", 1980 (widest first).
class Dispatcher {
 public:
  static constexpr double unlimited_s = std::numeric_limits<double>::infinity();

  Dispatcher(std::vector<Work> works, int nodes);

  /// The lanes that begin now; they hold their nodes until `release`. `longest_s`: how long works of one node
  /// may be chained behind each other on it; 0: no chains. A work of unknown time ends its chain.
  /// `longest_limit_s`: what the limits of a chain may add up to; a work without one then ends its chain.
  std::vector<DispatchedLane> next(double longest_s = 0, double longest_limit_s = unlimited_s);

  /// Works that began before this dispatcher was made: they hold the nodes of their lane until `release`.
  void adopt(const DispatchedLane& lane);
  /// One work more. Returns its place.
  std::size_t add(Work work);
  /// A work has ended for good, or will never begin.
  void end(std::size_t work);
  /// A work shall begin again later.
  void again(std::size_t work);
  /// A work that has ended shall begin once more; nothing may run or wait meanwhile.
  void restart(std::size_t work);
  /// The nodes of a lane are free again.
  void release(const std::vector<int>& hosts);

  /// Takes a node out; it no longer is given to anything. Works bound to it stay until `end`.
  void exclude(int host);
  [[nodiscard]] bool is_excluded(int host) const { return out_[static_cast<std::size_t>(host)]; }
  /// Whether a node may be given out at all: others may hold it.
  void set_available(int host, bool available);
  /// Whether a node would take a job at once: others may run there.
  void set_idle(int host, bool idle) { busy_[static_cast<std::size_t>(host)] = !idle; }
  /// A work goes to a node only where no others will do: it failed there.
  void avoid(std::size_t work, int host);
  /// An attempt of a work failed on these nodes together, and it is unknown which of them failed it: other
  /// free nodes come first.
  void suspect(std::size_t work, const std::vector<int>& hosts);
  /// Whether a work that holds `held` would begin at once if it gave them back: enough idle nodes are free.
  [[nodiscard]] bool has_idle_nodes(std::size_t work, const std::vector<int>& held) const;
  /// What runs on a node must have ended within this time: then it is somebody else's.
  void set_window(int host, double seconds) { window_s_[static_cast<std::size_t>(host)] = seconds; }
  /// Whether a work ends before the node is somebody else's; one without a limit need not.
  [[nodiscard]] bool fits(std::size_t work, int host) const { return fits(works_[work], host); }

  /// The works that no pool of this size can ever run: bound to a node that is out, or wider than the
  /// remaining pool.
  [[nodiscard]] std::vector<std::size_t> impossible();
  [[nodiscard]] bool is_waiting(std::size_t work) const { return states_[work] == State::waiting; }
  [[nodiscard]] int stage() const { return stage_; }
  [[nodiscard]] std::size_t waiting() const;  ///< works that have not begun, of all stages
  [[nodiscard]] int free_nodes() const { return static_cast<int>(free_.size()); }
  [[nodiscard]] const Work& work(std::size_t index) const { return works_[index]; }

 private:
  enum class State { waiting, begun, ended };
  /// The place of a work in its queue: less is sooner.
  using Turn = std::tuple<bool, int, double, std::size_t>;
  using Queue = std::set<Turn>;

  [[nodiscard]] Turn turn(std::size_t work) const;
  [[nodiscard]] bool is_retry(std::size_t work) const {
    return avoided_.contains(work) || suspected_.contains(work);
  }
  [[nodiscard]] bool is_queued(std::size_t work) const {
    return states_[work] == State::waiting && left_in_stage_ > 0 && works_[work].stage == stage_;
  }
  [[nodiscard]] bool fits(const Work& work, int host) const {
    return (work.limit_s > 0 ? work.limit_s : unlimited_s) <= window_s_[static_cast<std::size_t>(host)];
  }
  [[nodiscard]] bool all_free(const Work& work) const;
  void enqueue(std::size_t work);
  void dequeue(std::size_t work);
  void open_stage();
  void begin(std::size_t work);
  void take(const std::vector<int>& hosts);
  void dispatch_bound(double longest_s, std::vector<DispatchedLane>& lanes);
  void dispatch_any(double longest_s, std::vector<DispatchedLane>& lanes);
  void dispatch_alone(std::vector<DispatchedLane>& lanes);
  Queue::iterator chain(DispatchedLane& lane, Queue& queue, Queue::iterator at, double longest_s);
  [[nodiscard]] double longest_limit_on(const std::vector<int>& hosts) const;
  [[nodiscard]] bool may_run(std::size_t work, int host) const;
  [[nodiscard]] bool avoids_failed_nodes(std::size_t work) const;
  [[nodiscard]] std::vector<int> free_for(std::size_t work) const;
  [[nodiscard]] int failures_on(std::size_t work, int host) const;
  [[nodiscard]] bool avoids(std::size_t work, int host) const {
    const auto it = avoided_.find(work);
    return it != avoided_.end() && it->second.contains(host);
  }

  std::vector<Work> works_;
  std::vector<State> states_;
  std::vector<bool> out_;                                ///< nodes that were excluded
  std::vector<bool> available_;                          ///< nodes that others do not hold
  std::vector<bool> held_;                               ///< nodes that lanes hold
  std::vector<bool> busy_;                               ///< nodes where others run
  std::vector<double> window_s_;                         ///< how long each node is ours
  double longest_limit_s_ = unlimited_s;                 ///< of `next`
  std::map<std::size_t, std::set<int>> avoided_;         ///< nodes, by the work that failed there
  std::map<std::size_t, std::map<int, int>> suspected_;  ///< attempts that failed on a node, by work and node
  std::vector<std::size_t> without_nodes_;               ///< works for which too few nodes remain
  bool nodes_changed_ = true;                            ///< since these were looked for
  std::set<int> free_;
  int stage_ = 0;
  std::size_t left_in_stage_ = 0;  ///< works of this stage that have not ended
  std::size_t running_ = 0;
  bool alone_ = false;                        ///< a work runs that must be alone
  std::map<int, Queue, std::greater<>> any_;  ///< by width, widest first
  std::map<int, Queue> bound_;                ///< of one node each
  Queue bound_together_;                      ///< of several nodes each
  Queue lonely_;
};

}  // namespace shakedown
