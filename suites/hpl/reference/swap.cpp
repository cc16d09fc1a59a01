#include "suites/hpl/reference/swap.hpp"

#include <algorithm>
#include <map>

namespace hpl {
Permutation::Permutation(const Panel& panel) {
  std::map<int, int> content;  // of the rows below the diagonal block that the exchanges touch
  source.resize(panel.width);
  for (int i = 0; i < panel.width; ++i) source[i] = panel.first + i;
  for (int i = 0; i < panel.width; ++i) {
    const int pivot = static_cast<int>(panel.pivots()[i]);
    if (pivot < panel.first + panel.width)
      std::swap(source[i], source[pivot - panel.first]);
    else
      std::swap(source[i], content.try_emplace(pivot, pivot).first->second);
  }
  for (const auto& [to, from] : content) displaced.push_back({.from = from, .to = to});
}

RowSwap::RowSwap(const Grid& grid, const Matrix& matrix, int widest) : grid_(grid), matrix_(matrix) {
  const std::array buffers{&mine_, &gathered_, &U_, &leaving_, &arriving_};
  for (auto* buffer : buffers) buffer->resize(doubles(grid, matrix, widest) / buffers.size());
}

std::size_t RowSwap::doubles(const Grid& grid, const Matrix& matrix, int widest) {
  if (grid.P == 1) return 0;
  constexpr std::size_t buffers = 5;
  const auto columns = static_cast<std::size_t>(std::min(widest, matrix.columns));
  return buffers * static_cast<std::size_t>(std::min(matrix.NB, matrix.N)) * columns;
}

void RowSwap::start(const Panel& panel, const Permutation& permutation, Columns slice) {
  slice_ = slice;
  if (grid_.P == 1) return in_place(panel);
  gather_U(permutation);
  scatter_displaced(panel, permutation);
}

void RowSwap::in_place(const Panel& panel) const {
  for (int i = 0; i < panel.width; ++i) {
    const int pivot = static_cast<int>(panel.pivots()[i]);
    if (pivot == panel.first + i) continue;
    double* row = matrix_.at(panel.first + i, slice_.begin);
    std::swap_ranges(row, row + slice_.count(), matrix_.at(pivot, slice_.begin));
  }
}

void RowSwap::gather_U(const Permutation& permutation) {
  gather_.reset(grid_.P);
  double* end = mine_.data();
  for (const int row : permutation.source) {
    const int owner = matrix_.row.owner(row);
    gather_.count[owner] += slice_.count();
    if (owner == grid_.p) end = copy_out(row, end);
  }
  gather_.lay_out();
  MPI_Iallgatherv(mine_.data(), gather_.count[grid_.p], MPI_DOUBLE, gathered_.data(), gather_.count.data(),
                  gather_.place.data(), MPI_DOUBLE, grid_.column, &requests_[0]);
}

void RowSwap::scatter_displaced(const Panel& panel, const Permutation& permutation) {
  scatter_.reset(grid_.P);
  for (const auto& move : permutation.displaced) scatter_.count[matrix_.row.owner(move.to)] += slice_.count();
  scatter_.lay_out();
  if (grid_.p == panel.p) {
    std::vector<int> end = scatter_.place;
    for (const auto& move : permutation.displaced) {
      int& place = end[matrix_.row.owner(move.to)];
      copy_out(move.from, leaving_.data() + place);
      place += slice_.count();
    }
  }
  MPI_Iscatterv(leaving_.data(), scatter_.count.data(), scatter_.place.data(), MPI_DOUBLE, arriving_.data(),
                scatter_.count[grid_.p], MPI_DOUBLE, panel.p, grid_.column, &requests_[1]);
}

void RowSwap::progress() {
  int done = 0;
  MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
}

RowsOfU RowSwap::finish(const Panel& panel, const Permutation& permutation) {
  if (grid_.P == 1) return {.data = matrix_.at(panel.first_row, slice_.begin), .ld = matrix_.ld};
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  const double* arrived = arriving_.data();
  for (const auto& move : permutation.displaced) {
    if (matrix_.row.owner(move.to) != grid_.p) continue;
    copy_in(move.to, arrived);
    arrived += slice_.count();
  }
  const auto ld = static_cast<std::size_t>(slice_.count());
  std::vector<int> next = gather_.place;
  double* to = U_.data();
  for (const int row : permutation.source) {
    int& place = next[matrix_.row.owner(row)];
    to = std::copy_n(gathered_.data() + place, ld, to);
    place += slice_.count();
  }
  return {.data = U_.data(), .ld = ld};
}

double* RowSwap::copy_out(int global_row, double* to) const {
  return std::copy_n(matrix_.at(matrix_.row.local(global_row), slice_.begin), slice_.count(), to);
}

void RowSwap::copy_in(int global_row, const double* from) const {
  std::copy_n(from, slice_.count(), matrix_.at(matrix_.row.local(global_row), slice_.begin));
}

void RowSwap::Parts::reset(int processes) {
  count.assign(processes, 0);
  place.assign(processes, 0);
}

void RowSwap::Parts::lay_out() {
  for (std::size_t i = 1; i < count.size(); ++i) place[i] = place[i - 1] + count[i - 1];
}

}  // namespace hpl
