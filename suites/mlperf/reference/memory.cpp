#include "suites/mlperf/reference/memory.hpp"

#include <unistd.h>
#include <algorithm>
#include <cmath>

#include "suites/mlperf/reference/grammar.hpp"

namespace training {

double memory_of(const Workload& workload) {
  const Shape& shape = workload.shape;
  const double L = shape.layers;
  const double d = shape.width;
  const double T = shape.context;
  const double parameters = 12 * L * d * d + (2.0 * Grammar::vocabulary + T) * d + 16.0 * L * d * shape.rank;
  constexpr double bytes_per_parameter = 4 * 4 + 2 * 8 + 2 * 4 + 4;
  const double kept = L * (17 * d + shape.heads * T) + 12 * d + Grammar::vocabulary;
  const double check = kept * T * (4 + 8);
  return parameters * bytes_per_parameter + kept * T * workload.micro_batch * 4 + check;
}

double memory_of_node() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

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
