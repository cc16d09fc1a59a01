#pragma once
#include <type_traits>
#include <utility>
#include <vector>

#include "suites/hpcg/reference/optimised.hpp"
#include "tests/mpi_session.hpp"

namespace hpcg {

/// A problem with one of the two kinds of kernels, on all ranks that run.
template <class Kind>
struct Problem {
  explicit Problem(const Geometry& g) : Problem(generated(g)) {}
  /// On one rank.
  explicit Problem(const Box& local) : Problem(geometry(0, {1, 1, 1}, local, {})) {}

  std::vector<Level> levels;
  Vector b;
  Kind kernels;

 private:
  static std::vector<Level> generated(const Geometry& g) {
    start_mpi();
    return generate_levels(g);
  }
  explicit Problem(std::vector<Level> made)
      : levels(std::move(made)),
        b(right_hand_side(levels.front().system.matrix)),
        kernels(kernels_of(levels)) {}
  static Kind kernels_of(std::vector<Level>& levels) {
    if constexpr (std::is_same_v<Kind, OptimisedKernels>)
      return Kind(levels, 1);  // one thread
    else
      return Kind(levels);
  }
};

}  // namespace hpcg
