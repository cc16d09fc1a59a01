#include "orchestrator/inventory/cpu_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/system_file.hpp"

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

}  // namespace shakedown
