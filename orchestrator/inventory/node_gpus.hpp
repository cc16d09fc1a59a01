#pragma once
#include <string>
#include <vector>

#include "orchestrator/inventory/node_state.hpp"

namespace shakedown {

/// What the management library now reports about the GPUs.
struct GpuReadings {
  std::string driver;  ///< empty: no library or no driver
  std::vector<NodeReading> readings;
};

/// The NVIDIA GPUs' settings and clocks, as `before` of each reading. Values that a GPU does not report are
/// omitted.
///
/// Source: NVML API Reference Guide, "Device Queries".
GpuReadings read_gpu_states(const std::string& library);

}  // namespace shakedown
