#pragma once

#include <cstddef>

#include "suites/hpl_mxp/reference/matrix.hpp"
#include "suites/kernel/broadcast.hpp"

namespace hpl_mxp {

/// One panel of columns [first, first + width), factored: what its process column computes and every other
/// process column needs for the update. One piece of memory by columns, so that it travels as one message:
///
///   diagonal  width x width, L (unit diagonal) and U of the diagonal block, in every process row
///   L         below x width, this process row's rows below the diagonal block
struct Panel {
  /// Describes panel number `index` as this rank sees it, in `memory` of at least `floats()`.
  Panel(const Matrix& matrix, int index, float* memory);
  /// Room for any panel of this matrix on this rank.
  static std::size_t floats(const Matrix& matrix);

  [[nodiscard]] kernel::PanelMessage message() const;
  [[nodiscard]] float* diagonal() const { return memory_; }
  [[nodiscard]] float* L() const { return memory_ + static_cast<std::size_t>(width) * width; }

  int index;
  int first;
  int width;
  int p;             ///< process row of the diagonal block
  int q;             ///< process column of the panel
  int below;         ///< local rows below the diagonal block
  int first_row;     ///< local index of the first of them
  int first_column;  ///< local index of the first column right of the panel
  std::size_t ld;    ///< of L

 private:
  float* memory_;
};

/// Factors the panel's columns in the matrix, without pivoting, and copies them to the panel. Collective over
/// the process column `panel.q`. A zero on the diagonal gives infinities: the residual check then fails.
void factor(const Grid& grid, const Matrix& matrix, const Panel& panel);

}  // namespace hpl_mxp
