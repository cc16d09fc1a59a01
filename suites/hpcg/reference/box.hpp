#pragma once

#include <algorithm>
#include <cstdint>

namespace hpcg {

/// Three extents, of a domain in points or of the process grid in ranks.
struct Box {
  int x = 0;
  int y = 0;
  int z = 0;
  [[nodiscard]] std::int64_t cells() const { return std::int64_t{x} * y * z; }
  /// Shortest side over longest.
  [[nodiscard]] double aspect() const {
    const auto [least, most] = std::minmax({x, y, z});
    return static_cast<double>(least) / most;
  }
  friend bool operator==(const Box&, const Box&) = default;
};

}  // namespace hpcg
