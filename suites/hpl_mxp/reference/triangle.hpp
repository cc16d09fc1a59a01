#pragma once

namespace hpl_mxp {

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
