#include "orchestrator/plan/memory.hpp"

#include <algorithm>

#include "orchestrator/plan/planned_case.hpp"

namespace shakedown {

UsableMemory usable_host_memory(const NodeGroup& node) {
  UsableMemory least;
  const auto consider = [&least](std::int64_t bytes, const char* because) {
    if (bytes > 0 && (least.bytes == 0 || bytes < least.bytes)) least = {bytes, because};
  };
  consider(node.memory_bytes, "on the board of a node");
  consider(node.usable.memory_bytes, "that a job is limited to on a node");
  consider(node.usable.available_bytes, "available now on a node");
  return least;
}

UsableMemory usable_gpu_memory(const NodeGroup& node) {
  if (node.gpus.empty()) return {};
  const auto smallest = std::ranges::min_element(node.gpus, {}, &Gpu::memory_bytes);
  const std::string_view make = gpu_make(*smallest);
  return {smallest->memory_bytes, make == "nvidia" ? "of a GPU, visible to CUDA"
                                  : make == "amd"  ? "of a GPU, visible to HIP"
                                                   : "of a GPU, visible to programs"};
}

}  // namespace shakedown
