#pragma once
#include <mpi.h>

namespace kernel {

enum class Mapping { row_major, column_major };

/// A P x Q process grid and this rank's place in it. `all` holds its P*Q ranks, `row` the Q ranks of
/// this process row (numbered by column), `column` the P ranks of this process column (numbered by
/// row), `node` those that share this node's memory. A rank outside the grid has `all == MPI_COMM_NULL`.
class Grid {
 public:
  /// Collective over MPI_COMM_WORLD, whose size must be at least P*Q.
  Grid(int rows, int columns, Mapping mapping);
  ~Grid();
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  [[nodiscard]] bool contains_me() const { return all != MPI_COMM_NULL; }
  [[nodiscard]] bool first() const { return p == 0 && q == 0; }

  int P;
  int Q;
  int p = -1;
  int q = -1;
  Mapping mapping;
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Comm row = MPI_COMM_NULL;
  MPI_Comm column = MPI_COMM_NULL;
  MPI_Comm node = MPI_COMM_NULL;
};

/// One dimension of the two-dimensional block-cyclic distribution: global index g lies in block g / NB,
/// and block k belongs to process k mod `procs`. Rows use it with P, columns with Q.
///
/// Source: A. Petitet et al., HPL algorithm, netlib.org/benchmark/hpl/algorithm.html.
struct BlockCyclic {
  int NB = 1;
  int procs = 1;

  [[nodiscard]] int owner(int global) const { return (global / NB) % procs; }

  /// How many global indices below `end` process `me` holds; this is also the local index of the
  /// first global index >= `end` that it holds.
  [[nodiscard]] int local_count(int end, int me) const {
    const int blocks = end / NB;
    int count = (blocks / procs) * NB;
    if (me < blocks % procs) count += NB;
    if (me == blocks % procs) count += end % NB;
    return count;
  }

  /// Local index of `global` at its owner.
  [[nodiscard]] int local(int global) const { return (global / NB / procs) * NB + global % NB; }

  [[nodiscard]] int global(int local_index, int me) const {
    return ((local_index / NB) * procs + me) * NB + local_index % NB;
  }
};

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
