#pragma once

#include <cstddef>

#include "suites/hpl_mxp/reference/system.hpp"
#include "suites/kernel/buffer.hpp"

namespace hpl_mxp {

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
