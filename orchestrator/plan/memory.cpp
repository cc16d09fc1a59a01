#include "orchestrator/plan/memory.hpp"

#include <algorithm>

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
  return {smallest->memory_bytes, "of a GPU, visible to CUDA"};
}

}  // namespace shakedown
