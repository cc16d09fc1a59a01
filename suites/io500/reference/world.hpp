#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "suites/io500/reference/text.hpp"

namespace io500 {

/// The ranks of the run and the client nodes that they are on.
struct World {
  int rank = 0;
  int ranks = 1;
  int nodes = 1;
  bool first_of_node = true;  ///< does what a node does once: drops its caches, writes back its data
  int shift = 1;              ///< a rank reads with IOR what the rank so far on has written

  [[nodiscard]] bool talks() const { return rank == 0; }
};

World world();

std::int64_t largest(std::int64_t value);
double largest(double value);
std::int64_t summed(std::int64_t value);
void barrier();

/// A text of rank 0 for all.
std::string broadcast(std::string text);

/// What one rank found, for all of them: the error of the lowest rank that has one.
Result<void> agreed(const Result<void>& mine);

/// Seconds since `begin`; the ranks' clocks are never compared with each other.
double seconds_since(double begin);
double now();

/// What a phase did; the same on all ranks.
struct Outcome {
  double score = 0;                                         ///< GiB/s, or thousands of operations per second
  std::vector<std::pair<std::string, std::string>> values;  ///< by their keys in result.txt
  std::vector<std::string> invalid;                         ///< sentences
  bool wrong = false;  ///< contents or counts are not what was written: not merely too short
};

}  // namespace io500
