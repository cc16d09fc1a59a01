#pragma once
#include <cstddef>
#include <vector>

#include "suites/hpl/reference/matrix.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl {

/// One panel of columns [first, first + width), factored: what its process column computes and every
/// other process column needs for the update. One piece of memory, so that it travels as one message:
///
///   pivots  width numbers: global row that was exchanged with global row first + i
///   L1      width x width by rows, L (unit diagonal) and U of the diagonal block, in every process row
///   L       rows x width by columns: this process row's rows >= first. In the process row that
///           holds the diagonal block its first `top` rows are spent.
struct Panel {
  /// Describes panel number `index` as this rank sees it, in `memory` of at least `doubles()`.
  Panel(const Matrix& matrix, int index, double* memory);
  /// Room for any panel of this matrix on this rank.
  static std::size_t doubles(const Matrix& matrix);

  [[nodiscard]] std::size_t message() const { return static_cast<std::size_t>(width) * (1 + width + ld); }
  [[nodiscard]] double* memory() const { return memory_; }
  [[nodiscard]] double* pivots() const { return memory_; }
  [[nodiscard]] double* L1() const { return memory_ + width; }
  [[nodiscard]] double* L() const { return memory_ + static_cast<std::size_t>(width) * (1 + width); }

  int index;
  int first;
  int width;
  int p;             ///< process row of the diagonal block
  int q;             ///< process column of the panel
  int top;           ///< local rows in the diagonal block: `width` in process row p, else 0
  int rows;          ///< local rows >= first, `top` included
  int first_row;     ///< local index of the first of them
  int first_column;  ///< local index of the first column right of the panel
  std::size_t ld;

 private:
  double* memory_;
};

/// Copies the panel's columns out of the matrix, rows becoming columns.
void load(const Matrix& matrix, const Panel& panel);

/// Factors the loaded panel with partial pivoting, recursively by halves of columns. Collective over the
/// process column `panel.q`. The pivots, L1 and L are then in the panel and U of the diagonal block in
/// `matrix`. An exactly singular column is not changed: the residual check then fails.
void factor(const Grid& grid, const Matrix& matrix, const Panel& panel);

/// The largest entry of a column: its absolute value and local row in the panel, -1 if no row remains.
struct Candidate {
  double magnitude = -1;
  int row = -1;
};

/// The exchange of a panel's pivot row with its current row, over a process column. With more than
/// one process row it is one reduction that finds the largest candidate and carries both rows.
class PivotExchange {
 public:
  PivotExchange(const Grid& grid, const Matrix& matrix, const Panel& panel);
  ~PivotExchange();
  PivotExchange(const PivotExchange&) = delete;
  PivotExchange& operator=(const PivotExchange&) = delete;

  /// Column `j` of the panel: the pivot row becomes row j of L1, the current row takes its place.
  void operator()(int j, Candidate mine);

 private:
  void locally(int j, Candidate mine);
  void across_rows(int j, Candidate mine);
  void copy_row(int row, double* to) const;
  void replace_row(int row, const double* from) const;

  const Grid& grid_;
  const Matrix& matrix_;
  const Panel& panel_;
  std::vector<double>
      message_;  ///< magnitude, global row, owner, has the current row; pivot row; current row
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op larger_ = MPI_OP_NULL;
};

}  // namespace hpl
