#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// "1-00:00:00", "12:00:00", "30:00", "30" (minutes) as Slurm prints and takes them, in seconds; nothing for
/// "UNLIMITED", "INFINITE", "NONE", an empty text and what is no time.
///
/// Source: sbatch(1), --time.
std::optional<double> slurm_seconds(std::string_view text);

/// A partition, by what of it binds a job.
struct SlurmPartition {
  std::string name;
  bool is_default = false;
  std::string state;                ///< "UP", "DOWN", "DRAIN", "INACTIVE"
  std::set<std::string> hosts;      ///< its nodes
  std::string hostlist;             ///< the same, as Slurm writes it
  std::optional<double> max_s;      ///< MaxTime; none: no limit
  std::optional<double> default_s;  ///< DefaultTime: of a job that states no time
  std::optional<int> max_nodes;
  int min_nodes = 0;
  std::vector<std::string> allow_accounts;  ///< empty: all
  std::vector<std::string> deny_accounts;
  std::vector<std::string> allow_qos;  ///< empty: all
  std::vector<std::string> deny_qos;
  std::string qos;             ///< that its jobs are under beside their own; empty: none
  std::string over_subscribe;  ///< "NO", "EXCLUSIVE", "YES:4", "FORCE:4"
  bool root_only = false;
  bool reserved_only = false;  ///< ReqResv: jobs must name a reservation
};

/// Those that `scontrol show partition -o` prints, one a line; lines of another shape are ignored.
std::vector<SlurmPartition> slurm_partitions(std::string_view text);

/// A reservation of nodes.
struct SlurmReservation {
  std::string name;
  double start_s = 0;  ///< seconds since 1970
  double end_s = 0;
  std::set<std::string> hosts;
  std::vector<std::string> users;     ///< who may use it; "-name": all but those
  std::vector<std::string> accounts;  ///< likewise
  std::vector<std::string> groups;
  std::vector<std::string> flags;  ///< "MAINT", "MAGNETIC", "FLEX"

  [[nodiscard]] bool has(std::string_view flag) const;
};

/// Those that `TZ=UTC scontrol show reservation -o` prints; lines of another shape are ignored, as is "No
/// reservations in the system".
std::vector<SlurmReservation> slurm_reservations(std::string_view text);

/// The settings of `scontrol show config` that limit jobs.
struct SlurmConfiguration {
  std::string cluster;
  std::optional<int> most_jobs;      ///< MaxJobCount: of all users, the ended of the last minutes included
  bool all_partitions_must = false;  ///< EnforcePartLimits=ALL: a job must suit each partition that it names
  bool counts = false;         ///< AccountingStorageEnforce: limits of QoS and associations are enforced
  bool hands_out_gpus = true;  ///< SelectType: select/linear hands out nodes alone
};
SlurmConfiguration slurm_configuration(std::string_view text);

/// Limits of a QoS or of an association; one that is absent is none.
struct SlurmAccountLimits {
  std::optional<double> max_wall_s;       ///< MaxWall: of a job
  std::optional<int> max_nodes;           ///< MaxTRES's node=: of a job
  std::optional<int> max_nodes_per_user;  ///< MaxTRESPerUser's
  std::optional<int> group_nodes;         ///< GrpTRES's
  std::optional<int> max_jobs;            ///< running beside each other; further ones wait
  std::optional<int> max_submitted;       ///< in the queue; further ones are refused
};

struct SlurmQos {
  std::string name;
  std::vector<std::string> flags;  ///< "PartitionTimeLimit", "OverPartQOS", "DenyOnLimit"
  SlurmAccountLimits limits;

  [[nodiscard]] bool has(std::string_view flag) const;
};

/// sacctmgr's argument vector for all QoS, whose output `slurm_qos` reads.
std::vector<std::string> sacctmgr_qos_arguments();
std::vector<SlurmQos> slurm_qos(std::string_view text);

/// What binds a user in an account, and perhaps in a partition.
struct SlurmAssociation {
  std::string account;
  std::string partition;         ///< empty: in all
  std::string default_qos;       ///< of jobs that name none; empty: not stated
  std::vector<std::string> qos;  ///< that jobs may name; empty: not stated
  SlurmAccountLimits limits;
};

/// sacctmgr's argument vector for the associations of a user on a cluster, whose output `slurm_associations`
/// reads; limits of the accounts above are in it.
std::vector<std::string> sacctmgr_association_arguments(const std::string& user, const std::string& cluster);
std::vector<SlurmAssociation> slurm_associations(std::string_view text);

/// All that Slurm was asked.
struct SlurmLimits {
  std::vector<SlurmPartition> partitions;
  std::vector<SlurmReservation> reservations;
  SlurmConfiguration configuration;
  std::vector<SlurmQos> qos;                   ///< empty: not reported, or not enforced
  std::vector<SlurmAssociation> associations;  ///< likewise
};

}  // namespace shakedown
