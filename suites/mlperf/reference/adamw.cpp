#include "suites/mlperf/reference/adamw.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace training {

double Schedule::rate_at(int step) const {
  if (step <= warmup_steps) return rate * step / warmup_steps;
  if (step >= decay_steps) return end_rate;
  const double part = static_cast<double>(step - warmup_steps) / (decay_steps - warmup_steps);
  return end_rate + (rate - end_rate) * (1 + std::cos(std::numbers::pi * part)) / 2;
}

template <class Real>
AdamW<Real>::AdamW(Parameters<Real>& parameters, const Schedule& schedule)
    : parameters_(&parameters), schedule_(schedule), first_(parameters.size()), second_(parameters.size()) {}

template <class Real>
double AdamW<Real>::step() {
  ++steps_;
  const auto gradients = parameters_->gradients();
  double squares = 0;
  for (const Real g : gradients) squares += static_cast<double>(g) * static_cast<double>(g);
  const double norm = std::sqrt(squares);
  const auto clip = static_cast<Real>(norm > schedule_.clip ? schedule_.clip / norm : 1.0);
  const double rate = schedule_.rate_at(steps_);
  const auto b1 = static_cast<Real>(schedule_.beta_1);
  const auto b2 = static_cast<Real>(schedule_.beta_2);
  const auto step = static_cast<Real>(rate / (1 - std::pow(schedule_.beta_1, steps_)));
  const auto second = static_cast<Real>(1 / (1 - std::pow(schedule_.beta_2, steps_)));
  const auto epsilon = static_cast<Real>(schedule_.epsilon);
  const auto values = parameters_->values();
  for (const Segment& segment : parameters_->segments()) {
    const auto keep = static_cast<Real>(segment.decays ? 1 - rate * schedule_.decay : 1.0);
    for (std::size_t i = segment.offset; i < segment.offset + segment.size; ++i) {
      const Real g = gradients[i] * clip;
      first_[i] = b1 * first_[i] + (1 - b1) * g;
      second_[i] = b2 * second_[i] + (1 - b2) * g * g;
      values[i] = values[i] * keep - step * first_[i] / (std::sqrt(second_[i] * second) + epsilon);
    }
  }
  std::fill(gradients.begin(), gradients.end(), Real{0});
  return norm;
}

template class AdamW<float>;
template class AdamW<double>;

}  // namespace training
