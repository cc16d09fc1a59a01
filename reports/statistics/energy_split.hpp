#pragma once
#include <cstddef>
#include <span>

namespace shakedown {

/// The best place to cut a segment in two, and by how much its parts differ.
struct EnergySplit {
  std::size_t at = 0;  ///< the first value of the second part; 0: the segment is too short to be cut
  double distance = 0;
};

/// The cut that makes the scaled energy distance of both parts largest, each of at least `least` values:
/// n m / (n + m) x (2 mean |x - y| - mean |x - x'| - mean |y - y'|), all pairs within a part counted once.
/// In time proportional to the length squared.
///
/// Source: D. S. Matteson and N. A. James, JASA 109, 2014, equations 5 to 7, exponent 1.
EnergySplit energy_split(std::span<const double> values, std::size_t least);

}  // namespace shakedown
