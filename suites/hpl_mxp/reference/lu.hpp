#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>

#include "suites/hpl_mxp/reference/panel.hpp"
#include "suites/hpl_mxp/reference/system.hpp"
#include "suites/kernel/buffer.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl_mxp {

/// Local columns [begin, end).
struct Columns {
  int begin = 0;
  int end = 0;
  [[nodiscard]] int count() const { return end - begin; }
};

/// Right-looking block LU factorisation in FP32 without pivoting, in place, and with a look-ahead of one
/// panel: the columns of the next panel are updated first, so that it is factored and on its way to the other
/// process columns while all of them still update the rest.
class LU {
 public:
  LU(const Grid& grid, const Matrix& matrix);

  /// Numbers of working memory on this rank.
  [[nodiscard]] std::size_t floats() const;
  /// False where the memory is not to be had.
  bool allocate();
  /// Collective over the grid.
  void factor();

 private:
  /// Rows of U for a slice of columns: in the matrix with one process row, else a copy that travels.
  struct RowsOfU {
    float* data = nullptr;
    int ld = 0;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  [[nodiscard]] Panel panel(int index) const;
  void update(const Panel& panel, Columns columns);
  void update_travelling(const Panel& panel, Columns columns);
  void solve_U(const Panel& panel, Columns slice) const;
  RowsOfU send_U(const Panel& panel, Columns slice, float* copy) const;
  void multiply(const Panel& panel, Columns slice, const RowsOfU& U, MPI_Request& travelling);
  void progress(MPI_Request& travelling);

  const Grid& grid_;
  const Matrix& matrix_;
  int panels_;
  std::array<kernel::Buffer<float>, 2> memory_;  ///< panel k lies in memory k mod 2
  std::array<kernel::Buffer<float>, 2> U_;       ///< of the slice in hand and of the next one
  std::array<kernel::RingBroadcast, 2> broadcast_;
};

}  // namespace hpl_mxp
