#pragma once

#include <cstddef>
#include <vector>

#include "suites/hpl_mxp/reference/entries.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl_mxp {

/// A x = b of order N: HPL's random matrix, its diagonal replaced by the sum of magnitudes of the row's other
/// entries, so that it is neither symmetric nor in need of pivoting; b is column N of HPL's sequence.
///
/// Vectors hold all N numbers on each rank.
///
/// Source: hpl-mxp.org, rules (the generator that forces diagonal dominance); HPL 2.3, testing/matgen.
class LinearSystem {
 public:
  /// Collective over the grid. The matrix of a smaller order may be singular.
  LinearSystem(const Grid& grid, int order, int block);
  static constexpr int least_order = 16;

  /// A x in FP64. Collective.
  [[nodiscard]] std::vector<double> times(const std::vector<double>& x) const;
  /// b - A x. Collective.
  [[nodiscard]] std::vector<double> residual(const std::vector<double>& x) const;
  /// This rank's part of A rounded to FP32, by columns.
  void round_into(float* to, std::size_t ld) const;
  /// ||A||_oo, twice the largest entry of the diagonal.
  [[nodiscard]] double norm() const;
  /// Numbers in FP64 that it keeps on this rank: it keeps no matrix.
  [[nodiscard]] std::size_t doubles() const { return diagonal.size() + b.size() + shift_.size(); }

  const Grid& grid;
  Entries entries;
  std::vector<double> diagonal;
  std::vector<double> b;

 private:
  std::vector<double> shift_;  ///< what the diagonal has more than the random matrix
};

}  // namespace hpl_mxp
