#include "suites/hpcg/reference/split_matrix.hpp"

#include <algorithm>
#include <array>

namespace hpcg {

namespace {

/// Entries of a row in one triangle, where it has all its neighbours: most rows.
constexpr int kFullRow = 13;

/// Rows of a stage for each thread below which meeting after each stage costs more than sharing gains.
constexpr int kWorthwhile = 64;

/// The sum of `count` products, the last of which is added last: a sweep has just computed its x, and the
/// others needn't wait for it.
template <int unrolled>
inline double row_sum(const double* values, const int* columns, int count, const double* x) {
  const int last = (unrolled > 0 ? unrolled : count) - 1;
  std::array<double, 4> sums{};
  int entry = 0;
  for (; entry + 4 <= last; entry += 4)
    for (int i = 0; i < 4; ++i) sums[i] += values[entry + i] * x[columns[entry + i]];
  for (; entry < last; ++entry) sums[0] += values[entry] * x[columns[entry]];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) + values[last] * x[columns[last]];
}

}  // namespace

inline double SplitMatrix::Triangle::times(const double* x, int at) const {
  const int first = start[at];
  const int count = start[at + 1] - first;
  const double* const values = value.data() + first;
  const int* const columns = column.data() + first;
  if (count == kFullRow) return row_sum<kFullRow>(values, columns, count, x);
  return count > 0 ? row_sum<0>(values, columns, count, x) : 0;
}

SplitMatrix::SplitMatrix(const SparseMatrix& matrix, const Array<int>& injected, int threads)
    : rows_(matrix.rows) {
  order_rows(matrix, threads);
  lower_ = triangle(matrix, false);
  upper_ = triangle(matrix, true);
  diagonal_ = Array<double>(rows_);
  inverse_ = Array<double>(rows_);
#pragma omp parallel for schedule(static)
  for (int at = 0; at < rows_; ++at) {
    diagonal_[at] = matrix.value[matrix.diagonal[row_at(at)]];
    inverse_[at] = 1 / diagonal_[at];
  }
  injected_ = Array<int>(injected.size());
  std::vector<int> place(order_.size());
  for (std::size_t at = 0; at < place.size(); ++at) place[order_[at]] = static_cast<int>(at);
  for (std::size_t i = 0; i < injected.size(); ++i)
    injected_[i] = place.empty() ? injected[i] : place[injected[i]];
}

void SplitMatrix::order_rows(const SparseMatrix& matrix, int threads) {
  stages_ = {0, rows_};
  if (threads == 1) return;
  std::vector<int> stage(rows_);
  int stages = 0;
  for (int row = 0; row < rows_; ++row) {
    for (int entry = matrix.start[row]; entry < matrix.start[row + 1]; ++entry)
      if (const int column = matrix.column[entry]; column < row)
        stage[row] = std::max(stage[row], stage[column] + 1);
    stages = std::max(stages, stage[row] + 1);
  }
  if (std::int64_t{rows_} < std::int64_t{kWorthwhile} * threads * stages) return;
  stages_.assign(stages + 1, 0);
  for (const int s : stage) ++stages_[s + 1];
  for (int s = 0; s < stages; ++s) stages_[s + 1] += stages_[s];
  order_ = Array<int>(rows_);
  std::vector<int> next = stages_;
  for (int row = 0; row < rows_; ++row) order_[next[stage[row]]++] = row;
}

SplitMatrix::Triangle SplitMatrix::triangle(const SparseMatrix& matrix, bool upper) const {
  const auto belongs = [&](int row, int column) {
    return upper ? column > row && column < rows_ : column < row || column >= rows_;
  };
  Triangle part;
  part.start = Array<int>(rows_ + 1);
#pragma omp parallel for schedule(static)
  for (int at = 0; at < rows_; ++at) {
    const int row = row_at(at);
    int count = 0;
    for (int entry = matrix.start[row]; entry < matrix.start[row + 1]; ++entry)
      count += belongs(row, matrix.column[entry]) ? 1 : 0;
    part.start[at + 1] = count;
  }
  part.start[0] = 0;
  for (int at = 0; at < rows_; ++at) part.start[at + 1] += part.start[at];
  part.column = Array<int>(part.start[rows_]);
  part.value = Array<double>(part.start[rows_]);
#pragma omp parallel for schedule(static)
  for (int at = 0; at < rows_; ++at) {
    const int row = row_at(at);
    int to = part.start[at];
    for (int entry = matrix.start[row]; entry < matrix.start[row + 1]; ++entry)
      if (belongs(row, matrix.column[entry])) {
        part.column[to] = matrix.column[entry];
        part.value[to++] = matrix.value[entry];
      }
    // The neighbour that a sweep visits just before is last: in L by order, in U by turning it.
    if (upper) {
      std::reverse(part.column.data() + part.start[at], part.column.data() + to);
      std::reverse(part.value.data() + part.start[at], part.value.data() + to);
    }
  }
  return part;
}

template <class Relax>
void SplitMatrix::ascend(Relax relax) const {
  if (order_.size() == 0) {
    for (int row = 0; row < rows_; ++row) relax(row, row);
    return;
  }
#pragma omp parallel
  for (std::size_t stage = 0; stage + 1 < stages_.size(); ++stage) {
    const int end = stages_[stage + 1];
#pragma omp for schedule(static)
    for (int at = stages_[stage]; at < end; ++at) relax(at, order_[at]);
  }
}

template <class Relax>
void SplitMatrix::descend(Relax relax) const {
  if (order_.size() == 0) {
    for (int row = rows_ - 1; row >= 0; --row) relax(row, row);
    return;
  }
#pragma omp parallel
  for (std::size_t stage = stages_.size() - 1; stage > 0; --stage) {
    const int end = stages_[stage];
#pragma omp for schedule(static)
    for (int at = stages_[stage - 1]; at < end; ++at) relax(at, order_[at]);
  }
}

double SplitMatrix::multiply_dot(const double* x, double* y) const {
  double dot = 0;
#pragma omp parallel for schedule(static) reduction(+ : dot)
  for (int at = 0; at < rows_; ++at) {
    const int row = row_at(at);
    const double sum = lower_.times(x, at) + diagonal_[at] * x[row] + upper_.times(x, at);
    y[row] = sum;
    dot += x[row] * sum;
  }
  return dot;
}

void SplitMatrix::forward_from_zero(const double* r, double* x) const {
  ascend([&](int at, int row) { x[row] = inverse_[at] * (r[row] - lower_.times(x, at)); });
}

void SplitMatrix::backward_from_zero(double* x) const {
  descend([&](int at, int row) { x[row] -= inverse_[at] * upper_.times(x, at); });
}

void SplitMatrix::forward(const double* r, double* x, double* kept) const {
  ascend([&](int at, int row) {
    const double sum = r[row] - lower_.times(x, at);
    kept[row] = sum;
    x[row] = inverse_[at] * (sum - upper_.times(x, at));
  });
}

void SplitMatrix::backward(const double* kept, double* x) const {
  descend([&](int at, int row) { x[row] = inverse_[at] * (kept[row] - upper_.times(x, at)); });
}

void SplitMatrix::restrict_residual(const double* r, const double* x, double* coarse) const {
  const auto points = static_cast<int>(injected_.size());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < points; ++i) {
    const int at = injected_[i];
    const int row = row_at(at);
    coarse[i] = r[row] - (lower_.times(x, at) + diagonal_[at] * x[row] + upper_.times(x, at));
  }
}

void SplitMatrix::replace_diagonal(const Vector& diagonal) {
  for (int at = 0; at < rows_; ++at) {
    diagonal_[at] = diagonal[row_at(at)];
    inverse_[at] = 1 / diagonal_[at];
  }
}

std::size_t SplitMatrix::bytes() const {
  return order_.bytes() + stages_.size() * sizeof(int) + lower_.bytes() + upper_.bytes() + diagonal_.bytes() +
         inverse_.bytes() + injected_.bytes();
}

}  // namespace hpcg
