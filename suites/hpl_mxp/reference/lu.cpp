#include "suites/hpl_mxp/reference/lu.hpp"

#include <cblas.h>

#include <algorithm>

#include "suites/hpl_mxp/reference/panel.hpp"

namespace hpl_mxp {
namespace {

/// Width of a slice whose rows of U travel under the product of the slice before it.
constexpr int kTravellingColumns = 2048;
/// Rows that are updated between two looks at the messages under way.
constexpr int kRowsPerLook = 4096;

}  // namespace

LU::LU(const Grid& grid, const Matrix& matrix)
    : grid_(grid),
      matrix_(matrix),
      panels_((matrix.N + matrix.NB - 1) / matrix.NB),
      broadcast_{kernel::RingBroadcast(grid), kernel::RingBroadcast(grid)} {}

std::size_t LU::floats() const {
  const std::size_t U = grid_.P == 1 ? 0 : static_cast<std::size_t>(matrix_.NB) * kTravellingColumns;
  return 2 * (Panel::floats(matrix_) + U);
}

bool LU::allocate() {
  for (auto& memory : memory_) {
    memory = kernel::Buffer<float>(Panel::floats(matrix_));
    if (!memory) return false;
  }
  if (grid_.P == 1) return true;
  for (auto& memory : U_) {
    memory = kernel::Buffer<float>(static_cast<std::size_t>(matrix_.NB) * kTravellingColumns);
    if (!memory) return false;
  }
  return true;
}

void LU::factor() {
  const Panel first = panel(0);
  if (grid_.q == first.q) hpl_mxp::factor(grid_, matrix_, first);
  broadcast_[0].start(first.message());
  for (int k = 0; k < panels_; ++k) {
    const Panel current = panel(k);
    broadcast_[k % 2].wait();
    Columns rest{current.first_column, matrix_.columns};
    if (k + 1 < panels_) {
      const Panel next = panel(k + 1);
      kernel::RingBroadcast& broadcast = broadcast_[next.index % 2];
      broadcast.finish();
      if (grid_.q == next.q) {
        update(current, {rest.begin, next.first_column});
        hpl_mxp::factor(grid_, matrix_, next);
        rest.begin = next.first_column;
      }
      broadcast.start(next.message());
    }
    update(current, rest);
  }
  for (kernel::RingBroadcast& broadcast : broadcast_) broadcast.finish();
}

Panel LU::panel(int index) const {
  return {matrix_, index, memory_[index % 2].data()};
}

void LU::update(const Panel& panel, Columns columns) {
  if (columns.count() == 0) return;
  if (grid_.P > 1) return update_travelling(panel, columns);
  solve_U(panel, columns);
  const RowsOfU U{.data = matrix_.at(panel.first_row - panel.width, columns.begin),
                  .ld = static_cast<int>(matrix_.ld)};
  MPI_Request none = MPI_REQUEST_NULL;
  multiply(panel, columns, U, none);
}

// The requests are started in one call and awaited in another, which clang's MPI checker can't follow.
// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)

/// With several process rows, those of U of one slice travel under the product of the slice before it.
void LU::update_travelling(const Panel& panel, Columns columns) {
  const auto slice_from = [&](int begin) {
    return Columns{begin, std::min(columns.end, begin + kTravellingColumns)};
  };
  Columns slice = slice_from(columns.begin);
  std::array<RowsOfU, 2> U{};
  U[0] = send_U(panel, slice, U_[0].data());
  for (std::size_t i = 0; slice.count() > 0; i ^= 1) {
    const Columns next = slice_from(slice.end);
    if (next.count() > 0) U[i ^ 1] = send_U(panel, next, U_[i ^ 1].data());
    MPI_Wait(&U[i].request, MPI_STATUS_IGNORE);
    multiply(panel, slice, U[i], U[i ^ 1].request);
    slice = next;
  }
}

/// Turns the slice's rows beside the diagonal block into rows of U, where they are.
void LU::solve_U(const Panel& panel, Columns slice) const {
  solve_by_L({panel.diagonal(), panel.width, panel.width},
             {matrix_.at(panel.first_row - panel.width, slice.begin), static_cast<int>(matrix_.ld),
              panel.width, slice.count()});
}

/// Rows of U for the slice, on their way down the process columns to `copy`.
LU::RowsOfU LU::send_U(const Panel& panel, Columns slice, float* copy) const {
  if (grid_.p == panel.p) {
    solve_U(panel, slice);
    for (int j = 0; j < slice.count(); ++j)
      std::copy_n(matrix_.at(panel.first_row - panel.width, slice.begin + j), panel.width,
                  copy + static_cast<std::size_t>(j) * panel.width);
  }
  RowsOfU U{.data = copy, .ld = panel.width};
  MPI_Ibcast(copy, panel.width * slice.count(), MPI_FLOAT, panel.p, grid_.column, &U.request);
  return U;
}

// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

/// Subtracts L times U from what is below the panel's diagonal block, and looks after the messages meanwhile.
void LU::multiply(const Panel& panel, Columns slice, const RowsOfU& U, MPI_Request& travelling) {
  for (int row = 0; row < panel.below; row += kRowsPerLook) {
    cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, std::min(kRowsPerLook, panel.below - row),
                slice.count(), panel.width, -1.0F, panel.L() + row, static_cast<int>(panel.ld), U.data, U.ld,
                1.0F, matrix_.at(panel.first_row + row, slice.begin), static_cast<int>(matrix_.ld));
    progress(travelling);
  }
}

void LU::progress(MPI_Request& travelling) {
  for (kernel::RingBroadcast& broadcast : broadcast_) broadcast.progress();
  int done = 0;
  if (travelling != MPI_REQUEST_NULL) MPI_Test(&travelling, &done, MPI_STATUS_IGNORE);
}

}  // namespace hpl_mxp
