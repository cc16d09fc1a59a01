#include "suites/hpl/reference/broadcast.hpp"

namespace hpl {

// The requests are started in one call and awaited in another, which clang's MPI checker can't follow.
// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)

void RingBroadcast::start(const Panel& panel) {
  data_ = panel.memory();
  count_ = static_cast<int>(panel.message());
  root_ = panel.q;
  tag_ = panel.index % 2;
  if (grid_.q == root_)
    pass_on();
  else
    MPI_Irecv(data_, count_, MPI_DOUBLE, (grid_.q + grid_.Q - 1) % grid_.Q, tag_, grid_.row, &receive_);
}

void RingBroadcast::pass_on() {
  const int next = (grid_.q + 1) % grid_.Q;
  if (next != root_) MPI_Isend(data_, count_, MPI_DOUBLE, next, tag_, grid_.row, &send_);
}

void RingBroadcast::progress() {
  int done = 0;
  if (receive_ != MPI_REQUEST_NULL) {
    MPI_Test(&receive_, &done, MPI_STATUS_IGNORE);
    if (done) pass_on();
  } else if (send_ != MPI_REQUEST_NULL) {
    MPI_Test(&send_, &done, MPI_STATUS_IGNORE);
  }
}

void RingBroadcast::wait() {
  if (receive_ == MPI_REQUEST_NULL) return;
  MPI_Wait(&receive_, MPI_STATUS_IGNORE);
  pass_on();
}

void RingBroadcast::finish() {
  wait();
  MPI_Wait(&send_, MPI_STATUS_IGNORE);
}

// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

}  // namespace hpl
