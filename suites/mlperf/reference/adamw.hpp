#pragma once

#include <vector>

#include "suites/mlperf/reference/parameters.hpp"

namespace training {

/// AdamW with linear warm-up, cosine decay and clipping. Source: Loshchilov and Hutter, "Decoupled weight
/// decay regularization".
struct Schedule {
  double rate = 0;      ///< after the warm-up
  double end_rate = 0;  ///< from `decay_steps` on
  int warmup_steps = 0;
  int decay_steps = 0;
  double beta_1 = 0.9;
  double beta_2 = 0.95;
  double epsilon = 1e-8;
  double decay = 0.1;  ///< of weights
  double clip = 1.0;   ///< largest norm of the gradient

  /// The rate of a step; the first is number 1.
  [[nodiscard]] double rate_at(int step) const;
};

template <class Real>
class AdamW {
 public:
  AdamW(Parameters<Real>& parameters, const Schedule& schedule);

  /// One update by the gradients; these are cleared. The gradient's norm before clipping.
  double step();

 private:
  Parameters<Real>* parameters_;
  Schedule schedule_;
  std::vector<Real> first_;
  std::vector<Real> second_;
  int steps_ = 0;
};

}  // namespace training
