#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

/// What the libraries must know of the network between the nodes. RoCE works without most of it, but then its
/// traffic may leave the lossless queue.
struct SiteFabric {
  std::vector<std::string> hca;      ///< RDMA device of each GPU of a node, in order; empty: the inventory's
  std::optional<int> gid_index;      ///< of RoCE v2 in the devices' GID table
  std::optional<int> traffic_class;  ///< as NCCL_IB_TC takes it: DSCP x 4
  std::string socket_interface;      ///< for the out-of-band connections
  int mtu = 0;                       ///< of the devices in bytes; 0: not stated
  bool nvshmem = false;              ///< NVIDIA's programs may use NVSHMEM between nodes (GPUDirect RDMA)
  friend bool operator==(const SiteFabric&, const SiteFabric&) = default;
};

/// What the site states of one suite: the table `[site.<suite>]`, as the suite's own reader took it.
struct SuiteSite {
  std::string suite;
  std::vector<Parameter> values;
  std::string
      full_run;  ///< the key that allows a full run, which a check never makes; empty: none is allowed
  friend bool operator==(const SuiteSite&, const SuiteSite&) = default;
};

/// What the site states of one implementation: where it lies.
struct SiteProgram {
  std::string implementation;         ///< "hpl/nvidia"; of one benchmark of several "mlperf/nvidia-gpt3"
  std::string image;                  ///< local .sif or .sqsh
  std::string digest;                 ///< "sha256:..."
  std::string program;                ///< path, where it is not a container's own
  std::vector<std::string> gpu_code;  ///< of its GPUs' code: "sm_70"; empty: as the implementation states
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
  std::vector<SuiteSite> suites;
  friend bool operator==(const Site&, const Site&) = default;

  /// What is stated of `suite`/`id`, or null.
  [[nodiscard]] const SiteProgram* program(std::string_view suite, std::string_view id) const;
  /// The table of a suite, or null.
  [[nodiscard]] const SuiteSite* of_suite(std::string_view suite) const;
};

/// Reads the `[site]` table; wrong values and unknown keys are objections of the table's document.
Site site_from_toml(TomlTable table);

/// The variables that describe the fabric to NCCL, UCX and NVSHMEM, for the families named ("nccl", "ucx",
/// "nvshmem"). `hca`: the devices of a node's GPUs in order, where the site does not state them; may be
/// empty.
///
/// Source: NCCL, "Environment Variables"; UCX, `ucx_info -cf`; NVSHMEM 3, "Environment Variables".
std::vector<Parameter> fabric_environment(const SiteFabric& fabric, const std::vector<std::string>& hca,
                                          const std::vector<std::string>& families);

}  // namespace shakedown
