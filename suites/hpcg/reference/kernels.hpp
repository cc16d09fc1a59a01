#pragma once
#include <mpi.h>

#include <cstddef>
#include <vector>

#include "suites/hpcg/reference/array.hpp"
#include "suites/hpcg/reference/matrix.hpp"

namespace hpcg {

/// Seconds by kernel, as HPCG's report lists them.
struct Times {
  double total = 0;
  double dot = 0;      ///< dot products, with their sum over ranks
  double combine = 0;  ///< linear combinations of two vectors: WAXPBY
  double product = 0;  ///< matrix times vector, with its halo exchange: SpMV
  double multigrid = 0;
  double allreduce = 0;  ///< the part of `dot` in MPI_Allreduce
};

/// Adds its own life time to a time.
class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds) {}
  ~Timed() { seconds_ += MPI_Wtime() - begin_; }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& seconds_;
  double begin_ = MPI_Wtime();
};

constexpr int kLevels = 4;

/// A grid of the multigrid cycle; the first is the problem's own.
struct Level {
  System system;
  Array<int> injected;  ///< of each point of the next grid, the row here; empty on the coarsest
  Vector residual;      ///< right-hand side on a coarse grid; empty on the first
  Vector correction;    ///< solution on a coarse grid, with a halo; empty on the first
};

/// The problem's grid and three coarser ones, each with half of the points in each direction. Collective.
/// Throws std::bad_alloc.
///
/// Source: HPCG 3.1, GenerateCoarseProblem.cpp.
std::vector<Level> generate_levels(const Geometry& finest);

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
