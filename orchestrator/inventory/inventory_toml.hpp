#pragma once
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/toml.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// Equal GPUs as one `[[groups.gpus]]`: what they share, and how many. What differs between equal GPUs (uuid,
/// PCI address, NUMA node) is in `uuids`, `pci_addresses` and `numa_nodes`, one value for each.
///
/// The GPUs of one such table whose shared keys were read into `shared`; objections go to the table.
std::vector<Gpu> expanded_gpus(TomlTable& table, const Gpu& shared, const NodeGroup& group);

/// The lengths of the runs of adjacent GPUs that fit into one table.
std::vector<size_t> gpu_runs(std::span<const Gpu> gpus);

/// The lines of a run's `count` and lists; empty for a single GPU.
std::string gpu_run_lines(std::span<const Gpu> run);

/// The GPU without what differs between equal ones.
Gpu shared_part(Gpu gpu);

}  // namespace shakedown
