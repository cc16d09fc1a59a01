#pragma once

#include <vector>

#include "suites/hpcg/reference/matrix.hpp"

namespace hpcg {

/// A matrix as the optimised kernels read it: A = L + D + U, where L also holds the halo's columns. What a
/// sweep reads is in memory in the order in which it reads it.
///
/// On one thread, and where stages would be short, rows are in their own order. On several, they are ordered
/// by stages: the rows of one don't refer to each other, so that they can be relaxed at once, and every row
/// is behind those of L and before those of U that it refers to, so that the outcome is that of the sweeps in
/// order. Any sparse matrix with a symmetric pattern can be split.
class SplitMatrix {
 public:
  /// Throws std::bad_alloc.
  SplitMatrix(const SparseMatrix& matrix, const Array<int>& injected, int threads);

  /// y = A x; returns this rank's x'y. The halo of x must be filled.
  double multiply_dot(const double* x, double* y) const;
  /// The forward sweep from x = 0 reads L alone; x needs no values but zeroes in its halo.
  void forward_from_zero(const double* r, double* x) const;
  /// The backward sweep behind it, whose sums over L are in x: it reads U alone.
  void backward_from_zero(double* x) const;
  /// The forward sweep from any x stores r - L x for the sweep back.
  void forward(const double* r, double* x, double* kept) const;
  /// The backward sweep reads U and what `forward` stored.
  void backward(const double* kept, double* x) const;
  /// r - A x at the injected rows alone.
  void restrict_residual(const double* r, const double* x, double* coarse) const;

  void replace_diagonal(const Vector& diagonal);
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// One triangle's entries, row by row in their order.
  struct Triangle {
    Array<int> start;
    Array<int> column;
    Array<double> value;
    [[nodiscard]] double times(const double* x, int at) const;
    [[nodiscard]] std::size_t bytes() const { return start.bytes() + column.bytes() + value.bytes(); }
  };
  void order_rows(const SparseMatrix& matrix, int threads);
  Triangle triangle(const SparseMatrix& matrix, bool upper) const;
  [[nodiscard]] int row_at(int at) const { return order_.size() > 0 ? order_[at] : at; }
  template <class Relax>
  void ascend(Relax relax) const;
  template <class Relax>
  void descend(Relax relax) const;

  int rows_ = 0;
  Array<int> order_;         ///< row of each place; empty: the same
  std::vector<int> stages_;  ///< first place of each, and the end
  Triangle lower_;
  Triangle upper_;
  Array<double> diagonal_;  ///< by place
  Array<double> inverse_;   ///< by place: 1 / diagonal
  Array<int> injected_;     ///< places of the injected rows
};

}  // namespace hpcg
