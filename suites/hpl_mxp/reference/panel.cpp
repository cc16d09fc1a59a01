#include "suites/hpl_mxp/reference/panel.hpp"

#include <cblas.h>
#include <mpi.h>
#include <algorithm>
#include <cstddef>
#include <vector>

namespace hpl_mxp {
namespace {

constexpr int kLeafColumns = 16;

/// Factors n x n numbers, by columns, without pivoting.
void factor_leaf(float* a, int ld, int n) {
  for (int k = 0; k < n; ++k) {
    const float* pivots = a + static_cast<std::size_t>(k) * ld;
    float* column = a + static_cast<std::size_t>(k) * ld;
    for (int i = k + 1; i < n; ++i) column[i] /= pivots[k];
    for (int j = k + 1; j < n; ++j) {
      float* other = a + static_cast<std::size_t>(j) * ld;
      for (int i = k + 1; i < n; ++i) other[i] -= column[i] * other[k];
    }
  }
}

/// The same recursively by halves.
void factor_block(float* a, int ld, int n) {
  if (n <= kLeafColumns) return factor_leaf(a, ld, n);
  const int leaves = (n + kLeafColumns - 1) / kLeafColumns;
  const int half = leaves / 2 * kLeafColumns;
  const int rest = n - half;
  float* right = a + static_cast<std::size_t>(half) * ld;
  factor_block(a, ld, half);
  cblas_strsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, half, rest, 1.0F, a, ld, right,
              ld);
  cblas_strsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, rest, half, 1.0F, a, ld,
              a + half, ld);
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rest, rest, half, -1.0F, a + half, ld, right, ld,
              1.0F, right + half, ld);
  factor_block(right + half, ld, rest);
}

void copy_columns(const float* from, std::size_t from_ld, int rows, int columns, float* to,
                  std::size_t to_ld) {
  for (int j = 0; j < columns; ++j, from += from_ld, to += to_ld) std::copy_n(from, rows, to);
}

}  // namespace

Panel::Panel(const Matrix& matrix, int number, float* storage)
    : index(number),
      first(number * matrix.NB),
      width(std::min(matrix.NB, matrix.N - first)),
      p(matrix.row.owner(first)),
      q(matrix.column.owner(first)),
      below(matrix.rows - matrix.row.local_count(first + width, matrix.p)),
      first_row(matrix.rows - below),
      first_column(matrix.column.local_count(first + width, matrix.q)),
      ld(leading_dimension(below)),
      memory_(storage) {}

std::size_t Panel::floats(const Matrix& matrix) {
  const auto width = static_cast<std::size_t>(std::min(matrix.NB, matrix.N));
  return width * (width + leading_dimension(matrix.rows));
}

kernel::PanelMessage Panel::message() const {
  return {.data = memory_,
          .count = static_cast<int>(static_cast<std::size_t>(width) * (width + ld)),
          .type = MPI_FLOAT,
          .root = q,
          .index = index};
}

void factor(const Grid& grid, const Matrix& matrix, const Panel& panel) {
  const int ld = static_cast<int>(matrix.ld);
  const int column = panel.first_column - panel.width;
  if (grid.p == panel.p) {
    float* block = matrix.at(panel.first_row - panel.width, column);
    factor_block(block, ld, panel.width);
    copy_columns(block, matrix.ld, panel.width, panel.width, panel.diagonal(), panel.width);
  }
  if (grid.P > 1) MPI_Bcast(panel.diagonal(), panel.width * panel.width, MPI_FLOAT, panel.p, grid.column);
  if (panel.below == 0) return;
  float* below = matrix.at(panel.first_row, column);
  solve_by_U({panel.diagonal(), panel.width, panel.width}, {below, ld, panel.below, panel.width});
  copy_columns(below, matrix.ld, panel.below, panel.width, panel.L(), panel.ld);
}

namespace {

constexpr int kBlock = 32;
/// Columns of B, or rows of A, that stay in a core's cache from the first block to the last.
constexpr int kCached = 256;

/// The inverses of the blocks on the diagonal of L or U, one after the other, each by columns.
std::vector<float> inverses(const DiagonalBlock& block, CBLAS_UPLO part) {
  std::vector<float> all(static_cast<std::size_t>(block.width) * kBlock);
  for (int i = 0; i < block.width; i += kBlock) {
    const int width = std::min(kBlock, block.width - i);
    float* inverse = all.data() + static_cast<std::size_t>(i) * kBlock;
    for (int k = 0; k < width; ++k) inverse[k * width + k] = 1.0F;
    cblas_strsm(CblasColMajor, CblasLeft, part, CblasNoTrans, part == CblasLower ? CblasUnit : CblasNonUnit,
                width, width, 1.0F, block.data + static_cast<std::size_t>(i) * block.ld + i, block.ld,
                inverse, width);
  }
  return all;
}

void copy(const Part& from, float* to) {
  for (int j = 0; j < from.columns; ++j)
    std::copy_n(from.data + static_cast<std::size_t>(j) * from.ld, from.rows,
                to + static_cast<std::size_t>(j) * from.rows);
}

/// C := beta C + alpha A B.
void multiply(float alpha, const float* A, int lda, const float* B, int ldb, int depth, float beta,
              const Part& C) {
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, C.rows, C.columns, depth, alpha, A, lda, B, ldb,
              beta, C.data, C.ld);
}

}  // namespace

void solve_by_L(const DiagonalBlock& block, const Part& B) {
  const std::vector<float> inverse = inverses(block, CblasLower);
  std::vector<float> before(static_cast<std::size_t>(kBlock) * kCached);
  for (int j = 0; j < B.columns; j += kCached) {
    float* slice = B.data + static_cast<std::size_t>(j) * B.ld;
    const int columns = std::min(kCached, B.columns - j);
    for (int i = 0; i < block.width; i += kBlock) {
      const int width = std::min(kBlock, block.width - i);
      const Part rows{slice + i, B.ld, width, columns};
      if (i > 0) multiply(-1.0F, block.data + i, block.ld, slice, B.ld, i, 1.0F, rows);
      copy(rows, before.data());
      multiply(1.0F, inverse.data() + static_cast<std::size_t>(i) * kBlock, width, before.data(), width,
               width, 0.0F, rows);
    }
  }
}

void solve_by_U(const DiagonalBlock& block, const Part& A) {
  const std::vector<float> inverse = inverses(block, CblasUpper);
  std::vector<float> before(static_cast<std::size_t>(kBlock) * kCached);
  for (int i = 0; i < A.rows; i += kCached) {
    float* slice = A.data + i;
    const int rows = std::min(kCached, A.rows - i);
    for (int j = 0; j < block.width; j += kBlock) {
      const int width = std::min(kBlock, block.width - j);
      const std::size_t column = static_cast<std::size_t>(j);
      const Part columns{slice + column * A.ld, A.ld, rows, width};
      if (j > 0) multiply(-1.0F, slice, A.ld, block.data + column * block.ld, block.ld, j, 1.0F, columns);
      copy(columns, before.data());
      multiply(1.0F, before.data(), rows, inverse.data() + column * kBlock, width, width, 0.0F, columns);
    }
  }
}

}  // namespace hpl_mxp
