#include "suites/hpl/reference/matrix.hpp"

#include <algorithm>

#include "suites/kernel/random.hpp"

namespace hpl {

using kernel::Jump;
using kernel::random_state;
using kernel::uniform;
namespace {

/// An odd number of cache lines, so that rows start in all sets of the caches.
std::size_t leading_dimension(int columns) {
  constexpr std::size_t line = 8;
  const std::size_t lines = (static_cast<std::size_t>(columns) + line - 1) / line;
  return (lines | 1) * line;
}

}  // namespace

Matrix::Matrix(const Grid& grid, int order, int block)
    : N(order),
      NB(block),
      row{block, grid.P},
      column{block, grid.Q},
      p(grid.p),
      q(grid.q),
      rows(row.local_count(order, grid.p)),
      columns(column.local_count(order + 1, grid.q)),
      ld(leading_dimension(columns)) {}

bool Matrix::allocate() {
  storage_ = kernel::Buffer<double>(doubles());
  return static_cast<bool>(storage_);
}

void Matrix::generate() const {
  const Jump next_column = Jump{}.times(static_cast<std::uint64_t>(N));
  const Jump next_block = next_column.times(static_cast<std::uint64_t>(NB) * (column.procs - 1));
  for (int i = 0; i < rows; ++i) {
    double* entry = at(i, 0);
    const auto first_column = static_cast<std::uint64_t>(q) * NB;
    std::uint64_t state = random_state(row.global(i, p) + first_column * N);
    for (int j = 0; j < columns; j += NB) {
      const int end = std::min(columns, j + NB);
      for (int jj = j; jj < end; ++jj, state = next_column(state)) entry[jj] = uniform(state);
      state = next_block(state);
    }
  }
}

}  // namespace hpl
