#include "suites/hpl/reference/lu.hpp"

#include <cblas.h>

#include <algorithm>

namespace hpl {
namespace {

/// Width of a slice whose row exchange runs under the update of the slice before it.
constexpr int kSliceColumns = 2048;
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
    swap_.emplace_back(grid_, matrix_, width, std::min(kSliceColumns, matrix_.columns));
  return memory_[0] && memory_[1];
}

void LU::factor() {
  if (panels_ > 0) prepare(panel(0));
  for (int k = 0; k < panels_; ++k) {
    const Panel current = panel(k);
    broadcast_[k % 2].wait();
    const Permutation permutation(current);
    Columns rest{current.first_column, matrix_.columns};
    if (k + 1 < panels_) {
      const Panel next = panel(k + 1);
      if (grid_.q == next.q) {
        const Columns columns{rest.begin, rest.begin + next.width};
        update(current, permutation, columns);
        rest.begin = columns.end;
      }
      prepare(next);
    }
    update(current, permutation, rest);
  }
  for (RingBroadcast& broadcast : broadcast_) broadcast.finish();
}

Panel LU::panel(int index) const {
  return {matrix_, index, memory_[index % 2].data()};
}

/// Factors the panel where its columns are, and sends it on its way.
void LU::prepare(const Panel& next) {
  RingBroadcast& broadcast = broadcast_[next.index % 2];
  broadcast.finish();
  if (grid_.q == next.q) hpl::factor(grid_, matrix_, next);
  broadcast.start(next);
}

void LU::update(const Panel& panel, const Permutation& permutation, Columns columns) {
  std::vector<Columns> slices;
  for (int begin = columns.begin; begin < columns.end; begin += kSliceColumns)
    slices.push_back({begin, std::min(columns.end, begin + kSliceColumns)});
  if (slices.empty()) return;
  swap_[0].start(panel, permutation, slices[0]);
  for (std::size_t i = 0; i < slices.size(); ++i) {
    RowSwap& swap = swap_[i % 2];
    if (i + 1 < slices.size()) swap_[(i + 1) % 2].start(panel, permutation, slices[i + 1]);
    update_slice(panel, slices[i], swap.finish(panel, permutation));
  }
}

void LU::update_slice(const Panel& panel, Columns slice, RowsOfU U) {
  const int ld_U = static_cast<int>(U.ld);
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, panel.width, slice.count(), 1.0,
              panel.L1(), panel.width, U.data, ld_U);
  double* in_matrix = matrix_.at(panel.first_row, slice.begin);
  if (grid_.p == panel.p && U.data != in_matrix)
    for (int i = 0; i < panel.width; ++i)
      std::copy_n(U.data + i * U.ld, slice.count(), matrix_.at(panel.first_row + i, slice.begin));

  for (int row = panel.top; row < panel.rows;) {
    const int rows = grid_.P > 1 || broadcast_[0].in_flight() || broadcast_[1].in_flight()
                         ? std::min(kRowsPerLook, panel.rows - row)
                         : panel.rows - row;
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, rows, slice.count(), panel.width, -1.0,
                panel.L() + row, static_cast<int>(panel.ld), U.data, ld_U, 1.0,
                matrix_.at(panel.first_row + row, slice.begin), static_cast<int>(matrix_.ld));
    row += rows;
    progress();
  }
}

void LU::progress() {
  for (RingBroadcast& broadcast : broadcast_) broadcast.progress();
  for (RowSwap& swap : swap_) swap.progress();
}

}  // namespace hpl
