#pragma once

#include <mpi.h>

#include "suites/kernel/grid.hpp"

namespace kernel {

/// A factored panel of a matrix, as it travels along its process row.
struct PanelMessage {
  void* data = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DOUBLE;
  int root = 0;   ///< the panel's process column
  int index = 0;  ///< the panel's number
};

/// The way of one factored panel along its process row: a ring that starts at the panel's process
/// column, so that the next column, which factors the next panel, has it first. Only `wait` and
/// `finish` block; between pieces of the update `progress` forwards what has arrived.
class RingBroadcast {
 public:
  explicit RingBroadcast(const Grid& grid) : grid_(grid) {}
  ~RingBroadcast() { finish(); }
  RingBroadcast(const RingBroadcast&) = delete;
  RingBroadcast& operator=(const RingBroadcast&) = delete;

  /// In the panel's process column it must be factored; elsewhere its memory is written until `wait`
  /// returns. The panel before it must be finished.
  void start(const PanelMessage& panel);
  void progress();
  /// Until the panel is here and on its way to the next process column.
  void wait();
  /// Until the panel's memory may serve another panel.
  void finish();

 private:
  void failure_of();

  const Grid& grid_;
  PanelMessage panel_;
  MPI_Request receive_ = MPI_REQUEST_NULL;
  MPI_Request send_ = MPI_REQUEST_NULL;
};

}  // namespace kernel
