#include "suites/hpl_mxp/reference/system.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace hpl_mxp {
namespace {

/// The sum over all ranks of numbers that each has for its local rows, in the order of the global rows.
std::vector<double> sum_over_rows(const Grid& grid, const Entries& entries, const std::vector<double>& mine) {
  std::vector<double> all(entries.N);
  for (int i = 0; i < entries.rows; ++i) all[entries.row.global(i, entries.p)] = mine[i];
  MPI_Allreduce(MPI_IN_PLACE, all.data(), entries.N, MPI_DOUBLE, MPI_SUM, grid.all);
  return all;
}

}  // namespace

LinearSystem::LinearSystem(const Grid& process_grid, int order, int block)
    : grid(process_grid), entries(process_grid, order, block), b(order), shift_(order) {
  diagonal = sum_over_rows(grid, entries, entries.magnitudes());
  for (int i = 0; i < order; ++i) {
    const double random = entries.at(i, i);
    diagonal[i] -= std::fabs(random);
    shift_[i] = diagonal[i] - random;
    b[i] = entries.at(i, order);
  }
}

std::vector<double> LinearSystem::times(const std::vector<double>& x) const {
  std::vector<double> x_of_columns(entries.columns);
  for (int j = 0; j < entries.columns; ++j) x_of_columns[j] = x[entries.column.global(j, entries.q)];
  std::vector<double> y = entries.times(x_of_columns);
  for (int i = 0; i < entries.rows; ++i) {
    const int global = entries.row.global(i, entries.p);
    if (entries.column.owner(global) == entries.q) y[i] += shift_[global] * x[global];
  }
  return sum_over_rows(grid, entries, y);
}

std::vector<double> LinearSystem::residual(const std::vector<double>& x) const {
  std::vector<double> r = times(x);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
  return r;
}

void LinearSystem::round_into(float* to, std::size_t ld) const {
  entries.round_into(to, ld);
  for (int j = 0; j < entries.columns; ++j) {
    const int global = entries.column.global(j, entries.q);
    if (entries.row.owner(global) == entries.p)
      to[static_cast<std::size_t>(j) * ld + entries.row.local(global)] = static_cast<float>(diagonal[global]);
  }
}

double LinearSystem::norm() const {
  return 2 * *std::max_element(diagonal.begin(), diagonal.end());
}

}  // namespace hpl_mxp

#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define MXP_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MXP_VECTOR_CLONES
#endif

namespace hpl_mxp {
namespace {

using kernel::Jump;
using kernel::uniform;

/// Rows that are made side by side, so that their states and sums stay in vector registers.
constexpr int kRows = 32;
using States = std::array<std::uint64_t, kRows>;
using Sums = std::array<double, kRows>;

/// The next `columns` entries of kRows rows times `x`.
MXP_VECTOR_CLONES
void add_products(States& state, Jump next, const double* x, int columns, Sums& sum) {
  States s = state;
  Sums total = sum;
  for (int j = 0; j < columns; ++j) {
    const double factor = x[j];
    for (int l = 0; l < kRows; ++l) {
      total[l] += uniform(s[l]) * factor;
      s[l] = s[l] * next.a + next.c;
    }
  }
  state = s;
  sum = total;
}

MXP_VECTOR_CLONES
void add_magnitudes(States& state, Jump next, int columns, Sums& sum) {
  States s = state;
  Sums total = sum;
  for (int j = 0; j < columns; ++j)
    for (int l = 0; l < kRows; ++l) {
      total[l] += std::fabs(uniform(s[l]));
      s[l] = s[l] * next.a + next.c;
    }
  state = s;
  sum = total;
}

MXP_VECTOR_CLONES
void round_entries(States& state, Jump next, int columns, float* to, std::size_t ld) {
  States s = state;
  for (int j = 0; j < columns; ++j, to += ld)
    for (int l = 0; l < kRows; ++l) {
      to[l] = static_cast<float>(uniform(s[l]));
      s[l] = s[l] * next.a + next.c;
    }
  state = s;
}

/// The same for `count` rows, where kRows would reach beyond the last one.
void round_last_entries(States& state, Jump next, int columns, float* to, std::size_t ld, int count) {
  for (int j = 0; j < columns; ++j, to += ld)
    for (int l = 0; l < count; ++l) {
      to[l] = static_cast<float>(uniform(state[l]));
      state[l] = next(state[l]);
    }
}

/// Groups of up to kRows local rows that lie within one block: `visit(first local row, count, states at the
/// first local column)`.
template <class Visit>
void for_row_groups(const Entries& entries, Visit visit) {
  const auto N = static_cast<std::uint64_t>(entries.N);
  const auto first_column = static_cast<std::uint64_t>(entries.q) * entries.NB;
  for (int block = 0; block < entries.rows; block += entries.NB) {
    const int end = std::min(entries.rows, block + entries.NB);
    for (int i = block; i < end; i += kRows) {
      States state;
      state[0] = kernel::random_state(entries.row.global(i, entries.p) + first_column * N);
      for (int l = 1; l < kRows; ++l) state[l] = Jump{}(state[l - 1]);
      visit(i, std::min(kRows, end - i), state);
    }
  }
}

void skip(States& state, Jump jump) {
  for (std::uint64_t& each : state) each = jump(each);
}

}  // namespace

Entries::Entries(const Grid& grid, int order, int block)
    : N(order),
      NB(block),
      row{block, grid.P},
      column{block, grid.Q},
      p(grid.p),
      q(grid.q),
      rows(row.local_count(order, grid.p)),
      columns(column.local_count(order, grid.q)),
      next_column_(Jump{}.times(static_cast<std::uint64_t>(order))),
      next_block_(next_column_.times(static_cast<std::uint64_t>(block) * (grid.Q - 1))) {}

void Entries::round_into(float* to, std::size_t ld) const {
  for_row_groups(*this, [&](int first, int count, States& state) {
    for (int j = 0; j < columns; j += NB) {
      float* part = to + static_cast<std::size_t>(j) * ld + first;
      const int width = std::min(NB, columns - j);
      if (count == kRows)
        round_entries(state, next_column_, width, part, ld);
      else
        round_last_entries(state, next_column_, width, part, ld, count);
      skip(state, next_block_);
    }
  });
}

std::vector<double> Entries::times(const std::vector<double>& x) const {
  std::vector<double> y(rows);
  for_row_groups(*this, [&](int first, int count, States& state) {
    Sums sum{};
    for (int j = 0; j < columns; j += NB) {
      add_products(state, next_column_, x.data() + j, std::min(NB, columns - j), sum);
      skip(state, next_block_);
    }
    std::copy_n(sum.begin(), count, y.begin() + first);
  });
  return y;
}

std::vector<double> Entries::magnitudes() const {
  std::vector<double> y(rows);
  for_row_groups(*this, [&](int first, int count, States& state) {
    Sums sum{};
    for (int j = 0; j < columns; j += NB) {
      add_magnitudes(state, next_column_, std::min(NB, columns - j), sum);
      skip(state, next_block_);
    }
    std::copy_n(sum.begin(), count, y.begin() + first);
  });
  return y;
}

double Entries::at(int i, int j) const {
  return uniform(kernel::random_state(i + static_cast<std::uint64_t>(j) * N));
}

std::size_t leading_dimension(int rows) {
  constexpr std::size_t line = 16;
  const std::size_t lines = (static_cast<std::size_t>(rows) + line - 1) / line;
  return (lines | 1) * line;
}

Matrix::Matrix(const Entries& entries)
    : N(entries.N),
      NB(entries.NB),
      row(entries.row),
      column(entries.column),
      p(entries.p),
      q(entries.q),
      rows(entries.rows),
      columns(entries.columns),
      ld(leading_dimension(entries.rows)) {}

bool Matrix::allocate() {
  storage_ = kernel::Buffer<float>(floats());
  if (storage_) std::fill_n(storage_.data(), floats(), 0.0F);
  return static_cast<bool>(storage_);
}

}  // namespace hpl_mxp
