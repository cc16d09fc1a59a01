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
  int datapath_bits = 0;  ///< AMD's floating-point units by CPUID (not in /proc/cpuinfo); 0: not stated
  [[nodiscard]] bool has(const char* flag) const;
  friend bool operator==(const CpuModel&, const CpuModel&) = default;
};

/// The first processor of `root`/proc/cpuinfo; empty where that can't be read.
CpuModel read_cpu_model(const std::filesystem::path& root);

/// The widest vector extension among the flags: "avx512", "avx2", "avx", "sse2", "sve", "neon"; empty: none.
std::string vector_extension(const CpuModel& cpu);

/// Double-precision operations per cycle of one core (an FMA counts two).
struct Fp64Rate {
  int per_cycle = 0;   ///< 0: not known
  int at_least = 0;    ///< less than `per_cycle` where the number of units is unknown
  std::string source;  ///< "Zen 4, two 256-bit FMA units: <document>"
  std::string
      note;  ///< a sentence where the rate is a range, or the model is not what CPUID shows; may be empty
  friend bool operator==(const Fp64Rate&, const Fp64Rate&) = default;
};

/// The rate from the catalogue of processors, by the model, or by CPUID's features where the model is not in
/// it or is not the truth; never more than the extensions allow that the system lets us use. Of a range it is
/// the upper end: a smaller peak would overstate efficiencies.
Fp64Rate fp64_rate(const CpuModel& cpu);

/// A processor's clocks, and where the nominal one was found.
struct CpuClock {
  double base_mhz = 0;   ///< 0: not readable
  double max_mhz = 0;    ///< 0: not readable
  std::string source;    ///< "CPUID leaf 16h"; empty: not readable
  std::string note;      ///< a sentence where the base clock is not the vendor's word; may be empty
  bool assumed = false;  ///< nothing states the base clock: it is the current one
  friend bool operator==(const CpuClock&, const CpuClock&) = default;
};

/// The nominal clock from the first source that has it: cpufreq's base_frequency, ACPI CPPC's nominal_freq,
/// "@ 2.60GHz" in the model's name, CPUID leaf 16h (`cpuid_base_mhz`, 0: none), and in a virtual machine its
/// time stamp counter, which runs at the base clock of the processor that the machine was started on. Last
/// the current clock, which is assumed to be the base clock.
///
/// Source: Linux, arch/x86/kernel/tsc.c (`native_calibrate_tsc` takes the counter's rate and CPUID's base
/// frequency for one), and arch/x86/kernel/cpu/proc.c: without the flag aperfmperf "cpu MHz" of /proc/cpuinfo
/// is the counter's rate.
CpuClock read_cpu_clock(const std::filesystem::path& root, const CpuModel& cpu, double cpuid_base_mhz);

/// The processor's base clock by CPUID leaf 16h in MHz; 0 where there is no such leaf or no x86.
double cpuid_base_mhz();

/// Width of an AMD core's floating-point data path in bits by CPUID Fn8000_001A: 128, or 256 for at least
/// 256; 0 where it is not stated, for processors before Zen and for other vendors.
///
/// Source: AMD64 Architecture Programmer's Manual, volume 3 (24594), "Performance Optimization Identifiers".
int cpuid_datapath_bits();

/// The hypervisor's signature by CPUID leaf 40000000h ("KVMKVMKVM"); empty outside of a virtual machine.
std::string cpuid_hypervisor();

}  // namespace shakedown
