#pragma once
#include <cstdint>
#include <string>

namespace shakedown::hpcg {

/// Three extents: of HPCG's process grid (npx, npy, npz) in ranks, or of one rank's domain (nx, ny, nz) in
/// rows.
struct Box {
  std::int64_t x = 1;
  std::int64_t y = 1;
  std::int64_t z = 1;
  [[nodiscard]] std::int64_t cells() const { return x * y * z; }
  friend bool operator==(const Box&, const Box&) = default;
};

/// Shortest over longest extent that HPCG accepts, of the process grid and of the local domain; below it the
/// program aborts.
///
/// Source: HPCG 3.1, main.cpp, CheckAspectRatio.cpp.
inline constexpr double least_aspect = 0.125;

double aspect(const Box& box);

/// "8 x 7 x 14".
std::string box_text(const Box& box);

}  // namespace shakedown::hpcg
