#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// Operating system, kernel, firmware, board and hypervisor from below `root`; `hypervisor` is CPUID's
/// signature, empty outside of a virtual machine. The GPU driver is not this function's to know.
Software read_software(const std::filesystem::path& root, const std::string& hypervisor);

}  // namespace shakedown
