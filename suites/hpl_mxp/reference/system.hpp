#pragma once
#include <cstddef>
#include <vector>

#include "suites/kernel/buffer.hpp"
#include "suites/kernel/grid.hpp"
#include "suites/kernel/random.hpp"

namespace hpl_mxp {

using kernel::BlockCyclic;
using kernel::Grid;

/// This rank's part of HPL's random matrix of order N, generated again wherever it is needed: that takes a
/// processor less time than reading the same numbers in FP64 from memory.
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
  /// Numbers in FP64 that it stores on this rank: it stores no matrix.
  [[nodiscard]] std::size_t doubles() const { return diagonal.size() + b.size() + shift_.size(); }

  const Grid& grid;
  Entries entries;
  std::vector<double> diagonal;
  std::vector<double> b;

 private:
  std::vector<double> shift_;  ///< what the diagonal has more than the random matrix
};

/// This rank's part of A in FP32, distributed block-cyclically, stored by columns; after the factorisation L
/// (unit diagonal) below and U on and above the diagonal.
class Matrix {
 public:
  explicit Matrix(const Entries& entries);

  [[nodiscard]] std::size_t floats() const { return static_cast<std::size_t>(columns) * ld; }
  /// False where the memory is not to be had. Writes all of it once, so that pages are there and on this
  /// rank's NUMA node.
  bool allocate();

  [[nodiscard]] float* at(int local_row, int local_column) const {
    return storage_.data() + static_cast<std::size_t>(local_column) * ld + local_row;
  }

  int N;
  int NB;
  BlockCyclic row;     ///< rows over P
  BlockCyclic column;  ///< columns over Q
  int p;
  int q;
  int rows;        ///< local rows
  int columns;     ///< local columns
  std::size_t ld;  ///< floats from one local column to the next

 private:
  kernel::Buffer<float> storage_;
};

/// At least `rows`, in an odd number of cache lines, so that columns start in all sets of the caches.
std::size_t leading_dimension(int rows);

}  // namespace hpl_mxp
