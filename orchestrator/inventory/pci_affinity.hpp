#pragma once
#include <filesystem>
#include <span>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The NICs, each RDMA device with the GPU that it is closest to: behind the same PCIe switch, the deepest
/// one (PIX or PXB in `nvidia-smi topo`). Where a switch has as many NICs as GPUs they are paired in the
/// order of their addresses; a NIC that could serve several GPUs, or none without crossing the host bridge,
/// keeps none.
///
/// Source: the kernel's device paths below `root`/sys/bus/pci/devices.
std::vector<Nic> with_gpu_affinity(std::vector<Nic> nics, std::span<const Gpu> gpus,
                                   const std::filesystem::path& root);

}  // namespace shakedown
