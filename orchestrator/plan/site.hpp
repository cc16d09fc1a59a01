#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

/// What the libraries must be told of the network that joins the nodes. RoCE works without most of it, but
/// then its traffic may leave the lossless queue.
struct SiteFabric {
  std::vector<std::string> hca;      ///< RDMA device of each GPU of a node, in order; empty: the inventory's
  std::optional<int> gid_index;      ///< of RoCE v2 in the devices' GID table
  std::optional<int> traffic_class;  ///< as NCCL_IB_TC takes it: DSCP x 4
  std::string socket_interface;      ///< for the out-of-band connections
  int mtu = 0;                       ///< of the devices in bytes; 0: not stated
  friend bool operator==(const SiteFabric&, const SiteFabric&) = default;
};

/// How the directory of one IO500 phase is laid out on a Lustre file system.
struct SiteStripe {
  std::string phase;  ///< "ior-easy", "ior-hard", "mdtest-easy", "mdtest-hard"
  int count = 0;      ///< OSTs of a file; -1: all, 0: not stated
  std::string size;   ///< "1M", as `lfs setstripe -S` takes it; empty: not stated
  std::string pool;
  std::string layout;      ///< other words of `lfs setstripe` (-E ..., PFL, DoM); empty: none
  int directory_mdts = 0;  ///< MDTs of the directory (`lfs setdirstripe -c`); -1: all, 0: not stated
  friend bool operator==(const SiteStripe&, const SiteStripe&) = default;
};

struct SiteIo500 {
  std::string datadir;
  std::string resultdir;
  bool allow_full = false;           ///< writing tens of TB and over a hundred million files is wanted
  std::int64_t free_bytes = 0;       ///< that the test may use; 0: as the inventory says
  std::int64_t free_inodes = 0;      ///< 0: not stated
  std::int64_t directory_limit = 0;  ///< files that one directory can hold; 0: not stated
  std::vector<SiteStripe> stripes;
  friend bool operator==(const SiteIo500&, const SiteIo500&) = default;
};

/// What the site states of one implementation: where it lies.
struct SiteProgram {
  std::string implementation;  ///< "hpl/nvidia"; of one benchmark of several "mlperf/nvidia-gpt3"
  std::string image;           ///< local .sif or .sqsh
  std::string digest;          ///< "sha256:..."
  std::string program;         ///< path, where it is not a container's own
  std::vector<std::string> mounts;
  std::vector<std::string> modules;
  std::vector<Parameter> environment;
  friend bool operator==(const SiteProgram&, const SiteProgram&) = default;
};

/// The `[site]` table of a configuration: all that a plan must know beside the hardware.
struct Site {
  std::string launcher;           ///< "srun", "mpirun"; empty: the implementation's
  std::string launcher_place;     ///< file and line that state it
  std::string container_runtime;  ///< "pyxis", "apptainer", "none"; empty: apptainer
  std::string container_program;  ///< "/opt/apptainer/bin/apptainer"; empty: apptainer of PATH
  std::string mpi;                ///< srun's --mpi: "pmix"
  std::string scheduler;  ///< "slurm", "pbs", "/etc/our-queue.toml"; empty: this machine, or slurm where
                          ///< the nodes are others
  std::string partition;
  std::string account;
  std::string qos;
  std::string reservation;
  std::string constraint;    ///< features that the nodes must have, as `sbatch --constraint` takes them
  int most_jobs = 20;        ///< in the queue beside each other
  double poll_s = 60;        ///< between two questions to the scheduler when nothing changes
  double node_wait_s = 600;  ///< that a node which is down is waited for; then it is excluded
  std::vector<std::string> slurm_options;      ///< further words for sbatch
  std::vector<std::string> scheduler_options;  ///< further words for another batch system's submit command
  std::vector<std::string> modules;            ///< loaded in job.sh before every case
  std::vector<Parameter> environment;
  std::vector<std::string> mounts;  ///< of every container
  std::vector<SiteProgram> programs;
  std::optional<SiteFabric> fabric;
  std::optional<SiteIo500> io500;
  friend bool operator==(const Site&, const Site&) = default;

  /// What is stated of `suite`/`id`, or null.
  [[nodiscard]] const SiteProgram* program(std::string_view suite, std::string_view id) const;
};

/// Reads the `[site]` table; wrong values and unknown keys are objections of the table's document.
Site site_from_toml(TomlTable table);

/// The variables by which NCCL and UCX learn of the fabric, for the families named ("nccl", "ucx").
/// `hca`: the devices of a node's GPUs in order, where the site does not state them; may be empty.
///
/// Source: NCCL, "Environment Variables"; UCX, `ucx_info -cf`.
std::vector<Parameter> fabric_environment(const SiteFabric& fabric, const std::vector<std::string>& hca,
                                          const std::vector<std::string>& families);

}  // namespace shakedown
