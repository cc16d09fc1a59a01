#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// One level of data cache.
struct Cache {
  int level = 1;
  std::int64_t bytes = 0;  ///< one instance
  int instances = 1;       ///< in the node
  friend bool operator==(const Cache&, const Cache&) = default;
};

/// A source of the base clock. Each sentence with a peak from it names it: a virtual machine that was moved
/// keeps the counter of the processor that it came from.
inline constexpr std::string_view time_stamp_counter = "time stamp counter of the virtual machine";

/// A node's processors.
struct Cpu {
  std::string model;         ///< "AMD EPYC 9654 96-Core Processor"
  std::string vendor;        ///< "AuthenticAMD"
  std::string architecture;  ///< uname -m
  int sockets = 1;
  int cores = 1;             ///< physical, whole node
  int threads_per_core = 1;  ///< SMT
  int numa_nodes = 1;
  std::string vector_extension;  ///< "avx512", "avx2", "neon", "sve"; the widest usable
  double base_mhz = 0;           ///< nominal clock; 0: not readable
  std::string base_mhz_source;   ///< what `base_mhz` is from; empty: not stated
  double max_mhz = 0;            ///< highest clock; 0: not readable
  int fp64_flop_per_cycle = 0;   ///< per core, from vendor's documents; 0: unknown
  std::string fp64_source;       ///< what `fp64_flop_per_cycle` is from; empty: not stated
  std::vector<Cache> caches;
  friend bool operator==(const Cpu&, const Cpu&) = default;
};

/// What a job may use here, after affinity and cgroup limits.
struct Usable {
  int cores = 1;                        ///< physical cores with at least one usable hardware thread
  int hardware_threads = 1;             ///< in the affinity mask
  double cpu_quota = 0;                 ///< cores' worth of CPU time by cgroup; 0: no quota
  std::int64_t memory_bytes = 0;        ///< limit: the board's or the cgroup's, whichever is smaller
  std::int64_t available_bytes = 0;     ///< free for a new job at discovery; 0: not measured
  std::vector<std::string> limited_by;  ///< sentences: which limit cut what
  int slurm_cpus_per_core = 0;          ///< CPUs that Slurm counts for a core; 0: it was not asked
  /// GPUs that Slurm hands out on a node; empty: it was not asked.
  std::optional<int> slurm_gpus = std::nullopt;
  friend bool operator==(const Usable&, const Usable&) = default;
};

/// What the vendor states for one GPU as its driver shows it, dense and at boost clock. Empty: not known or
/// not offered.
struct GpuPeak {
  std::optional<double> fp64_vector_tflops;  ///< native
  std::optional<double> fp64_tensor_tflops;  ///< native, matrix units; AMD: matrix cores
  std::optional<double>
      fp64_emulated_tflops;                 ///< on units of lower precision; never taken for the native rate
  std::optional<double> fp32_tflops;        ///< general units
  std::optional<double> tf32_dense_tflops;  ///< these and the next: matrix units, without sparsity
  std::optional<double> bf16_dense_tflops;
  std::optional<double> fp16_dense_tflops;
  std::optional<double> fp8_dense_tflops;
  std::optional<double> fp6_dense_tflops;
  std::optional<double> fp4_dense_tflops;
  std::optional<double> memory_bandwidth_gb_s;  ///< 10^9 bytes per second
  std::optional<double> link_gb_s;  ///< NVLink, Infinity Fabric: 10^9 bytes per second, both directions
  std::optional<double> tdp_watts;  ///< of the GPU alone
  std::string source;               ///< the documents these are from
  friend bool operator==(const GpuPeak&, const GpuPeak&) = default;
};

struct Gpu {
  std::string model;
  std::string uuid;
  std::int64_t memory_bytes = 0;  ///< CUDA-visible total
  int sm_count = 0;               ///< 0: not readable
  double sm_mhz_max = 0;
  double memory_mhz_max = 0;
  std::optional<bool> ecc;  ///< empty: not readable or not applicable
  std::string pci_address;
  std::string pci_id;  ///< vendor and device, "10de:2330"; empty: not readable
  int numa_node = -1;
  std::string driver;
  std::string vbios;
  GpuPeak peak;
  friend bool operator==(const Gpu&, const Gpu&) = default;
};

struct Nic {
  std::string name;  ///< "eth0"
  std::string driver;
  double speed_gb_s = 0;    ///< Gbit/s, by the kernel; 0: not readable
  std::string rdma_device;  ///< "mlx5_0"; empty: none
  std::string link_layer;   ///< of its RDMA port: "InfiniBand", "Ethernet"; empty: not readable
  /// Of the RDMA port's RoCE v2 GID with an IPv4 address; empty: none, or on several network interfaces.
  std::optional<int> roce_gid_index;
  int mtu_bytes = 0;  ///< of the network interface; 0: not readable
  int numa_node = -1;
  std::string state;  ///< "up", "down"
  std::string firmware;
  std::string pci_address;
  std::string role;         ///< "compute", "storage", "management"; free text, empty: not stated
  std::optional<int> gpu;   ///< index of the GPU it serves
  std::optional<int> rail;  ///< number of the rail it is on, from 0
  friend bool operator==(const Nic&, const Nic&) = default;
};

struct Mount {
  std::string path;
  std::string type;  ///< "ext4", "lustre", ...
  std::string source;
  std::int64_t total_bytes = 0;
  std::int64_t free_bytes = 0;
  bool writable = true;
  friend bool operator==(const Mount&, const Mount&) = default;
};

/// A disk of the node itself.
struct Disk {
  std::string name;   ///< "nvme0n1"; empty where the nodes of a group have it under other names
  std::string model;  ///< "SAMSUNG MZQL27T6HBLA-00A07"; empty: not readable
  std::int64_t size_bytes = 0;
  std::string bus;                 ///< "nvme", "scsi" (SATA and SAS, too), "virtio"
  std::optional<bool> rotational;  ///< a hard disk; empty: not readable
  std::string firmware;
  std::vector<std::string> mounts;  ///< where file systems on it, or on volumes of it, are mounted
  friend bool operator==(const Disk&, const Disk&) = default;
};

struct Software {
  std::string os;        ///< "Debian GNU/Linux 12 (bookworm)"
  std::string kernel;    ///< uname -r
  std::string firmware;  ///< BIOS/UEFI vendor, version, date
  std::string board;     ///< product name
  std::string gpu_driver;
  std::string virtualisation;  ///< "kvm", ...; empty: none seen
  friend bool operator==(const Software&, const Software&) = default;
};

/// Nodes with the same hardware.
struct NodeGroup {
  std::string name = "nodes";
  std::string hosts;  ///< hostlist, e.g. "cn[001-098,100]"
  Cpu cpu;
  std::int64_t memory_bytes = 0;  ///< on the board, whole node
  Usable usable;
  std::vector<Gpu> gpus;
  std::vector<Nic> nics;
  std::vector<Mount> mounts;
  std::vector<Disk> disks;
  Software software;
  std::string gpu_link;               ///< between the GPUs of a node: "NVLink/NVSwitch"
  std::optional<double> power_watts;  ///< a node's draw under full load, at the plug
  std::string memory_modules;         ///< "16 x 64 GiB DDR5-4800 in 16 channels"; empty: not readable
  /// Theoretical rate of all memory channels of a node, 10^9 bytes per second; empty: not known.
  std::optional<double> memory_bandwidth_gb_s;
  std::vector<std::string> assumed;  ///< keys whose value the source doesn't state: "cpu.base_mhz"
  friend bool operator==(const NodeGroup&, const NodeGroup&) = default;
};

/// What `NodeGroup::assumed` calls a base clock that the source does not state: a virtual machine's time
/// stamp counter, the clock at the moment of reading.
inline constexpr std::string_view base_clock_key = "cpu.base_mhz";

/// Hosts behind the same first stage of switches. A pod cuts across the groups: it describes where nodes are,
/// not what they are.
struct Pod {
  std::string name;
  std::string hosts;     ///< hostlist
  bool assumed = false;  ///< the source doesn't name the hosts
  friend bool operator==(const Pod&, const Pod&) = default;
};

/// The network that the ranks talk over.
struct Fabric {
  std::string technology;         ///< "RoCEv2", "InfiniBand", "Slingshot 11"
  std::string topology;           ///< "rail-optimised leaf-spine"
  int rails = 0;                  ///< parallel planes, one NIC of a node on each; 0: not stated
  double link_gbit_s = 0;         ///< of one NIC
  double switch_port_gbit_s = 0;  ///< between switches
  int leaf_switches = 0;
  int spine_switches = 0;
  std::string switch_model;
  std::string switch_software;
  int mtu_bytes = 0;  ///< 0: not stated
  std::vector<std::string> assumed;
  friend bool operator==(const Fabric&, const Fabric&) = default;
};

/// A filesystem that all nodes share, seen from its servers.
struct Storage {
  std::string name;
  std::string type;   ///< "lustre", "gpfs"
  std::string mount;  ///< where the nodes have it; empty: not stated
  int servers = 0;
  std::string server_model;
  int nics_per_server = 0;
  double nic_gbit_s = 0;
  std::int64_t raw_bytes = 0;
  std::int64_t usable_bytes = 0;
  std::int64_t inode_limit = 0;  ///< most files and folders; 0: not stated
  std::vector<std::string> assumed;
  friend bool operator==(const Storage&, const Storage&) = default;
};

/// What a system consists of: the one input of planning.
struct Inventory {
  std::string system;      ///< the system's name
  std::string source;      ///< how it was made: "discovered on <host>", "sakuraone.toml"
  std::string discovered;  ///< UTC time; empty: not discovered
  std::vector<NodeGroup> groups;
  std::vector<std::string> notes;  ///< what could not be read, assumptions
  std::vector<Pod> pods;           ///< empty: not stated
  Fabric fabric;
  std::vector<Storage> storage;
  friend bool operator==(const Inventory&, const Inventory&) = default;

  /// Number of nodes, the sum over the groups' hostlists.
  [[nodiscard]] int nodes() const;
};

/// Theoretical FP64 rate of a node's usable CPU cores in GFLOP/s: cores x FLOP per cycle x base clock.
/// 0 where the clock or the FLOP per cycle are not known.
double cpu_peak_gflops(const NodeGroup& node);

/// Whether the base clock is stated of a node's processors: not unknown, and no guess (`assumed`).
bool states_base_clock(const NodeGroup& node);

/// Bytes of the last-level caches that a node's usable cores can reach: all of them, but no more than there
/// are cores. 0 where no cache is known.
std::int64_t last_level_cache_bytes(const NodeGroup& node);

/// How many times the last-level caches data must be for their rate to be the memory's: planning chooses such
/// sizes, and rules of validity ask for them.
///
/// Source: STREAM 5.10, stream.c, instruction (a).
inline constexpr std::int64_t least_times_caches = 4;

/// Reads an inventory in TOML; `name` is shown in errors. Unknown keys are refused with "did you mean".
Result<Inventory> inventory_from_toml(std::string_view text, std::string_view name);
/// Reads a file, as JSON where its name ends in `.json`, else as TOML.
Result<Inventory> read_inventory(const std::filesystem::path& path);

/// The inventory as TOML that `inventory_from_toml` reads back to an equal value.
std::string inventory_toml(const Inventory& inventory);

/// The inventory as `shakedown.inventory/1` JSON, indented; and back.
std::string inventory_json(const Inventory& inventory);
Result<Inventory> inventory_from_json(std::string_view text, std::string_view name);

/// This machine: hwloc, NVML, sysfs, cgroup. Never fails as a whole: what can't be read is a note.
Inventory discovered_inventory();

}  // namespace shakedown
