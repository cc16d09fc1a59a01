#include "suites/hpl/reference/panel.hpp"

#include <cblas.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "suites/hpl/reference/pivot.hpp"

#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define HPL_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HPL_VECTOR_CLONES
#endif

namespace hpl {
namespace {

constexpr int kLeafColumns = 8;
constexpr int kLanes = 8;

std::size_t panel_ld(int rows) {
  constexpr std::size_t line = 8;
  return ((static_cast<std::size_t>(rows) + line - 1) / line | 1) * line;
}

HPL_VECTOR_CLONES
double largest_magnitude(const double* x, int n) {
  std::array<double, kLanes> lane{};
  int i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int l = 0; l < kLanes; ++l) {
      const double value = std::fabs(x[i + l]);
      lane[l] = value > lane[l] ? value : lane[l];
    }
  for (; i < n; ++i) lane[0] = std::max(lane[0], std::fabs(x[i]));
  return *std::max_element(lane.begin(), lane.end());
}

/// By the reciprocal, which is several times faster, unless that would overflow.
void divide(double* x, int n, double pivot) {
  const double reciprocal = 1 / pivot;
  if (std::isfinite(reciprocal))
    cblas_dscal(n, reciprocal, x, 1);
  else
    std::for_each(x, x + n, [pivot](double& value) { value /= pivot; });
}

/// y -= factor x, and the largest magnitude of the new y.
HPL_VECTOR_CLONES
double subtract_multiple(double factor, const double* __restrict x, double* __restrict y, int n) {
  std::array<double, kLanes> lane{};
  int i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int l = 0; l < kLanes; ++l) {
      y[i + l] -= factor * x[i + l];
      const double value = std::fabs(y[i + l]);
      lane[l] = value > lane[l] ? value : lane[l];
    }
  for (; i < n; ++i) {
    y[i] -= factor * x[i];
    lane[0] = std::max(lane[0], std::fabs(y[i]));
  }
  return *std::max_element(lane.begin(), lane.end());
}

class Factorisation {
 public:
  Factorisation(const Grid& grid, const Matrix& matrix, const Panel& panel)
      : panel_(panel), exchange_(grid, matrix, panel) {}

  void columns(int first, int end) {
    if (end - first <= kLeafColumns) return leaf(first, end);
    const int leaves = (end - first + kLeafColumns - 1) / kLeafColumns;
    const int middle = first + leaves / 2 * kLeafColumns;
    columns(first, middle);
    update(first, middle, end);
    columns(middle, end);
  }

 private:
  double* L(int row, int column) const {
    return panel_.L() + static_cast<std::size_t>(column) * panel_.ld + row;
  }
  double* L1(int row, int column) const {
    return panel_.L1() + static_cast<std::size_t>(row) * panel_.width + column;
  }
  /// The first row that has not been a pivot row after `columns` columns.
  [[nodiscard]] int active(int columns) const { return std::min(columns, panel_.top); }

  /// Applies columns [first, middle) to columns [middle, end).
  void update(int first, int middle, int end) {
    const int row = active(middle);
    const int ld = static_cast<int>(panel_.ld);
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, middle - first, end - middle,
                1.0, L1(first, first), panel_.width, L1(first, middle), panel_.width);
    if (panel_.rows > row)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, panel_.rows - row, end - middle, middle - first,
                  -1.0, L(row, first), ld, L1(first, middle), panel_.width, 1.0, L(row, middle), ld);
  }

  /// Columns [first, end) one by one; each is applied at once to the rest of them.
  void leaf(int first, int end) {
    double magnitude = largest_magnitude(L(active(first), first), panel_.rows - active(first));
    for (int j = first; j < end; ++j) {
      exchange_(j, find(magnitude, j));
      const int row = active(j + 1);
      const int n = panel_.rows - row;
      const double pivot = *L1(j, j);
      if (pivot != 0) divide(L(row, j), n, pivot);
      for (int c = end - 1; c > j; --c) magnitude = subtract_multiple(*L1(j, c), L(row, j), L(row, c), n);
    }
  }

  /// The first active row of column j whose entry has that magnitude; where it is nan, any.
  [[nodiscard]] Candidate find(double magnitude, int j) const {
    const int begin = active(j);
    if (begin >= panel_.rows) return {};
    for (int i = begin; i < panel_.rows; ++i)
      if (std::fabs(*L(i, j)) == magnitude) return {magnitude, i};
    return {0, begin};
  }

  const Panel& panel_;
  PivotExchange exchange_;
};

}  // namespace

Panel::Panel(const Matrix& matrix, int number, double* storage)
    : index(number),
      first(number * matrix.NB),
      width(std::min(matrix.NB, matrix.N - first)),
      p(matrix.row.owner(first)),
      q(matrix.column.owner(first)),
      top(p == matrix.p ? width : 0),
      rows(matrix.rows - matrix.row.local_count(first, matrix.p)),
      first_row(matrix.rows - rows),
      first_column(matrix.column.local_count(first + width, matrix.q)),
      ld(panel_ld(rows)),
      memory_(storage) {}

std::size_t Panel::doubles(const Matrix& matrix) {
  const auto width = static_cast<std::size_t>(std::min(matrix.NB, matrix.N));
  return width * (1 + width + panel_ld(matrix.rows));
}

void load(const Matrix& matrix, const Panel& panel) {
  constexpr int stripe = 8;  // rows of one cache line of a column
  const int first_column = panel.first_column - panel.width;
  for (int i = 0; i < panel.rows; i += stripe) {
    const int end = std::min(panel.rows, i + stripe);
    for (int c = 0; c < panel.width; ++c) {
      double* to = panel.L() + static_cast<std::size_t>(c) * panel.ld;
      const double* from = matrix.at(panel.first_row + i, first_column + c);
      for (int r = i; r < end; ++r, from += matrix.ld) to[r] = *from;
    }
  }
}

void factor(const Grid& grid, const Matrix& matrix, const Panel& panel) {
  Factorisation(grid, matrix, panel).columns(0, panel.width);
  for (int i = 0; i < panel.top; ++i) {
    const double* row = panel.L1() + static_cast<std::size_t>(i) * panel.width;
    std::copy_n(row, panel.width, matrix.at(panel.first_row + i, panel.first_column - panel.width));
  }
}

}  // namespace hpl
