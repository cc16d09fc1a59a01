#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace shakedown {

/// The memory modules of a node, as its firmware tells.
struct MemoryModules {
  std::string text;  ///< "16 x 64 GiB DDR5-4800 in 16 channels"; empty: nothing is told
  /// Channels x width x configured transfers per second, 10^9 bytes per second; empty where the firmware does
  /// not tell the channel, the width or the speed of each module.
  std::optional<double> bandwidth_gb_s;
  std::string note;  ///< why a file that is there told nothing; empty: it did, or there is none
};

/// Reads the SMBIOS table below `root` ("sys/firmware/dmi/tables/DMI"), which most systems show to root
/// alone. Hypervisors make modules up, but tell no speed: such modules are left out.
///
/// Source: DMTF DSP0134, System Management BIOS 3.7, section 7.18 (Memory Device, type 17).
MemoryModules read_memory_modules(const std::filesystem::path& root);

}  // namespace shakedown
