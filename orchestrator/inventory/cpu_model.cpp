#include "orchestrator/inventory/cpu_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/processors.hpp"
#include "orchestrator/inventory/system_file.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace shakedown {
namespace {

/// A number in decimal or, with 0x, hexadecimal; 0 for anything else.
int parsed_code(const std::string& text) {
  return static_cast<int>(std::strtol(text.c_str(), nullptr, 0));
}

std::vector<std::string> texts(std::string_view line) {
  const auto pieces = words(line);
  return {pieces.begin(), pieces.end()};
}

/// The implementers of Arm's cores. Source: Linux, arch/arm64/include/asm/cputype.h.
std::string arm_implementer(int code) {
  return code == 0x41 ? "Arm" : code == 0x46 ? "Fujitsu" : fmt::format("implementer {:#04x}", code);
}

void name_arm_part(CpuModel& cpu) {
  cpu.vendor = arm_implementer(cpu.family);
  if (!cpu.name.empty()) return;
  const Processor* row = processor_of(cpu);
  cpu.name = row == nullptr ? fmt::format("implementer {:#04x} part {:#05x}", cpu.family, cpu.model)
                            : fmt::format("{} {}", row->vendor, row->name);
}

}  // namespace

bool CpuModel::has(const char* flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

CpuModel read_cpu_model(const std::filesystem::path& root) {
  CpuModel cpu;
  const auto info = system_file(root / "proc/cpuinfo");
  if (!info) return cpu;
  const auto field = [&](std::string_view key) { return field_of(*info, key).value_or(""); };
  cpu.name = field("model name");
  cpu.current_mhz = parsed_number(field("cpu MHz")).value_or(0);
  if (field_of(*info, "CPU implementer")) {
    cpu.family = parsed_code(field("CPU implementer"));
    cpu.model = parsed_code(field("CPU part"));
    cpu.flags = texts(field("Features"));
    name_arm_part(cpu);
    return cpu;
  }
  cpu.vendor = field("vendor_id");
  cpu.family = parsed_code(field("cpu family"));
  cpu.model = parsed_code(field("model"));
  cpu.flags = texts(field("flags"));
  return cpu;
}

std::string vector_extension(const CpuModel& cpu) {
  struct Extension {
    const char* flag;
    const char* name;
  };
  constexpr Extension widest_first[] = {{"avx512f", "avx512"}, {"avx2", "avx2"}, {"avx", "avx"},
                                        {"sse2", "sse2"},      {"sve", "sve"},   {"asimd", "neon"}};
  for (const Extension& extension : widest_first)
    if (cpu.has(extension.flag)) return extension.name;
  return "";
}

namespace {

/// "Intel(R) Xeon(R) Platinum 8358 CPU @ 2.60GHz" -> 2600; 0 if the name has none.
double clock_in_name(std::string_view name) {
  const size_t at = name.rfind('@');
  if (at == std::string_view::npos) return 0;
  std::string_view clock = trimmed(name.substr(at + 1));
  const double unit = clock.ends_with("GHz") ? 1000 : clock.ends_with("MHz") ? 1 : 0;
  if (unit == 0) return 0;
  clock.remove_suffix(3);
  return parsed_number(trimmed(clock)).value_or(0) * unit;
}

}  // namespace

CpuClock read_cpu_clock(const std::filesystem::path& root, const CpuModel& cpu, double cpuid_base_mhz) {
  const auto folder = root / "sys/devices/system/cpu/cpu0";
  const auto kilohertz = [&](const char* name) {
    return static_cast<double>(system_number(folder / "cpufreq" / name).value_or(0)) / 1000;
  };
  CpuClock clock;
  clock.max_mhz = kilohertz("cpuinfo_max_freq");
  const double cppc_mhz = static_cast<double>(system_number(folder / "acpi_cppc/nominal_freq").value_or(0));
  struct Stated {
    double mhz;
    std::string_view source;
  };
  const bool shows_counter = cpu.has("hypervisor") && !cpu.has("aperfmperf");
  for (const Stated& stated :
       {Stated{kilohertz("base_frequency"), "cpufreq, base_frequency"},
        Stated{cppc_mhz, "ACPI CPPC, nominal_freq"}, Stated{clock_in_name(cpu.name), "the model's name"},
        Stated{cpuid_base_mhz, "CPUID leaf 16h"},
        Stated{shows_counter ? cpu.current_mhz : 0, time_stamp_counter}})
    if (clock.base_mhz <= 0 && stated.mhz > 0) {
      clock.base_mhz = stated.mhz;
      clock.source = stated.source;
    }
  if (clock.source == time_stamp_counter)
    clock.note = fmt::format("base clock {} MHz by the {}", number(clock.base_mhz, 4), time_stamp_counter);
  if (clock.base_mhz > 0) return clock;
  clock.base_mhz = std::max(0.0, cpu.current_mhz);
  clock.assumed = clock.base_mhz > 0;
  if (clock.base_mhz <= 0) {
    clock.note = "the base clock is not readable, so no theoretical peak is given";
    return clock;
  }
  clock.source = "the clock at the moment of reading";
  clock.note = fmt::format(
      "base clock {} MHz: the clock at the moment of reading /proc/cpuinfo, as nothing states the nominal "
      "clock",
      number(clock.base_mhz, 4));
  return clock;
}

namespace {

/// What two units of the widest extension in the flags give: hypervisors and kernels hide some.
int most_by_extension(const CpuModel& cpu) {
  if (cpu.has("asimd") || cpu.has("sve")) return 32;
  if (cpu.has("avx512f")) return 32;
  if (cpu.has("avx2") && cpu.has("fma")) return 16;
  if (cpu.has("avx")) return 8;
  return 4;
}

/// The row of the catalogue that what CPUID shows of the extensions leads to.
const Processor* row_by_features(const CpuModel& cpu) {
  const auto& rows = processors().features;
  const auto it = std::ranges::find_if(rows, [&](const Processor& row) {
    return row.vendor == cpu.vendor && (row.datapath_bits == 0 || row.datapath_bits == cpu.datapath_bits) &&
           std::ranges::all_of(row.flags, [&](const std::string& flag) { return cpu.has(flag.c_str()); });
  });
  return it == rows.end() ? nullptr : &*it;
}

/// A hypervisor may state another model than the processor's, and still pass on how wide its data path is.
bool contradicts(const CpuModel& cpu, const Processor& row) {
  if (!cpu.has("hypervisor") || cpu.datapath_bits == 0 || row.fp64_flop_per_cycle == 0) return false;
  const bool narrow = cpu.datapath_bits < 256;
  return narrow != (row.fp64_flop_per_cycle <= 8);
}

/// The longest word of the list that the name has; 0: none.
size_t longest_in(const std::string& name, const std::vector<std::string>& words_of_name) {
  size_t longest = 0;
  for (const std::string& word : words_of_name)
    if (name.find(word) != std::string::npos) longest = std::max(longest, word.size());
  return longest;
}

}  // namespace

Fp64Rate fp64_rate(const CpuModel& cpu) {
  const Processor* row = processor_of(cpu);
  const bool by_features = row == nullptr || contradicts(cpu, *row);
  const Processor* stated = row;
  if (by_features) row = row_by_features(cpu);
  if (row == nullptr || row->fp64_flop_per_cycle == 0) return {};
  Fp64Rate rate{row->fp64_flop_per_cycle, row->at_least, "", ""};
  const size_t one_unit = longest_in(cpu.name, row->one_unit);
  const size_t two_units = longest_in(cpu.name, row->two_units);
  if (one_unit > two_units) rate.per_cycle = row->at_least;
  if (two_units > one_unit) rate.at_least = row->fp64_flop_per_cycle;
  rate.per_cycle = std::min(rate.per_cycle, most_by_extension(cpu));
  rate.at_least = std::min(rate.at_least, rate.per_cycle);
  rate.source = row->name.empty() ? fmt::format("by CPUID, {}: {}", row->units, row->source)
                                  : fmt::format("{}, {}: {}", row->name, row->units, row->source);
  if (by_features && stated != nullptr)
    rate.note = fmt::format(
        "the virtual machine states a {}, but CPUID a data path of {} bits: {} FP64 operations per cycle and "
        "core "
        "are taken",
        stated->name, cpu.datapath_bits, rate.per_cycle);
  else if (rate.at_least < rate.per_cycle)
    rate.note = fmt::format(
        "a core of '{}' does {} to {} FP64 operations per cycle ({}): {} is taken, so that no efficiency is "
        "overstated",
        cpu.name, rate.at_least, rate.per_cycle, row->units, rate.per_cycle);
  return rate;
}

#if defined(__x86_64__) || defined(__i386__)
double cpuid_base_mhz() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(0x16, &eax, &ebx, &ecx, &edx) == 0) return 0;
  return eax & 0xffffu;
}

int cpuid_datapath_bits() {
  constexpr unsigned optimisation_leaf = 0x8000001a;
  constexpr unsigned fp128 = 1u << 0;
  constexpr unsigned fp256 = 1u << 2;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(0, &eax, &ebx, &ecx, &edx) == 0 || ebx != signature_AMD_ebx) return 0;
  // Two modules' cores shared such units before Zen.
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || ((eax >> 8) & 0xf) < 0xf) return 0;
  if (const unsigned extended = (eax >> 20) & 0xff; extended > 0 && extended < 0x8) return 0;
  if (__get_cpuid(optimisation_leaf, &eax, &ebx, &ecx, &edx) == 0) return 0;
  return (eax & fp256) != 0 ? 256 : (eax & fp128) != 0 ? 128 : 0;
}

std::string cpuid_hypervisor() {
  constexpr unsigned hypervisor_bit = 1u << 31;
  std::array<unsigned, 4> r{};
  if (__get_cpuid(1, &r[0], &r[1], &r[2], &r[3]) == 0 || (r[2] & hypervisor_bit) == 0) return "";
  __cpuid(0x40000000, r[0], r[1], r[2], r[3]);
  std::array<char, 13> signature{};
  std::memcpy(signature.data(), &r[1], 12);
  return signature.data();
}
#else
double cpuid_base_mhz() {
  return 0;
}
int cpuid_datapath_bits() {
  return 0;
}
std::string cpuid_hypervisor() {
  return "";
}
#endif

}  // namespace shakedown
