#include "suites/io500/reference/budget.hpp"

#include <algorithm>

namespace io500 {

Budget::Budget(const Space& free)
    : bytes_(free.bytes / 10), inodes_(free.inodes == 0 ? 0 : std::max<std::int64_t>(1, free.inodes / 10)) {}

std::int64_t Budget::items(std::int64_t bytes, std::int64_t inodes, double share, int ranks) const {
  const auto part = [&](std::int64_t left, std::int64_t each) {
    return static_cast<std::int64_t>(share * static_cast<double>(left) / static_cast<double>(each) / ranks);
  };
  std::int64_t most = part(bytes_, bytes);
  if (inodes > 0 && inodes_ > 0) most = std::min(most, part(inodes_, inodes));
  return most;
}

void Budget::take(std::int64_t bytes, std::int64_t inodes) {
  bytes_ = std::max<std::int64_t>(0, bytes_ - bytes);
  if (inodes_ > 0) inodes_ = std::max<std::int64_t>(1, inodes_ - inodes);
}

}  // namespace io500
