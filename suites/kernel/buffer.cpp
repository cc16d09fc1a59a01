#include "suites/kernel/buffer.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace kernel {
namespace {
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLine = 64;
}  // namespace

void* pages(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - kHugePage) return nullptr;
  const std::size_t alignment = bytes >= kHugePage ? kHugePage : kLine;
  const std::size_t rounded = (bytes / alignment + 1) * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory != nullptr && alignment == kHugePage) madvise(memory, rounded, MADV_HUGEPAGE);
  return memory;
}

std::size_t physical_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace kernel
