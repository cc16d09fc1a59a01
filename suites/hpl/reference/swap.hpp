#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "suites/hpl/reference/matrix.hpp"
#include "suites/hpl/reference/panel.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl {

/// Local columns [begin, end).
struct Columns {
  int begin = 0;
  int end = 0;
  [[nodiscard]] int count() const { return end - begin; }
  /// The first `width` of them, or all.
  [[nodiscard]] Columns first(int width) const { return {begin, std::min(end, begin + width)}; }
  /// The slice that follows `slice`; empty at the end.
  [[nodiscard]] Columns after(Columns slice, int width) const { return Columns{slice.end, end}.first(width); }
};

/// The rows of U to be, `panel.width` rows of a slice's columns.
struct RowsOfU {
  double* data = nullptr;
  std::size_t ld = 0;
};

/// What the exchanges of one panel amount to: which row each row of U comes from, and where the rows
/// that it displaces go.
class Permutation {
 public:
  explicit Permutation(const Panel& panel);

  struct Move {
    int from;  ///< global row in the diagonal block
    int to;    ///< global row below it
  };
  std::vector<int> source;      ///< global row that becomes row first + i
  std::vector<Move> displaced;  ///< in the order of `to`
};

/// Exchanges the rows of one slice of columns after a panel's pivots. With one process row that is done
/// in place. Otherwise every process row needs all of U: `start` sends, `finish` puts in place, and the
/// update of another slice may run between them. One such object carries one slice at a time.
class RowSwap {
 public:
  /// For slices of up to `widest` columns.
  RowSwap(const Grid& grid, const Matrix& matrix, int widest);
  /// Memory that it takes.
  static std::size_t doubles(const Grid& grid, const Matrix& matrix, int widest);

  void start(const Panel& panel, const Permutation& permutation, Columns slice);
  /// Lets MPI move what `start` sent.
  void progress();
  /// U of the slice before its triangular solve: in the matrix with one process row, else a copy.
  RowsOfU finish(const Panel& panel, const Permutation& permutation);

 private:
  /// Sizes and places, in doubles, of one message for each process row. MPI reads them until it is done.
  struct Parts {
    void reset(int processes);
    void lay_out();
    std::vector<int> count;
    std::vector<int> place;
  };

  void in_place(const Panel& panel) const;
  void gather_U(const Permutation& permutation);
  void scatter_displaced(const Panel& panel, const Permutation& permutation);
  void copy_in(int global_row, const double* from) const;
  double* copy_out(int global_row, double* to) const;

  const Grid& grid_;
  const Matrix& matrix_;
  Columns slice_;
  std::vector<double> mine_;      ///< rows of U that this process row holds
  std::vector<double> gathered_;  ///< those of all process rows, one process row after the other
  std::vector<double> U_;
  std::vector<double> leaving_;   ///< displaced rows, by destination; in the diagonal block's process row
  std::vector<double> arriving_;  ///< those for this process row
  Parts gather_;
  Parts scatter_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

}  // namespace hpl
