#pragma once

#include <cstddef>

#include "suites/kernel/buffer.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl {

using kernel::BlockCyclic;
using kernel::Grid;

/// This rank's part of [A | b], N rows by N + 1 columns, distributed block-cyclically over the grid.
///
/// Stored by rows: exchanging two rows, which partial pivoting does N times over the whole width,
/// then moves contiguous memory, and a slice of U is a contiguous operand. Panels, which want
/// columns, are copied out (panel.hpp).
class Matrix {
 public:
  Matrix(const Grid& grid, int order, int block);

  [[nodiscard]] std::size_t doubles() const { return static_cast<std::size_t>(rows) * ld; }
  /// False where the memory is not to be had.
  bool allocate();
  /// Fills with the entries of HPL's random matrix, the same for every grid and NB: column-major
  /// entry number i + j N of the sequence (random.hpp). Regenerates them after a solve.
  void generate() const;

  [[nodiscard]] double* at(int local_row, int local_column) const {
    return storage_.data() + static_cast<std::size_t>(local_row) * ld + local_column;
  }
  [[nodiscard]] bool holds_b() const { return column.owner(N) == q; }

  int N;
  int NB;
  BlockCyclic row;     ///< rows over P
  BlockCyclic column;  ///< columns over Q
  int p;
  int q;
  int rows;        ///< local rows
  int columns;     ///< local columns, b included where held
  std::size_t ld;  ///< doubles from one local row to the next

 private:
  kernel::Buffer<double> storage_;
};

}  // namespace hpl
