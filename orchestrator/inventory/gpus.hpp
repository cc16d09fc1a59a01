#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

struct FoundGpus {
  std::vector<Gpu> gpus;
  std::string driver;              ///< empty: no driver
  std::vector<std::string> notes;  ///< why there are none, or what one did not report
};

/// The NVIDIA GPUs that the management library in `library` reports; their NUMA nodes from `root`/sys.
/// Without the library or a driver there are none, and one note reports that.
FoundGpus read_gpus(const std::filesystem::path& root, const std::string& library = "libnvidia-ml.so.1");

}  // namespace shakedown
