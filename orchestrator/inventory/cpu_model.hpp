#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace shakedown {

/// The processor by /proc/cpuinfo.
struct CpuModel {
  std::string name;                ///< "AMD EPYC 9654 96-Core Processor", "Arm Neoverse-V2"
  std::string vendor;              ///< "AuthenticAMD", "GenuineIntel"; on Arm the implementer's name
  int family = 0;                  ///< x86: family; Arm: implementer, e.g. 0x41
  int model = 0;                   ///< x86: model; Arm: part, e.g. 0xd4f
  double current_mhz = 0;          ///< clock when it was read; 0: not stated
  std::vector<std::string> flags;  ///< x86 flags, Arm features
  [[nodiscard]] bool has(const char* flag) const;
  friend bool operator==(const CpuModel&, const CpuModel&) = default;
};

/// The first processor of `root`/proc/cpuinfo; empty where that can't be read.
CpuModel read_cpu_model(const std::filesystem::path& root);

/// The widest vector extension among the flags: "avx512", "avx2", "avx", "sse2", "sve", "neon"; empty: none.
std::string vector_extension(const CpuModel& cpu);

/// Double-precision operations per cycle of one core (an FMA counts two), 0: not known. From the vendors'
/// optimisation guides, cited at the table; never more than the extensions allow that the system lets us use.
int fp64_flop_per_cycle(const CpuModel& cpu);

/// A processor's clocks, and where the nominal one was found.
struct CpuClock {
  double base_mhz = 0;  ///< 0: not readable
  double max_mhz = 0;   ///< 0: not readable
  std::string note;     ///< a sentence where the base clock is not the vendor's word; may be empty
  friend bool operator==(const CpuClock&, const CpuClock&) = default;
};

/// The nominal clock from the first source that has it: cpufreq's base_frequency, ACPI CPPC's nominal_freq,
/// "@ 2.60GHz" in the model's name, CPUID leaf 16h (`cpuid_base_mhz`, 0: none), and last the current clock of
/// /proc/cpuinfo.
CpuClock read_cpu_clock(const std::filesystem::path& root, const CpuModel& cpu, double cpuid_base_mhz);

/// The processor's base clock by CPUID leaf 16h in MHz; 0 where there is no such leaf or no x86.
double cpuid_base_mhz();

/// The hypervisor's signature by CPUID leaf 40000000h ("KVMKVMKVM"); empty outside of a virtual machine.
std::string cpuid_hypervisor();

}  // namespace shakedown
