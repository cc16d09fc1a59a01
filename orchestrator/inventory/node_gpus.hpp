#pragma once
#include <string>
#include <vector>

#include "orchestrator/inventory/node_state.hpp"

namespace shakedown {

/// What the management library tells of the GPUs at the moment.
struct GpuReadings {
  std::string driver;  ///< empty: no library or no driver
  std::vector<NodeReading> readings;
};

/// The NVIDIA GPUs' settings and clocks, as `before` of each reading. What a GPU won't tell is left out.
///
/// Source: NVML API Reference Guide, "Device Queries".
GpuReadings read_gpu_states(const std::string& library);

}  // namespace shakedown
