#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace training {

/// The ranks of the run: each has the whole model and a part of each batch.
class Replicas {
 public:
  Replicas();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] int nodes() const { return nodes_; }
  [[nodiscard]] int on_this_node() const { return on_this_node_; }
  [[nodiscard]] bool first() const { return rank_ == 0; }

  /// Of `count` numbered things the first that rank `rank` has; that of ranks() is `count`. Shares differ by
  /// one at most.
  [[nodiscard]] int share_begin(int count, int rank) const;

  /// Gradients of all ranks added up, in pairs of adjacent ranks, then pairs of pairs. All ranks get the same
  /// bits.
  void add_up(std::span<float> gradients);
  [[nodiscard]] double sum(double value) const;
  [[nodiscard]] double largest(double value) const;
  /// Rank 0's decision.
  [[nodiscard]] bool agreed(bool decision) const;
  /// Whether all ranks have the same value.
  [[nodiscard]] bool alike(std::uint64_t value) const;
  /// From rank 0.
  [[nodiscard]] std::uint64_t shared(std::uint64_t value) const;
  void share(std::span<float> values) const;
  void share(std::string& text) const;

 private:
  int rank_ = 0;
  int ranks_ = 1;
  int nodes_ = 1;
  int on_this_node_ = 1;
  std::vector<float> received_;
};

/// Adds gradients up in pairs, then pairs of pairs, and so on: ((a + b) + (c + d)) + ...
///
/// Ranks add theirs up in the same way (Replicas::add_up), so that a batch whose micro-batches are a power of
/// two has the same sum, bit for bit, whether one rank has all of them or two or four share them. In another
/// order, sums would differ in their last bits, and some hundred steps later losses in their third digit.
class PairwiseSum {
 public:
  /// Adds the next summand and sets it to zeros.
  void take(std::span<float> gradients);
  /// Gives the sum and starts again from zero.
  void give(std::span<float> gradients);

 private:
  struct Level {
    std::vector<float> sum;  ///< of 2^level summands
    bool full = false;
  };
  std::vector<Level> levels_;
};

}  // namespace training
