#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/site.hpp"
#include "orchestrator/schedulers/slurm_limits.hpp"

namespace shakedown {

/// Who submits.
struct SlurmUser {
  std::string name;
  bool root = false;
};

/// A limit with the words that name it: "partition 'small' has MaxTime 30m 00s".
struct SlurmBound {
  double value = 0;
  std::string words;
};

/// What Slurm allows the jobs of one site: its partition (or several, of which a job must suit one, or with
/// EnforcePartLimits=ALL each), its QoS and association where they are enforced, its reservation.
///
/// If a limit is set in several places, the partition's QoS comes before the job's (after it, where that has
/// OverPartQOS), and that before the association; the partition's own holds beside them, unless the QoS lifts
/// it (PartitionTimeLimit, PartitionMaxNodes, PartitionMinNodes).
///
/// Source: "Resource Limits", slurm.schedmd.com/resource_limits.html; slurm.conf(5); sacctmgr(1).
class SlurmAllowance {
 public:
  /// Nothing is known, so everything is allowed.
  SlurmAllowance() = default;

  /// Fails (environment) where no job of this site can be submitted: no such partition or one that takes no
  /// jobs, an account or a QoS that it does not allow, no such reservation or one of others.
  static Result<SlurmAllowance> of(const SlurmLimits& limits, const Site& site, const SlurmUser& user,
                                   double now_s);

  [[nodiscard]] const std::optional<SlurmBound>& longest_s() const { return longest_s_; }
  [[nodiscard]] const std::optional<SlurmBound>& most_nodes() const { return most_nodes_; }
  [[nodiscard]] const std::optional<SlurmBound>& fewest_nodes() const { return fewest_nodes_; }
  [[nodiscard]] const std::optional<SlurmBound>& most_jobs() const { return most_jobs_; }

  /// The words of all limits that bind a job here.
  [[nodiscard]] std::vector<std::string> words() const;

  /// Why no job of so many nodes, seconds (0: it states none) and hosts could ever run, and the way out;
  /// empty: it could.
  [[nodiscard]] std::string objection(const JobRequest& demand, double job_s) const;

  /// A node, with what reservations and the partition make of it. `state` and `reservation`: as
  /// the node's record has them. `margin_s`: that a job needs beside its attempts before the node is
  /// another's.
  void apply(SchedulerNode& node, std::string_view state, std::string_view reservation, double now_s,
             double margin_s) const;

 private:
  Result<void> choose_partitions(const SlurmLimits& limits, const Site& site, const SlurmUser& user);
  Result<void> choose_reservation(const SlurmLimits& limits, const Site& site, const SlurmUser& user,
                                  double now_s);
  void bind_by_partitions(bool all_must);
  void bind_by_accounting(const SlurmLimits& limits, const Site& site);

  std::vector<SlurmPartition> partitions_;  ///< those that the site names, or the default
  std::set<std::string> hosts_;             ///< theirs
  std::optional<SlurmReservation> own_;     ///< that the site names
  std::set<std::string> own_hosts_;         ///< of it, and of those that draw our jobs
  std::vector<SlurmReservation> others_;
  std::optional<SlurmBound> longest_s_;
  std::optional<SlurmBound> most_nodes_;
  std::optional<SlurmBound> fewest_nodes_;
  std::optional<SlurmBound> most_jobs_;
  std::optional<SlurmBound> most_running_;  ///< further ones wait
};

/// What was found, for people: a line for each partition that the site may mean (all, where it is null) and
/// for each reservation that has not ended.
std::vector<std::string> slurm_limits_text(const SlurmLimits& limits, const Site* site, double now_s);

}  // namespace shakedown
