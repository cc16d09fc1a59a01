#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "suites/mlperf/reference/grammar.hpp"
#include "suites/mlperf/reference/linear.hpp"
#include "suites/mlperf/reference/memory.hpp"
#include "suites/mlperf/reference/model.hpp"

using namespace training;

namespace {

constexpr Shape tiny = {.layers = 2, .width = 8, .heads = 2, .context = 6};

std::vector<int> texts(const Shape& shape, int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) numbers[static_cast<std::size_t>(i)] = i;
  return Samples(Grammar(5), 5, shape.context).tokens(numbers);
}

/// Larger weights than a training begins with, so that no part of the gradient is small for lack of signal.
void initialize(Model<double>& model) {
  model.initialize(3);
  model.initialize_adapters(3);
  Random random(9, 0);
  for (double& value : model.base().values()) value += 0.2 * random.normal();
  for (double& value : model.adapters().values()) value += 0.2 * random.normal();
}

/// The largest difference between the gradient and central differences, over the largest entry of its
/// segment.
double worst_difference(Model<double>& model, const std::vector<int>& tokens) {
  constexpr double h = 1e-5;
  Parameters<double>& trained = model.trained();
  const double weight = 0.25;
  model.accumulate(tokens, weight);
  double worst = 0;
  for (const Segment& segment : trained.segments()) {
    double largest = 0;
    for (std::size_t i = segment.offset; i < segment.offset + segment.size; ++i)
      largest = std::max(largest, std::fabs(trained.gradients()[i]));
    REQUIRE(largest > 0);
    for (std::size_t i = segment.offset; i < segment.offset + segment.size; ++i) {
      double& value = trained.values()[i];
      const double kept = value;
      value = kept + h;
      const double above = model.loss(tokens);
      value = kept - h;
      const double below = model.loss(tokens);
      value = kept;
      const double difference = weight * (above - below) / (2 * h) - trained.gradients()[i];
      worst = std::max(worst, std::fabs(difference) / largest);
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("the gradient by every weight is that of central differences") {
  Model<double> model(tiny);
  initialize(model);
  CHECK(worst_difference(model, texts(tiny, 2)) < 1e-6);
}

TEST_CASE(
    "the gradient by every weight of the adapters is that of central differences, and the base has none") {
  Shape shape = tiny;
  shape.rank = 3;
  Model<double> model(shape);
  initialize(model);
  CHECK(worst_difference(model, texts(shape, 2)) < 1e-6);
  for (const double gradient : model.base().gradients()) CHECK(gradient == 0);
}

TEST_CASE("gradients of parts of a batch add up to that of the batch") {
  Model<double> whole(tiny);
  Model<double> parts(tiny);
  initialize(whole);
  initialize(parts);
  const std::vector<int> tokens = texts(tiny, 3);
  const std::span<const int> all(tokens);
  const std::size_t one = static_cast<std::size_t>(tiny.context) + 1;
  const double loss = whole.accumulate(all, 1);
  const double sum = parts.accumulate(all.first(one), 1) + parts.accumulate(all.subspan(one), 1);
  CHECK(sum == Approx(loss).epsilon(1e-12));
  for (std::size_t i = 0; i < whole.trained().size(); ++i)
    CHECK(parts.trained().gradients()[i] ==
          Approx(whole.trained().gradients()[i]).epsilon(1e-9).margin(1e-12));
}

TEST_CASE("adapters with B = 0 change nothing") {
  Shape shape = tiny;
  shape.rank = 3;
  Model<double> plain(tiny);
  Model<double> adapted(shape);
  plain.initialize(4);
  adapted.initialize(4);
  adapted.initialize_adapters(4);
  CHECK(adapted.loss(texts(tiny, 2)) == plain.loss(texts(tiny, 2)));
}

TEST_CASE("a token's loss depends on no later token") {
  Model<double> model(tiny);
  initialize(model);
  std::vector<int> tokens = texts(tiny, 1);
  const double before = model.loss(tokens);
  // The last token is only a target, and the one before it input and target: the loss of the first ones is
  // what stays when these two change.
  Shape shorter = tiny;
  shorter.context = tiny.context - 1;
  Model<double> small(shorter);
  for (const auto& [from, to] : {std::pair(&model, &small)}) {
    const auto& segments = from->base().segments();
    for (std::size_t i = 0; i < segments.size(); ++i)
      std::copy_n(from->base().value(i), to->base().segments()[i].size, to->base().value(i));
  }
  const double first = small.loss(std::span<const int>(tokens).first(tokens.size() - 1));
  CHECK(first < before);
  double sum = 0;
  for (int last = 0; last < Grammar::vocabulary; ++last) {
    tokens.back() = last;
    sum += std::exp(first - model.loss(tokens));
  }
  CHECK(sum == Approx(1).epsilon(1e-9));  // the last token's odds, given the first ones
}

TEST_CASE("the operations that products count are those of the formula") {
  for (const int rank : {0, 4}) {
    Shape shape = {.layers = 3, .width = 16, .heads = 4, .context = 10, .rank = rank};
    Model<double> model(shape);
    initialize(model);
    const std::vector<int> tokens = texts(shape, 2);
    std::int64_t before = multiplied();
    model.loss(tokens);
    CHECK(multiplied() - before == flops_per_token(shape).forward * 2 * shape.context);
    before = multiplied();
    model.accumulate(tokens, 1);
    CHECK(multiplied() - before == flops_per_token(shape).training * 2 * shape.context);
  }
}

TEST_CASE("FP32 and BLAS give the loss and gradient of FP64 and plain loops") {
  CHECK(agreement({.layers = 2, .width = 32, .heads = 4, .context = 16}, 1).good());
  CHECK(agreement({.layers = 2, .width = 32, .heads = 4, .context = 16, .rank = 4}, 2).good());
  CHECK_FALSE(Agreement{2e-5, 0}.good());
  CHECK_FALSE(Agreement{0, 2e-4}.good());
  CHECK_FALSE(Agreement{std::nan(""), 0}.good());
}
