#pragma once

#include <cstdint>

namespace kernel {

/// x -> a x + c mod 2^64: one step, or any number of steps at once, of the linear congruential
/// generator of HPL 2.x (Knuth's MMIX constants), so that entry number i of the sequence is the same
/// whoever generates it.
///
/// Source: HPL 2.3, testing/matgen/HPL_rand.c, HPL_xjumpm.c, include/hpl_matgen.h.
struct Jump {
  std::uint64_t a = 6364136223846793005U;
  std::uint64_t c = 1;

  [[nodiscard]] std::uint64_t operator()(std::uint64_t x) const { return a * x + c; }
  /// This jump taken `count` times.
  [[nodiscard]] Jump times(std::uint64_t count) const;
};

/// The state from which entry number `index` of the sequence is drawn (seed 100, as HPL).
std::uint64_t random_state(std::uint64_t index);

/// Uniform on (-0.5, 0.5]: 0.5 - state / 2^64. Halved, with the lost bit OR-ed in for the rounding, the state
/// is a signed number, which converts without a branch.
inline double uniform(std::uint64_t state) {
  return 0.5 - static_cast<double>(static_cast<std::int64_t>(state >> 1 | (state & 1))) * 0x1p-63;
}

}  // namespace kernel
