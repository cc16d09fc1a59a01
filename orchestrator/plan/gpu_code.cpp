#include "orchestrator/plan/gpu_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/accelerators.hpp"

namespace shakedown {
namespace {

/// A compute capability, 10.3, in tenths: 103.
std::optional<std::int64_t> tenths(std::string_view capability) {
  const auto dot = capability.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto major = parsed_integer(capability.substr(0, dot));
  const auto minor = parsed_integer(capability.substr(dot + 1));
  return major && minor ? std::optional(10 * *major + *minor) : std::nullopt;
}

struct Code {
  std::int64_t of = 0;      ///< in tenths
  bool only_that = false;   ///< sm_90a: of that capability alone
  bool generation = false;  ///< of none but its own: binary code, and PTX of a family (compute_100f)
};

std::optional<Code> code_of(std::string_view name) {
  for (const auto& [prefix, ptx] : {std::pair("sm_", false), std::pair("compute_", true)})
    if (name.starts_with(prefix)) {
      std::string_view number = name.substr(std::string_view(prefix).size());
      const bool only_that = number.ends_with('a');
      const bool family = number.ends_with('f');
      if (only_that || family) number.remove_suffix(1);
      if (const auto of = parsed_integer(number)) return Code{*of, only_that, family || !ptx};
    }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> code_names(TomlTable& table, std::string_view key) {
  std::vector<std::string> names = table.texts(key);
  for (const std::string& name : names)
    if (!code_of(name))
      table.reject(key, fmt::format("'{}' names no GPU code", name), "as nvcc does: sm_80, compute_90");
  return names;
}

GpuCode gpu_code_from_toml(TomlTable table) {
  GpuCode code;
  code.built_for = code_names(table, "built_for");
  code.source = table.text("source", "");
  code.remedy = table.text("remedy", "");
  if (!code.built_for.empty() && code.source.empty()) table.reject("source", "'source' is missing");
  return code;
}

bool runs_on(std::span<const std::string> built_for, std::string_view capability) {
  const auto gpu = tenths(capability);
  return gpu && std::ranges::any_of(built_for, [&](const std::string& name) {
           const auto code = code_of(name);
           if (code && code->only_that) return code->of == *gpu;
           return code && code->of <= *gpu && (!code->generation || code->of / 10 == *gpu / 10);
         });
}

Result<void> check_gpu_code(const GpuCode& code, std::string_view program, std::span<const Gpu> gpus) {
  if (code.built_for.empty()) return {};
  for (const Gpu& gpu : gpus) {
    const std::string_view capability = compute_capability_named(gpu.model);
    if (capability.empty() || runs_on(code.built_for, capability)) continue;
    return fail("requirements",
                fmt::format("'{}' has code for {} ({}), and '{}' has compute capability {}: it cannot start "
                            "there",
                            program, joined(code.built_for, ", "), code.source, gpu.model, capability),
                code.remedy);
  }
  return {};
}

}  // namespace shakedown
