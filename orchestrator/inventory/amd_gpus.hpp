#pragma once
#include <filesystem>

#include "orchestrator/inventory/gpus.hpp"

namespace shakedown {

/// The AMD accelerators that the amdgpu driver holds, by its files below `root`/sys: memory and names at the
/// PCI device, compute units, clock and partitions in the topology of kfd. Display adapters are none. A GPU
/// that is split into partitions is one GPU here, and a note.
///
/// Source: Linux, Documentation/gpu/amdgpu (sysfs interfaces) and drivers/gpu/drm/amd/amdkfd/kfd_topology.c.
FoundGpus read_amd_gpus(const std::filesystem::path& root);

}  // namespace shakedown
