#pragma once

#include <cstdint>
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
  /// The same, and stores U x, whose sums it has computed anyway.
  void backward_from_zero(double* x, double* upper) const;
  /// r - A x at the injected rows alone, from U x.
  void restrict_residual(const double* r, const double* x, const double* upper, double* coarse) const;
  /// The forward sweep from x + P c, where `correction` is c and P injects it. Of the x before it reads the
  /// halo alone: in `kept` is U x without the correction, and r - L x for the sweep back thereafter.
  void forward(const double* r, const double* correction, double* x, double* kept) const;
  /// The backward sweep reads U and what `forward` stored.
  void backward(const double* kept, double* x) const;

  void replace_diagonal(const Vector& diagonal);
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// One triangle's entries, row by row in their order. A column is stored as its distance from the row in 16
  /// bits, that of a row with farther ones (the halo's) as it is.
  struct Triangle {
    Array<int> start;
    Array<double> value;
    Array<std::int16_t> distance;  ///< empty: `column` has all
    Array<int> column;             ///< of all entries, or of `far` rows one behind the other
    std::vector<int> far;          ///< places of these rows, ascending
    std::vector<int> far_start;    ///< of each in `column`
    /// The sum of the row at a place, times x; `near`: there are distances.
    template <bool near>
    [[nodiscard]] double times(const double* x, int at, int row) const;
    void prefetch(int at, int rows) const;
    /// Of a row that is not full, or far.
    [[nodiscard, gnu::noinline]] double times_of_few(const double* x, int at, int row) const;
    [[nodiscard]] std::size_t bytes() const;
  };
  void order_rows(const SparseMatrix& matrix, int threads);
  Triangle triangle(const SparseMatrix& matrix, bool upper) const;
  /// The places of rows with a column that is farther than 16 bits reach.
  [[nodiscard]] std::vector<int> far_rows(const Triangle& part) const;
  /// Stores the columns of a triangle as distances, but for those of `far` rows.
  void shorten(Triangle& part, const std::vector<int>& far) const;
  /// U P: of the columns of U those of injected rows, by their point.
  Triangle injected_columns(const Array<int>& injected) const;
  [[nodiscard]] int row_at(int at) const { return order_.size() > 0 ? order_[at] : at; }
  /// Calls `work` with whether columns are stored as distances, as a type.
  template <class Work>
  auto by_columns(Work work) const;
  template <class Relax>
  void ascend(Relax relax) const;
  template <class Relax>
  void descend(Relax relax) const;

  int rows_ = 0;
  bool near_ = false;        ///< columns are stored as distances: at most an eighth of the rows are far
  Array<int> order_;         ///< row of each place; empty: the same
  std::vector<int> stages_;  ///< first place of each, and the end
  Triangle lower_;
  Triangle upper_;
  Triangle correction_;     ///< U P, with 32-bit columns
  Array<double> diagonal_;  ///< by place
  Array<double> inverse_;   ///< by place: 1 / diagonal
  Array<int> injected_;     ///< places of the injected rows
};

}  // namespace hpcg
