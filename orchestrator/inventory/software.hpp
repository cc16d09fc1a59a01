#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The kernel's release, from below `root`; empty: unknown.
std::string kernel_release(const std::filesystem::path& root);

/// Vendor, version and date of the board's firmware; empty: unknown.
std::string firmware_version(const std::filesystem::path& root);

/// Operating system, kernel, firmware, board and hypervisor from below `root`; `hypervisor` is CPUID's
/// signature, empty outside of a virtual machine. The GPU driver is not this function's to know.
Software read_software(const std::filesystem::path& root, const std::string& hypervisor);

}  // namespace shakedown
