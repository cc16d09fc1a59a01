#pragma once

#include <cstdint>

namespace training {

/// Random numbers that follow from a seed and the number of a stream alone, so that every rank draws the
/// same without a message. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
/// (splitmix64).
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream);

  std::uint64_t bits();
  double uniform();      ///< in [0, 1)
  int below(int limit);  ///< in [0, limit)
  double normal();       ///< mean 0, variance 1

 private:
  std::uint64_t state_;
};

}  // namespace training
