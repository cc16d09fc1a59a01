#pragma once

#include <cstdint>
#include <vector>

#include "suites/mlperf/reference/grammar.hpp"

namespace training {

/// A set of texts that is never stored: sample `i` is drawn again whenever it is asked for, the same on every
/// rank.
class Samples {
 public:
  /// Those of different `part`s have nothing in common.
  Samples(Grammar grammar, std::uint64_t part, int length)
      : grammar_(grammar), part_(part), length_(length) {}

  [[nodiscard]] Text sample(int i) const;

  /// The tokens of those with the given numbers, each with its mark: (length + 1) for each.
  [[nodiscard]] std::vector<int> tokens(const std::vector<int>& numbers) const;

  /// Log-perplexity of the best possible model on the first `count`: see Grammar.
  [[nodiscard]] double floor(int count) const;

 private:
  Grammar grammar_;
  std::uint64_t part_;
  int length_;
};

/// The numbers 0 to count - 1 in the order in which an epoch takes them, by the run's seed.
std::vector<int> shuffled(int count, std::uint64_t seed, int epoch);

}  // namespace training
