#include "suites/hpl_mxp/reference/system.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>

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
