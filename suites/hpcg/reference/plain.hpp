#pragma once

#include "suites/hpcg/reference/kernels.hpp"

namespace hpcg {

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
