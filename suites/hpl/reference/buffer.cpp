#include "suites/hpl/reference/buffer.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <limits>

namespace hpl {
namespace {
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLine = 64;
}  // namespace

Buffer::Buffer(std::size_t doubles) {
  if (doubles > std::numeric_limits<std::size_t>::max() / sizeof(double) - kHugePage) return;
  const std::size_t bytes = doubles * sizeof(double);
  const std::size_t alignment = bytes >= kHugePage ? kHugePage : kLine;
  const std::size_t rounded = (bytes / alignment + 1) * alignment;
  data_.reset(static_cast<double*>(std::aligned_alloc(alignment, rounded)));
  if (data_ && alignment == kHugePage) madvise(data_.get(), rounded, MADV_HUGEPAGE);
}

std::size_t physical_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace hpl
