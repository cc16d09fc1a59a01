#pragma once

#include <vector>

#include "suites/hpl/reference/panel.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl {

/// The largest entry of a column: its absolute value and local row in the panel, -1 where no row is left.
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
