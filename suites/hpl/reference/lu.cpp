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

}  // namespace

LU::LU(const Grid& grid, const Matrix& matrix)
    : grid_(grid),
      matrix_(matrix),
      panels_((matrix.N + matrix.NB - 1) / matrix.NB),
      broadcast_{RingBroadcast(grid), RingBroadcast(grid)} {}

bool LU::allocate() {
  for (Buffer& buffer : memory_) buffer = Buffer(Panel::doubles(matrix_));
  const int width = std::min(matrix_.NB, matrix_.N);
  for (int i = 0; i < 2; ++i)
    swap_.emplace_back(grid_, matrix_, width, std::min(kTravellingColumns, matrix_.columns));
  return memory_[0] && memory_[1];
}

void LU::factor() {
  if (panels_ > 0) {
    const Panel first = panel(0);
    if (grid_.q == first.q) {
      load(matrix_, first);
      hpl::factor(grid_, matrix_, first);
    }
    broadcast_[0].start(first);
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
      broadcast_[next.index % 2].start(next);
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

/// Exchanges rows, solves for U and multiplies, by slices. With several process rows the rows of one slice
/// travel under the product of the slice before; with one, nothing travels and a single product is faster.
void LU::update(const Panel& panel, const Permutation& permutation, Columns columns) {
  const bool travels = grid_.P > 1;
  const int width = travels ? kTravellingColumns : kCachedColumns;
  const auto slice = [&](int begin) { return Columns{begin, std::min(columns.end, begin + width)}; };
  if (columns.count() == 0) return;
  swap_[0].start(panel, permutation, slice(columns.begin));
  for (int begin = columns.begin, i = 0; begin < columns.end; begin += width, i ^= 1) {
    const Columns here = slice(begin);
    if (travels && here.end < columns.end) swap_[i ^ 1].start(panel, permutation, slice(here.end));
    const RowsOfU U = solve_U(panel, permutation, swap_[i], here);
    if (travels) multiply(panel, here, U);
    if (!travels && here.end < columns.end) swap_[i ^ 1].start(panel, permutation, slice(here.end));
  }
  if (!travels) multiply(panel, columns, {matrix_.at(panel.first_row, columns.begin), matrix_.ld});
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
