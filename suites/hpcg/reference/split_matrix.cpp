#include "suites/hpcg/reference/split_matrix.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <type_traits>

namespace hpcg {

namespace {

/// Entries of a row in one triangle, where it has all its neighbours: most rows.
constexpr int kFullRow = 13;

/// Rows of a stage for each thread below which meeting after each stage costs more than sharing gains.
constexpr int kWorthwhile = 64;

/// The sum of `count` products, the last of which is added last: a sweep has just computed its x, and the
/// others needn't wait for it.
template <int unrolled, class Column>
inline double row_sum(const double* values, const Column* columns, int count, const double* x) {
  const int last = (unrolled > 0 ? unrolled : count) - 1;
  std::array<double, 4> sums{};
  int entry = 0;
  for (; entry + 4 <= last; entry += 4)
    for (int i = 0; i < 4; ++i) sums[i] += values[entry + i] * x[columns[entry + i]];
  for (; entry < last; ++entry) sums[0] += values[entry] * x[columns[entry]];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) + values[last] * x[columns[last]];
}

/// Rows ahead of a sweep that are prefetched.
constexpr int kAhead = 12;

/// The first distance of a row whose columns are stored as they are.
constexpr std::int16_t kFar = std::numeric_limits<std::int16_t>::min();

}  // namespace

template <bool near>
inline double SplitMatrix::Triangle::times(const double* x, int at, int row) const {
  const int first = start[at];
  if (start[at + 1] - first == kFullRow) {
    const double* const values = value.data() + first;
    if constexpr (!near) return row_sum<kFullRow>(values, column.data() + first, kFullRow, x);
    const std::int16_t* const distances = distance.data() + first;
    if (distances[0] != kFar) return row_sum<kFullRow>(values, distances, kFullRow, x + row);
  }
  return times_of_few(x, at, row);
}

/// Asks the memory for what the row some full rows ahead in the sweep will read.
inline void SplitMatrix::Triangle::prefetch(int at, int rows) const {
  const double* const values = value.data() + start[at] + rows * kFullRow;
  __builtin_prefetch(values);
  __builtin_prefetch(values + 8);
}

double SplitMatrix::Triangle::times_of_few(const double* x, int at, int row) const {
  const int first = start[at];
  const int count = start[at + 1] - first;
  const double* const values = value.data() + first;
  if (count == 0) return 0;
  if (distance.size() == 0) return row_sum<0>(values, column.data() + first, count, x);
  const std::int16_t* const distances = distance.data() + first;
  if (distances[0] != kFar) return row_sum<0>(values, distances, count, x + row);
  const auto place = std::lower_bound(far.begin(), far.end(), at) - far.begin();
  return row_sum<0>(values, column.data() + far_start[place], count, x);
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
  correction_ = injected_columns(injected);
  const std::vector<int> far_lower = far_rows(lower_);
  const std::vector<int> far_upper = far_rows(upper_);
  near_ = std::max(far_lower.size(), far_upper.size()) <= static_cast<std::size_t>(rows_) / 8;
  if (!near_) return;
  shorten(lower_, far_lower);
  shorten(upper_, far_upper);
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

std::vector<int> SplitMatrix::far_rows(const Triangle& part) const {
  std::vector<int> far;
  for (int at = 0; at < rows_; ++at) {
    const int row = row_at(at);
    const auto is_far = [&](int column) { return std::abs(column - row) > -(kFar + 1); };
    if (std::any_of(part.column.data() + part.start[at], part.column.data() + part.start[at + 1], is_far))
      far.push_back(at);
  }
  return far;
}

void SplitMatrix::shorten(Triangle& part, const std::vector<int>& far) const {
  part.distance = Array<std::int16_t>(part.column.size());
#pragma omp parallel for schedule(static)
  for (int at = 0; at < rows_; ++at) {
    const int row = row_at(at);
    for (int entry = part.start[at]; entry < part.start[at + 1]; ++entry)
      part.distance[entry] = static_cast<std::int16_t>(part.column[entry] - row);
  }
  std::vector<int> columns;
  for (const int at : far) {
    const int first = part.start[at];
    part.distance[first] = kFar;
    part.far_start.push_back(static_cast<int>(columns.size()));
    columns.insert(columns.end(), part.column.data() + first, part.column.data() + part.start[at + 1]);
  }
  part.column = Array<int>(columns.size());
  std::copy(columns.begin(), columns.end(), part.column.data());
  part.far = far;
}

SplitMatrix::Triangle SplitMatrix::injected_columns(const Array<int>& injected) const {
  std::vector<int> point(rows_, -1);
  for (std::size_t i = 0; i < injected.size(); ++i) point[injected[i]] = static_cast<int>(i);
  Triangle part;
  if (injected.size() == 0) return part;
  part.start = Array<int>(rows_ + 1);
  part.start[0] = 0;
  for (int at = 0; at < rows_; ++at) {
    int count = 0;
    for (int entry = upper_.start[at]; entry < upper_.start[at + 1]; ++entry)
      count += point[upper_.column[entry]] >= 0 ? 1 : 0;
    part.start[at + 1] = part.start[at] + count;
  }
  part.column = Array<int>(part.start[rows_]);
  part.value = Array<double>(part.start[rows_]);
#pragma omp parallel for schedule(static)
  for (int at = 0; at < rows_; ++at) {
    int to = part.start[at];
    for (int entry = upper_.start[at]; entry < upper_.start[at + 1]; ++entry)
      if (const int i = point[upper_.column[entry]]; i >= 0) {
        part.column[to] = i;
        part.value[to++] = upper_.value[entry];
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
    for (int at = end - 1; at >= stages_[stage - 1]; --at) relax(at, order_[at]);
  }
}

template <class Work>
auto SplitMatrix::by_columns(Work work) const {
  return near_ ? work(std::true_type()) : work(std::false_type());
}

double SplitMatrix::multiply_dot(const double* x, double* y) const {
  return by_columns([&](auto near) {
    double dot = 0;
#pragma omp parallel for schedule(static) reduction(+ : dot)
    for (int at = 0; at < rows_; ++at) {
      const int row = row_at(at);
      lower_.prefetch(at, kAhead);
      upper_.prefetch(at, kAhead);
      const double sum =
          lower_.times<near>(x, at, row) + diagonal_[at] * x[row] + upper_.times<near>(x, at, row);
      y[row] = sum;
      dot += x[row] * sum;
    }
    return dot;
  });
}

void SplitMatrix::forward_from_zero(const double* r, double* x) const {
  by_columns([&](auto near) {
    ascend([&](int at, int row) {
      lower_.prefetch(at, kAhead);
      x[row] = inverse_[at] * (r[row] - lower_.times<near>(x, at, row));
    });
  });
}

void SplitMatrix::backward_from_zero(double* x) const {
  by_columns([&](auto near) {
    descend([&](int at, int row) { x[row] -= inverse_[at] * upper_.times<near>(x, at, row); });
  });
}

void SplitMatrix::backward_from_zero(double* x, double* upper) const {
  by_columns([&](auto near) {
    descend([&](int at, int row) {
      upper_.prefetch(at, -kAhead);
      const double sum = upper_.times<near>(x, at, row);
      upper[row] = sum;
      x[row] -= inverse_[at] * sum;
    });
  });
}

void SplitMatrix::restrict_residual(const double* r, const double* x, const double* upper,
                                    double* coarse) const {
  const auto points = static_cast<int>(injected_.size());
  by_columns([&](auto near) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < points; ++i) {
      const int at = injected_[i];
      const int row = row_at(at);
      coarse[i] = r[row] - (lower_.times<near>(x, at, row) + diagonal_[at] * x[row] + upper[row]);
    }
  });
}

void SplitMatrix::forward(const double* r, const double* correction, double* x, double* kept) const {
  by_columns([&](auto near) {
    ascend([&](int at, int row) {
      lower_.prefetch(at, kAhead);
      double upper = kept[row];
      for (int entry = correction_.start[at]; entry < correction_.start[at + 1]; ++entry)
        upper += correction_.value[entry] * correction[correction_.column[entry]];
      const double sum = r[row] - lower_.times<near>(x, at, row);
      kept[row] = sum;
      x[row] = inverse_[at] * (sum - upper);
    });
  });
}

void SplitMatrix::backward(const double* kept, double* x) const {
  by_columns([&](auto near) {
    descend([&](int at, int row) {
      upper_.prefetch(at, -kAhead);
      x[row] = inverse_[at] * (kept[row] - upper_.times<near>(x, at, row));
    });
  });
}

void SplitMatrix::replace_diagonal(const Vector& diagonal) {
  for (int at = 0; at < rows_; ++at) {
    diagonal_[at] = diagonal[row_at(at)];
    inverse_[at] = 1 / diagonal_[at];
  }
}

std::size_t SplitMatrix::Triangle::bytes() const {
  return start.bytes() + value.bytes() + distance.bytes() + column.bytes() +
         (far.size() + far_start.size()) * sizeof(int);
}

std::size_t SplitMatrix::bytes() const {
  return order_.bytes() + stages_.size() * sizeof(int) + lower_.bytes() + upper_.bytes() +
         correction_.bytes() + diagonal_.bytes() + inverse_.bytes() + injected_.bytes();
}

}  // namespace hpcg
