#include "suites/hpl/reference/pivot.hpp"

#include <algorithm>
#include <cstring>

namespace hpl {
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
