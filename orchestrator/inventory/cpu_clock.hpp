#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/inventory/cpu_model.hpp"

namespace shakedown {

/// A processor's clocks, and where the nominal one was found.
struct CpuClock {
  double base_mhz = 0;  ///< 0: not readable
  double max_mhz = 0;   ///< 0: not readable
  std::string note;     ///< a sentence where the base clock is not the vendor's word; may be empty
  friend bool operator==(const CpuClock&, const CpuClock&) = default;
};

/// The nominal clock from the first that says it: cpufreq's base_frequency, ACPI CPPC's nominal_freq,
/// "@ 2.60GHz" in the model's name, CPUID leaf 16h (`cpuid_base_mhz`, 0: none), and last the current clock of
/// /proc/cpuinfo.
CpuClock read_cpu_clock(const std::filesystem::path& root, const CpuModel& cpu, double cpuid_base_mhz);

}  // namespace shakedown
