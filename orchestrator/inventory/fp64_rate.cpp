#include <algorithm>
#include <string_view>

#include "orchestrator/inventory/cpu_model.hpp"

namespace shakedown {
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
//        models with one AVX-512 FMA unit (Xeon Bronze, many Silver) reach half of what stands here.
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
  // The last row speaks of cores that have AVX2 and no AVX-512; how many units others have, nobody told us.
  if (rate->last_model == any && (cpu.has("avx512f") || !cpu.has("fma") || !cpu.has("avx2"))) return 0;
  return std::min(rate->flop_per_cycle, most_by_extension(cpu));
}

}  // namespace shakedown
