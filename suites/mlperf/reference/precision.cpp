#include "suites/mlperf/reference/precision.hpp"

#include <algorithm>
#include <cmath>

#include "suites/mlperf/reference/samples.hpp"

namespace training {
namespace {

// FP32 rounds by 6e-8, a sum of a thousand random terms by some 30 times that; wrong code is off by far more.
constexpr double kLossBound = 1e-5;
constexpr double kGradientBound = 1e-4;

void copy(Parameters<float>& from, Parameters<double>& to) {
  std::copy(from.values().begin(), from.values().end(), to.values().begin());
}

}  // namespace

bool Agreement::good() const {
  return loss <= kLossBound && gradient <= kGradientBound;
}

Agreement agreement(const Shape& shape, std::uint64_t seed) {
  Model<float> model(shape);
  Model<double> exact(shape);
  model.initialize(seed);
  model.initialize_adapters(seed);
  // B = 0 would hide A's gradient.
  Random random(seed, 2000);
  for (float& value : model.adapters().values())
    if (value == 0) value = static_cast<float>(0.05 * random.normal());
  copy(model.base(), exact.base());
  copy(model.adapters(), exact.adapters());

  const std::vector<int> tokens = Samples(Grammar(seed), seed, shape.context).tokens({0});
  const double weight = 1.0 / shape.context;
  const double loss = model.accumulate(tokens, weight);
  const double exact_loss = exact.accumulate(tokens, weight);
  double squares = 0;
  double differences = 0;
  const auto gradients = model.trained().gradients();
  const auto exact_gradients = exact.trained().gradients();
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const double difference = static_cast<double>(gradients[i]) - exact_gradients[i];
    differences += difference * difference;
    squares += exact_gradients[i] * exact_gradients[i];
  }
  return {std::fabs(loss - exact_loss) / std::fabs(exact_loss), std::sqrt(differences / squares)};
}

}  // namespace training
