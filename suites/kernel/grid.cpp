#include "suites/kernel/grid.hpp"

#include <initializer_list>

namespace kernel {

Grid::Grid(int rows, int columns, Mapping order) : P(rows), Q(columns), mapping(order) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool inside = rank < P * Q;
  MPI_Comm_split(MPI_COMM_WORLD, inside ? 0 : MPI_UNDEFINED, rank, &all);
  if (!inside) return;
  p = mapping == Mapping::row_major ? rank / Q : rank % P;
  q = mapping == Mapping::row_major ? rank % Q : rank / P;
  MPI_Comm_split(all, p, q, &row);
  MPI_Comm_split(all, q, p, &column);
  MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
}

Grid::~Grid() {
  for (MPI_Comm* comm : {&all, &row, &column, &node})
    if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
}

// The requests are started in one call and awaited in another, which clang's MPI checker can't follow.
// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)

void RingBroadcast::start(const PanelMessage& panel) {
  panel_ = panel;
  if (grid_.q == panel_.root)
    failure_of();
  else
    MPI_Irecv(panel_.data, panel_.count, panel_.type, (grid_.q + grid_.Q - 1) % grid_.Q, panel_.index % 2,
              grid_.row, &receive_);
}

void RingBroadcast::failure_of() {
  const int next = (grid_.q + 1) % grid_.Q;
  if (next != panel_.root)
    MPI_Isend(panel_.data, panel_.count, panel_.type, next, panel_.index % 2, grid_.row, &send_);
}

void RingBroadcast::progress() {
  int done = 0;
  if (receive_ != MPI_REQUEST_NULL) {
    MPI_Test(&receive_, &done, MPI_STATUS_IGNORE);
    if (done) failure_of();
  } else if (send_ != MPI_REQUEST_NULL) {
    MPI_Test(&send_, &done, MPI_STATUS_IGNORE);
  }
}

void RingBroadcast::wait() {
  if (receive_ == MPI_REQUEST_NULL) return;
  MPI_Wait(&receive_, MPI_STATUS_IGNORE);
  failure_of();
}

void RingBroadcast::finish() {
  wait();
  MPI_Wait(&send_, MPI_STATUS_IGNORE);
}

// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

}  // namespace kernel
