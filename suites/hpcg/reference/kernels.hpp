#pragma once

#include <cstddef>
#include <vector>

#include "suites/hpcg/reference/array.hpp"
#include "suites/hpcg/reference/multigrid.hpp"
#include "suites/hpcg/reference/times.hpp"

namespace hpcg {

/// What conjugate gradients are made of. Each call is collective, books its time, and works on the rows of
/// this rank; results of dot products are those of all.
class Kernels {
 public:
  explicit Kernels(std::vector<Level>& levels) : levels_(levels) {}
  virtual ~Kernels() = default;
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  /// y = A x, filling the halo of x.
  virtual void product(Vector& x, Vector& y, Times& times) = 0;
  /// The same, and x'y.
  virtual double product_dot(Vector& x, Vector& y, Times& times);
  /// z = M r: one V-cycle, with a halo in z.
  virtual void precondition(const Vector& r, Vector& z, Times& times) = 0;
  /// x += alpha p, r -= alpha Ap, and r'r.
  virtual double descend(double alpha, const Vector& p, const Vector& Ap, Vector& x, Vector& r, Times& times);
  /// Of the problem's own matrix, in tests.
  virtual void replace_diagonal(const Vector& diagonal) = 0;

  double dot(const Vector& x, const Vector& y, Times& times) const;
  /// w = alpha x + beta y, which may be one of them.
  void combine(double alpha, const Vector& x, double beta, const Vector& y, Vector& w, Times& times) const;

  [[nodiscard]] int rows() const { return finest().system.rows(); }
  [[nodiscard]] int columns() const { return finest().system.columns(); }
  [[nodiscard]] const Level& finest() const { return levels_.front(); }

 protected:
  std::vector<Level>& levels_;
};

/// Adds over all ranks, as part of a dot product.
double sum_of_all(double value, Times& times);

}  // namespace hpcg
