#include "suites/hpl/reference/panel.hpp"

#include <cblas.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

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

namespace {

enum Field { magnitude, global_row, owner, has_current, header };

/// Of two messages, the pivot row of the larger magnitude (the upper row of equals, so that the
/// choice doesn't depend on the order of reduction) and whichever current row there is.
void keep_larger(void* in, void* inout, int* /*count*/, MPI_Datatype* type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  const auto width = (static_cast<std::size_t>(bytes) / sizeof(double) - header) / 2;
  const auto* theirs = static_cast<const double*>(in);
  auto* ours = static_cast<double*>(inout);
  const bool upper = theirs[magnitude] == ours[magnitude] && theirs[global_row] < ours[global_row];
  if (theirs[magnitude] > ours[magnitude] || upper) {
    std::copy_n(theirs, has_current, ours);
    std::copy_n(theirs + header, width, ours + header);
  }
  if (theirs[has_current] != 0) {
    ours[has_current] = 1;
    std::copy_n(theirs + header + width, width, ours + header + width);
  }
}

}  // namespace

PivotExchange::PivotExchange(const Grid& grid, const Matrix& matrix, const Panel& panel)
    : grid_(grid), matrix_(matrix), panel_(panel) {
  if (grid.P == 1) return;
  message_.resize(header + 2 * static_cast<std::size_t>(panel.width));
  // One element of a derived type, so that no algorithm cuts a message into parts.
  MPI_Type_contiguous(static_cast<int>(message_.size()), MPI_DOUBLE, &type_);
  MPI_Type_commit(&type_);
  MPI_Op_create(keep_larger, 1, &larger_);
}

PivotExchange::~PivotExchange() {
  if (type_ == MPI_DATATYPE_NULL) return;
  MPI_Op_free(&larger_);
  MPI_Type_free(&type_);
}

void PivotExchange::operator()(int j, Candidate mine) {
  if (grid_.P == 1)
    locally(j, mine);
  else
    across_rows(j, mine);
}

void PivotExchange::locally(int j, Candidate mine) {
  double* pivot_row = panel_.L1() + static_cast<std::size_t>(j) * panel_.width;
  copy_row(mine.row, pivot_row);
  panel_.pivots()[j] = panel_.first + mine.row;
  if (mine.row == j) return;
  double* entry = panel_.L();
  for (int c = 0; c < panel_.width; ++c, entry += panel_.ld) entry[mine.row] = entry[j];
}

void PivotExchange::across_rows(int j, Candidate mine) {
  const auto width = static_cast<std::size_t>(panel_.width);
  double* message = message_.data();
  message[magnitude] = mine.magnitude;
  message[owner] = grid_.p;
  message[global_row] = -1;
  if (mine.row >= 0) {
    message[global_row] = matrix_.row.global(panel_.first_row + mine.row, grid_.p);
    copy_row(mine.row, message + header);
  }
  message[has_current] = grid_.p == panel_.p ? 1 : 0;
  if (grid_.p == panel_.p) copy_row(j, message + header + width);
  MPI_Allreduce(MPI_IN_PLACE, message, 1, type_, larger_, grid_.column);

  std::copy_n(message + header, width, panel_.L1() + static_cast<std::size_t>(j) * width);
  panel_.pivots()[j] = message[global_row];
  if (static_cast<int>(message[owner]) == grid_.p) replace_row(mine.row, message + header + width);
}

void PivotExchange::copy_row(int row, double* to) const {
  const double* entry = panel_.L() + row;
  for (int c = 0; c < panel_.width; ++c, entry += panel_.ld) to[c] = *entry;
}

void PivotExchange::replace_row(int row, const double* from) const {
  double* entry = panel_.L() + row;
  for (int c = 0; c < panel_.width; ++c, entry += panel_.ld) *entry = from[c];
}

}  // namespace hpl
