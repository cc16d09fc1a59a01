#include "suites/hpl_mxp/reference/panel.hpp"

#include <cblas.h>
#include <mpi.h>

#include <algorithm>

#include "suites/hpl_mxp/reference/triangle.hpp"

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

}  // namespace hpl_mxp
