#pragma once
#include <cstddef>

#include "suites/hpl_mxp/reference/system.hpp"
#include "suites/kernel/grid.hpp"

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

/// A factored diagonal block of a panel: L (unit diagonal) below and U on and above the diagonal, by columns.
struct DiagonalBlock {
  const float* data = nullptr;
  int width = 0;
  int ld = 0;
};

/// Part of a matrix by columns.
struct Part {
  float* data = nullptr;
  int ld = 0;
  int rows = 0;
  int columns = 0;
};

/// B := L^-1 B, and A := A U^-1. By products with the inverses of 32 x 32 blocks on the diagonal: OpenBLAS's
/// strsm is half as fast at the widths of panels.
void solve_by_L(const DiagonalBlock& block, const Part& B);
void solve_by_U(const DiagonalBlock& block, const Part& A);

}  // namespace hpl_mxp
