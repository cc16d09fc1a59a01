#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// A network interface's firmware version by its name; empty where there is none.
using FirmwareOf = std::function<std::string(const std::string& name)>;

/// The physical network interfaces and bonds below `root`/sys/class/net, and RDMA devices that have no
/// network interface. Virtual interfaces and virtual functions whose card is here too are omitted.
std::vector<Nic> read_nics(const std::filesystem::path& root, const FirmwareOf& firmware_of);

/// The firmware version that the driver gives (ETHTOOL_GDRVINFO).
std::string driver_firmware(const std::string& name);

}  // namespace shakedown
