#include "orchestrator/inventory/cpu_clock.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/system_file.hpp"

namespace shakedown {
namespace {

/// "Intel(R) Xeon(R) Platinum 8358 CPU @ 2.60GHz" -> 2600; 0 where the name says none.
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

}  // namespace shakedown
