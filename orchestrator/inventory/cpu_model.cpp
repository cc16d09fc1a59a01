#include "orchestrator/inventory/cpu_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/system_file.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace shakedown {
namespace {

struct ArmPart {
  int implementer, part;
  std::string_view vendor, name;
};

// MIDR_EL1 implementer and part: Linux, arch/arm64/include/asm/cputype.h.
constexpr ArmPart arm_parts[] = {
    {0x41, 0xd08, "Arm", "Cortex-A72"},  {0x41, 0xd0c, "Arm", "Neoverse-N1"},
    {0x41, 0xd40, "Arm", "Neoverse-V1"}, {0x41, 0xd49, "Arm", "Neoverse-N2"},
    {0x41, 0xd4f, "Arm", "Neoverse-V2"}, {0x46, 0x001, "Fujitsu", "A64FX"},
};

/// A number in decimal or, with 0x, hexadecimal; 0 for anything else.
int parsed_code(const std::string& text) {
  return static_cast<int>(std::strtol(text.c_str(), nullptr, 0));
}

std::vector<std::string> texts(std::string_view line) {
  const auto pieces = words(line);
  return {pieces.begin(), pieces.end()};
}

void name_arm_part(CpuModel& cpu) {
  const auto known = std::find_if(std::begin(arm_parts), std::end(arm_parts), [&](const ArmPart& part) {
    return part.implementer == cpu.family && part.part == cpu.model;
  });
  if (known == std::end(arm_parts)) {
    cpu.vendor = fmt::format("implementer {:#04x}", cpu.family);
    if (cpu.name.empty()) cpu.name = fmt::format("{} part {:#05x}", cpu.vendor, cpu.model);
    return;
  }
  cpu.vendor = known->vendor;
  if (cpu.name.empty()) cpu.name = fmt::format("{} {}", known->vendor, known->name);
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
  for (const double mhz : {kilohertz("base_frequency"), cppc_mhz, clock_in_name(cpu.name), cpuid_base_mhz})
    if (clock.base_mhz <= 0) clock.base_mhz = mhz;
  if (clock.base_mhz > 0) return clock;
  clock.base_mhz = std::max(0.0, cpu.current_mhz);
  const std::string reading = number(clock.base_mhz, 4);
  if (clock.base_mhz <= 0)
    clock.note = "the base clock is not readable, so no theoretical peak is given";
  else if (cpu.has("hypervisor"))
    clock.note = fmt::format(
        "base clock {} MHz: the virtual machine's time stamp counter by /proc/cpuinfo, as nothing states the "
        "nominal clock",
        reading);
  else
    clock.note = fmt::format(
        "base clock {} MHz: the clock at the moment of reading /proc/cpuinfo, as nothing states the nominal "
        "clock",
        reading);
  return clock;
}

namespace {

struct Rate {
  std::string_view vendor;
  int family, first_model, last_model;
  int flop_per_cycle;
};

constexpr int any = 0xffff;

// Floating-point units per core times their width in doubles times two for the FMA. Sources:
//   AMD: "Software Optimization Guide" for Family 17h (55723), Family 17h Models 30h and Greater (56305),
//        EPYC 7003 (56665), Zen4 (57647: 512-bit operations take two passes through 256-bit units) and
//        Zen5 (58455: two 512-bit units).
//   Intel: "Intel 64 and IA-32 Architectures Optimization Reference Manual" (248966), chapters on the
//        Haswell, Skylake Server, Ice Lake, Sapphire Rapids, Knights Landing and Crestmont cores. Server
//        models with one AVX-512 FMA unit (Xeon Bronze, many Silver) reach half of these values.
//   Arm: "Neoverse N1 / N2 / V1 / V2 Core Software Optimization Guide": two, two, four and four 128-bit
//   units. Fujitsu: "A64FX Microarchitecture Manual": two 512-bit units.
constexpr Rate rates[] = {
    {"AuthenticAMD", 0x17, 0x00, 0x2f, 8},   // Zen, Zen+: 128-bit units
    {"AuthenticAMD", 0x17, 0x30, 0xff, 16},  // Zen 2
    {"AuthenticAMD", 0x19, 0x00, 0xff, 16},  // Zen 3, Zen 4
    {"AuthenticAMD", 0x1a, 0x00, 0x1f, 32},  // Zen 5, servers
    {"GenuineIntel", 6, 0x2a, 0x2a, 8},      // Sandy Bridge
    {"GenuineIntel", 6, 0x2d, 0x2d, 8},      // Sandy Bridge-EP
    {"GenuineIntel", 6, 0x3e, 0x3e, 8},      // Ivy Bridge-EP
    {"GenuineIntel", 6, 0x3f, 0x3f, 16},     // Haswell-EP
    {"GenuineIntel", 6, 0x4f, 0x4f, 16},     // Broadwell-EP
    {"GenuineIntel", 6, 0x56, 0x56, 16},     // Broadwell-DE
    {"GenuineIntel", 6, 0x55, 0x55, 32},     // Skylake-SP, Cascade Lake, Cooper Lake
    {"GenuineIntel", 6, 0x57, 0x57, 32},     // Knights Landing
    {"GenuineIntel", 6, 0x6a, 0x6a, 32},     // Ice Lake-SP
    {"GenuineIntel", 6, 0x6c, 0x6c, 32},     // Ice Lake-D
    {"GenuineIntel", 6, 0x8f, 0x8f, 32},     // Sapphire Rapids
    {"GenuineIntel", 6, 0xcf, 0xcf, 32},     // Emerald Rapids
    {"GenuineIntel", 6, 0xad, 0xae, 32},     // Granite Rapids
    {"GenuineIntel", 6, 0xaf, 0xaf, 8},      // Sierra Forest: 128-bit units
    {"Arm", 0x41, 0xd0c, 0xd0c, 8},          // Neoverse N1
    {"Arm", 0x41, 0xd49, 0xd49, 8},          // Neoverse N2
    {"Arm", 0x41, 0xd40, 0xd40, 16},         // Neoverse V1
    {"Arm", 0x41, 0xd4f, 0xd4f, 16},         // Neoverse V2
    {"Fujitsu", 0x46, 0x001, 0x001, 32},     // A64FX
    // Desktop cores with AVX2 and without AVX-512: two 256-bit FMA units since Haswell.
    {"GenuineIntel", 6, 0x3c, any, 16},
};

/// What two units of the widest extension in the flags give: hypervisors and kernels hide some.
int most_by_extension(const CpuModel& cpu) {
  if (cpu.has("asimd") || cpu.has("sve")) return 32;
  if (cpu.has("avx512f")) return 32;
  if (cpu.has("avx2") && cpu.has("fma")) return 16;
  if (cpu.has("avx")) return 8;
  return 4;
}

}  // namespace

int fp64_flop_per_cycle(const CpuModel& cpu) {
  const auto rate = std::find_if(std::begin(rates), std::end(rates), [&](const Rate& row) {
    return row.vendor == cpu.vendor && row.family == cpu.family && row.first_model <= cpu.model &&
           cpu.model <= row.last_model;
  });
  if (rate == std::end(rates)) return 0;
  // The last row is for cores with AVX2 and without AVX-512; the number of units of others is unknown.
  if (rate->last_model == any && (cpu.has("avx512f") || !cpu.has("fma") || !cpu.has("avx2"))) return 0;
  return std::min(rate->flop_per_cycle, most_by_extension(cpu));
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
std::string cpuid_hypervisor() {
  return "";
}
#endif

}  // namespace shakedown
