#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/node_state.hpp"

namespace shakedown {

struct FoundGpus {
  std::vector<Gpu> gpus;
  std::string driver;              ///< empty: no driver
  std::vector<std::string> notes;  ///< why there are none, or what one did not report
};

/// Whether the PCI bus has a GPU of NVIDIA's, with or without a driver: a device of class 0x03...., displays
/// and 3D controllers.
bool has_nvidia_device(const std::filesystem::path& root);

/// The NVIDIA GPUs that the management library in `library` reports; their NUMA nodes from `root`/sys.
/// Without the library or a driver there are none, and one note reports that.
FoundGpus read_gpus(const std::filesystem::path& root, const std::string& library = "libnvidia-ml.so.1");

/// Whether this machine can have a driver of NVIDIA's, which the management library would load.
bool may_have_nvidia_driver();

/// What the management library now reports about the GPUs.
struct GpuReadings {
  std::string driver;  ///< empty: no library or no driver
  std::vector<NodeReading> readings;
};

/// The NVIDIA GPUs' settings and clocks, as `before` of each reading. Values that a GPU does not report are
/// omitted. A `library` without a path is searched for only where a driver can be.
///
/// Source: NVML API Reference Guide, "Device Queries".
GpuReadings read_gpu_states(const std::string& library);

}  // namespace shakedown
