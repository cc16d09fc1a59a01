#pragma once
#include <span>

#include "suites/hpcg/reference/kernels.hpp"
#include "suites/hpcg/reference/split_matrix.hpp"

namespace hpcg {

/// The same algorithm with less memory traffic: the sweeps, sums and exchanges differ from the plain ones in
/// rounding alone. Its matrices replace the plain ones.
class OptimisedKernels : public Kernels {
 public:
  /// Rearranges the matrices and frees those in `levels`. Throws std::bad_alloc.
  OptimisedKernels(std::vector<Level>& levels, int threads);

  void product(Vector& x, Vector& y, Times& times) override;
  double product_dot(Vector& x, Vector& y, Times& times) override;
  void precondition(const Vector& r, Vector& z, Times& times) override;
  double descend(double alpha, const Vector& p, const Vector& Ap, Vector& x, Vector& r,
                 Times& times) override;
  void replace_diagonal(const Vector& diagonal) override;

  /// Of the rearranged matrices and their sweeps' buffers, on this rank.
  [[nodiscard]] std::size_t bytes() const;
  /// What was done to the kernels, a sentence each.
  [[nodiscard]] std::span<const char* const> measures() const;

 private:
  void cycle(int level, const Vector& r, Vector& x);

  int threads_;
  std::vector<SplitMatrix> matrices_;
  std::vector<Vector> kept_;  ///< of each level but the coarsest U x, then r - L x
};

/// The kernels as HPCG 3.1's reference has them, operation by operation. The smoother runs on one thread.
///
/// Source: HPCG 3.1, ComputeMG_ref.cpp, ComputeSYMGS_ref.cpp, ComputeSPMV_ref.cpp.
class PlainKernels : public Kernels {
 public:
  /// Throws std::bad_alloc.
  explicit PlainKernels(std::vector<Level>& levels);

  void product(Vector& x, Vector& y, Times& times) override;
  void precondition(const Vector& r, Vector& z, Times& times) override;
  void replace_diagonal(const Vector& diagonal) override;

 private:
  void cycle(int level, const Vector& r, Vector& x);

  std::vector<Vector> products_;  ///< A x of each level but the coarsest
};

}  // namespace hpcg
