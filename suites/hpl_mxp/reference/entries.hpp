#pragma once

#include <cstddef>
#include <vector>

#include "suites/kernel/block_cyclic.hpp"
#include "suites/kernel/grid.hpp"
#include "suites/kernel/random.hpp"

namespace hpl_mxp {

using kernel::BlockCyclic;
using kernel::Grid;

/// This rank's part of HPL's random matrix of order N, made anew wherever it is needed: that takes a
/// processor less time than reading the same numbers in FP64 from memory would.
///
/// Column-major entry i + j N of the sequence (suites/kernel/random.hpp), the same for every grid and NB.
class Entries {
 public:
  Entries(const Grid& grid, int order, int block);

  /// Rounded to FP32 into `to`, by columns with `ld` numbers from one to the next.
  void round_into(float* to, std::size_t ld) const;
  /// For each local row the product with `x`, one number for each local column.
  [[nodiscard]] std::vector<double> times(const std::vector<double>& x) const;
  /// For each local row the sum of magnitudes of its local entries.
  [[nodiscard]] std::vector<double> magnitudes() const;
  /// The entry of one global row and column.
  [[nodiscard]] double at(int i, int j) const;

  int N;
  int NB;
  BlockCyclic row;     ///< rows over P
  BlockCyclic column;  ///< columns over Q
  int p;
  int q;
  int rows;     ///< local rows
  int columns;  ///< local columns

 private:
  /// The numbers of a column lie one step apart, those of a row N.
  kernel::Jump next_column_;
  kernel::Jump next_block_;  ///< over the columns of the other process columns
};

}  // namespace hpl_mxp
