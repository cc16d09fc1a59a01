#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace shakedown {

/// The memory modules of a node, as its firmware reports them.
struct MemoryModules {
  std::string text;  ///< "16 x 64 GiB DDR5-4800 in 16 channels"; empty: unknown
  /// Channels x width x configured transfers per second, 10^9 bytes per second; empty if the firmware does
  /// not report the channel, the width or the speed of each module.
  std::optional<double> bandwidth_gb_s;
  std::string note;  ///< why an existing file has no answer; empty: it has one, or there is no file
};

/// Reads the SMBIOS table below `root` ("sys/firmware/dmi/tables/DMI"), which most systems show to root
/// alone. Hypervisors invent modules, but report no speed: such modules are omitted.
///
/// Source: DMTF DSP0134, System Management BIOS 3.7, section 7.18 (Memory Device, type 17).
MemoryModules read_memory_modules(const std::filesystem::path& root);

}  // namespace shakedown
