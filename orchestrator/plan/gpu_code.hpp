#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The GPUs that a build of a program has code for: `[gpu_code]` of an implementation.
struct GpuCode {
  std::vector<std::string> built_for;  ///< "sm_80" (binary code), "compute_90" (PTX); empty: not known
  std::string source;
  std::string remedy;  ///< where the GPUs are others
  friend bool operator==(const GpuCode&, const GpuCode&) = default;
};

GpuCode gpu_code_from_toml(TomlTable table);

/// The names of code at `key`; an objection where one is none.
std::vector<std::string> code_names(TomlTable& table, std::string_view key);

/// Whether such code runs on GPUs of a compute capability ("9.0"): binary code on its generation from its own
/// on, PTX on any from its own on, but PTX of a family (compute_100f) as binary code. Code of one
/// architecture (sm_90a) runs on its own compute capability alone.
///
/// Source: NVIDIA, CUDA C++ Programming Guide, "Binary Compatibility" and "PTX Compatibility"; of families:
/// "NVIDIA Blackwell and NVIDIA CUDA 12.9 Introduce Family-Specific Architecture Features" (2025).
[[nodiscard]] bool runs_on(std::span<const std::string> built_for, std::string_view capability);

/// Fails with rule "requirements" if the catalogue knows a GPU's compute capability and the code does not run
/// on it.
Result<void> check_gpu_code(const GpuCode& code, std::string_view program, std::span<const Gpu> gpus);

}  // namespace shakedown
