#pragma once

#include <span>
#include <vector>

namespace training {

/// Adds gradients up in pairs, then pairs of pairs, and so on: ((a + b) + (c + d)) + ...
///
/// Ranks add theirs up in the same way (Replicas::add_up), so that a batch whose micro-batches are a power of
/// two has the same sum, bit for bit, whether one rank has all of them or two or four share them. In another
/// order, sums would differ in their last bits, and some hundred steps later losses in their third digit.
class PairwiseSum {
 public:
  /// Takes the next summand and leaves zeros.
  void take(std::span<float> gradients);
  /// Gives the sum and begins anew.
  void give(std::span<float> gradients);

 private:
  struct Level {
    std::vector<float> sum;  ///< of 2^level summands
    bool full = false;
  };
  std::vector<Level> levels_;
};

}  // namespace training
