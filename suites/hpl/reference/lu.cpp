#include "suites/hpl/reference/lu.hpp"

#include <cblas.h>

#include <algorithm>

namespace hpl {
namespace {

/// Width of a slice whose rows travel under the product of the slice before it.
constexpr int kTravellingColumns = 2048;
/// Width of a slice of U that stays in a core's cache from the exchange of its rows to its solution.
constexpr int kCachedColumns = 512;
/// Rows that are updated between two looks at the messages under way.
constexpr int kRowsPerLook = 2048;

/// The widest slice there is: the next panel's columns are one slice.
int widest_slice(const Matrix& matrix) {
  return std::max(kTravellingColumns, matrix.NB);
}

kernel::PanelMessage message(const Panel& panel) {
  return {.data = panel.memory(),
          .count = static_cast<int>(panel.message()),
          .type = MPI_DOUBLE,
          .root = panel.q,
          .index = panel.index};
}

}  // namespace

LU::LU(const Grid& grid, const Matrix& matrix)
    : grid_(grid),
      matrix_(matrix),
      panels_((matrix.N + matrix.NB - 1) / matrix.NB),
      broadcast_{RingBroadcast(grid), RingBroadcast(grid)} {}

std::size_t LU::doubles() const {
  return 2 * (Panel::doubles(matrix_) + RowSwap::doubles(grid_, matrix_, widest_slice(matrix_)));
}

bool LU::allocate() {
  for (auto& buffer : memory_) buffer = kernel::Buffer<double>(Panel::doubles(matrix_));
  for (int i = 0; i < 2; ++i) swap_.emplace_back(grid_, matrix_, widest_slice(matrix_));
  return memory_[0] && memory_[1];
}

void LU::factor() {
  if (panels_ > 0) {
    const Panel first = panel(0);
    if (grid_.q == first.q) {
      load(matrix_, first);
      hpl::factor(grid_, matrix_, first);
    }
    broadcast_[0].start(message(first));
  }
  for (int k = 0; k < panels_; ++k) {
    const Panel current = panel(k);
    broadcast_[k % 2].wait();
    const Permutation permutation(current);
    Columns rest{current.first_column, matrix_.columns};
    if (k + 1 < panels_) {
      const Panel next = panel(k + 1);
      broadcast_[next.index % 2].finish();
      if (grid_.q == next.q) {
        look_ahead(current, permutation, next);
        rest.begin = next.first_column;
      }
      broadcast_[next.index % 2].start(message(next));
    }
    update(current, permutation, rest);
  }
  for (RingBroadcast& broadcast : broadcast_) broadcast.finish();
}

Panel LU::panel(int index) const {
  return {matrix_, index, memory_[index % 2].data()};
}

/// Updates the next panel's columns and factors them. They are updated where they are factored, by columns: a
/// product this narrow is a third faster that way round.
void LU::look_ahead(const Panel& current, const Permutation& permutation, const Panel& next) {
  const Columns columns{current.first_column, next.first_column};
  swap_[0].start(current, permutation, columns);
  const RowsOfU U = solve_U(current, permutation, swap_[0], columns);
  load(matrix_, next);
  if (next.rows > 0)
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, next.rows, next.width, current.width, -1.0,
                current.L() + current.top, static_cast<int>(current.ld), U.data, static_cast<int>(U.ld), 1.0,
                next.L(), static_cast<int>(next.ld));
  hpl::factor(grid_, matrix_, next);
}

void LU::update(const Panel& panel, const Permutation& permutation, Columns columns) {
  if (columns.count() == 0) return;
  if (grid_.P == 1)
    update_in_place(panel, permutation, columns);
  else
    update_travelling(panel, permutation, columns);
}

/// With one process row no row travels: U is made slice by slice within the cache, and one product is faster
/// than one for each slice.
void LU::update_in_place(const Panel& panel, const Permutation& permutation, Columns columns) {
  for (Columns slice = columns.first(kCachedColumns); slice.count() > 0;
       slice = columns.after(slice, kCachedColumns)) {
    swap_[0].start(panel, permutation, slice);
    solve_U(panel, permutation, swap_[0], slice);
  }
  multiply(panel, columns, {.data = matrix_.at(panel.first_row, columns.begin), .ld = matrix_.ld});
}

/// With several, the rows of one slice travel under the product of the slice before it.
void LU::update_travelling(const Panel& panel, const Permutation& permutation, Columns columns) {
  Columns slice = columns.first(kTravellingColumns);
  swap_[0].start(panel, permutation, slice);
  for (std::size_t i = 0; slice.count() > 0; i ^= 1) {
    const Columns next = columns.after(slice, kTravellingColumns);
    if (next.count() > 0) swap_[i ^ 1].start(panel, permutation, next);
    multiply(panel, slice, solve_U(panel, permutation, swap_[i], slice));
    slice = next;
  }
}

/// U of a slice whose rows are being exchanged by `swap`; stored in the matrix where its rows belong.
RowsOfU LU::solve_U(const Panel& panel, const Permutation& permutation, RowSwap& swap, Columns slice) {
  const RowsOfU U = swap.finish(panel, permutation);
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, panel.width, slice.count(), 1.0,
              panel.L1(), panel.width, U.data, static_cast<int>(U.ld));
  if (grid_.P > 1 && grid_.p == panel.p)
    for (int i = 0; i < panel.width; ++i)
      std::copy_n(U.data + i * U.ld, slice.count(), matrix_.at(panel.first_row + i, slice.begin));
  return U;
}

/// Subtracts L times U from what is right of the panel and below U.
void LU::multiply(const Panel& panel, Columns columns, RowsOfU U) {
  for (int row = panel.top; row < panel.rows; row += kRowsPerLook) {
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, std::min(kRowsPerLook, panel.rows - row),
                columns.count(), panel.width, -1.0, panel.L() + row, static_cast<int>(panel.ld), U.data,
                static_cast<int>(U.ld), 1.0, matrix_.at(panel.first_row + row, columns.begin),
                static_cast<int>(matrix_.ld));
    progress();
  }
}

void LU::progress() {
  for (RingBroadcast& broadcast : broadcast_) broadcast.progress();
  for (RowSwap& swap : swap_) swap.progress();
}

}  // namespace hpl
