#include "suites/mlperf/reference/model.hpp"

#include <algorithm>
#include <cmath>

#include "suites/mlperf/reference/grammar.hpp"
#include "suites/mlperf/reference/linear.hpp"

namespace training {
namespace {

constexpr int V = Grammar::vocabulary;

std::size_t area(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

template <class Real>
std::deque<Block<Real>> blocks(Weights<Real>& weights, const Shape& shape) {
  std::deque<Block<Real>> all;
  for (int layer = 0; layer < shape.layers; ++layer) all.emplace_back(weights, layer, shape);
  return all;
}

}  // namespace

template <class Real>
Model<Real>::Model(const Shape& shape)
    : shape_(shape),
      tokens_(weights_.base.add("tokens", area(V, shape.width), false)),
      positions_(weights_.base.add("positions", area(shape.context, shape.width), false)),
      blocks_(blocks(weights_, shape)),
      norm_(weights_, "last norm", shape.width, shape.rank > 0),
      head_(weights_.base.add("head", area(shape.width, V), true)),
      between_(static_cast<std::size_t>(shape.layers) + 1) {}

template <class Real>
void Model<Real>::initialize(std::uint64_t seed) {
  const double width = shape_.width;
  const double layers = shape_.layers;
  std::uint64_t stream = 0;
  for (const Segment& segment : weights_.base.segments()) {
    Real* values = weights_.base.values().data() + segment.offset;
    const auto ends_with = [&](const char* part) { return segment.name.ends_with(part); };
    double deviation = 1 / std::sqrt(width);
    if (ends_with("project")) deviation = 1 / std::sqrt(2 * layers * width);
    if (ends_with("down")) deviation = 1 / std::sqrt(2 * layers * 4 * width);
    if (ends_with("tokens") || ends_with("positions")) deviation = 0.3;
    if (ends_with("head")) deviation = 0.5 / std::sqrt(width);
    Random random(seed, ++stream);
    const bool gain = segment.name.find("norm") != std::string::npos;
    for (std::size_t i = 0; i < segment.size; ++i)
      values[i] = static_cast<Real>(gain ? 1.0 : deviation * random.normal());
  }
}

template <class Real>
void Model<Real>::initialize_adapters(std::uint64_t seed) {
  std::uint64_t stream = 1000;
  for (const Segment& segment : weights_.adapters.segments()) {
    Real* values = weights_.adapters.values().data() + segment.offset;
    const bool A = segment.name.ends_with(" A");
    const double rows = static_cast<double>(segment.size) / shape_.rank;
    Random random(seed, ++stream);
    for (std::size_t i = 0; i < segment.size; ++i)
      values[i] = static_cast<Real>(A ? random.normal() / std::sqrt(rows) : 0.0);
  }
}

template <class Real>
void Model<Real>::embed(std::span<const int> tokens, int samples) {
  const int T = shape_.context;
  const int width = shape_.width;
  Real* x = between_[0].data();
  for (int s = 0; s < samples; ++s)
    for (int t = 0; t < T; ++t, x += width) {
      const Real* token =
          weights_.base.value(tokens_) + area(tokens[area(s, T + 1) + static_cast<std::size_t>(t)], width);
      const Real* position = weights_.base.value(positions_) + area(t, width);
      for (int j = 0; j < width; ++j) x[j] = token[j] + position[j];
    }
}

template <class Real>
void Model<Real>::embed_backward(std::span<const int> tokens, int samples, const Real* dx) {
  const int T = shape_.context;
  const int width = shape_.width;
  for (int s = 0; s < samples; ++s)
    for (int t = 0; t < T; ++t, dx += width) {
      Real* token =
          weights_.base.gradient(tokens_) + area(tokens[area(s, T + 1) + static_cast<std::size_t>(t)], width);
      Real* position = weights_.base.gradient(positions_) + area(t, width);
      for (int j = 0; j < width; ++j) {
        token[j] += dx[j];
        position[j] += dx[j];
      }
    }
}

template <class Real>
int Model<Real>::forward(std::span<const int> tokens) {
  const int T = shape_.context;
  const int samples = static_cast<int>(tokens.size()) / (T + 1);
  const int rows = samples * T;
  for (auto& x : between_) x.resize(area(rows, shape_.width));
  normed_.resize(area(rows, shape_.width));
  logits_.resize(area(rows, V));
  embed(tokens, samples);
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    blocks_[i].forward(between_[i].data(), samples, between_[i + 1].data());
  norm_.forward(between_.back().data(), rows, normed_.data());
  gemm({rows, V, shape_.width}, Factor<Real>{normed_.data(), shape_.width},
       Factor<Real>{weights_.base.value(head_), V}, Product<Real>{logits_.data(), V});
  return samples;
}

/// With `backward` the logits become `weight` times the gradient by them.
template <class Real>
double Model<Real>::cross_entropy(std::span<const int> tokens, double weight, bool backward) {
  const int T = shape_.context;
  const int samples = static_cast<int>(tokens.size()) / (T + 1);
  double loss = 0;
  Real* logits = logits_.data();
  for (int s = 0; s < samples; ++s)
    for (int t = 0; t < T; ++t, logits += V) {
      const int target = tokens[area(s, T + 1) + static_cast<std::size_t>(t) + 1];
      const Real largest = *std::max_element(logits, logits + V);
      const Real score = logits[target] - largest;
      Real sum = 0;
      for (int v = 0; v < V; ++v) sum += logits[v] = std::exp(logits[v] - largest);
      loss += std::log(static_cast<double>(sum)) - static_cast<double>(score);
      if (!backward) continue;
      const Real factor = static_cast<Real>(weight) / sum;
      for (int v = 0; v < V; ++v) logits[v] *= factor;
      logits[target] -= static_cast<Real>(weight);
    }
  return loss;
}

template <class Real>
double Model<Real>::loss(std::span<const int> tokens) {
  if (tokens.empty()) return 0;
  forward(tokens);
  return cross_entropy(tokens, 0, false);
}

template <class Real>
double Model<Real>::accumulate(std::span<const int> tokens, double weight) {
  if (tokens.empty()) return 0;
  const int samples = forward(tokens);
  const double loss = cross_entropy(tokens, weight, true);
  const int rows = samples * shape_.context;
  const int width = shape_.width;
  const bool frozen = shape_.rank > 0;
  d_normed_.resize(normed_.size());
  gemm({rows, width, V}, Factor<Real>{logits_.data(), V}, Factor<Real>{weights_.base.value(head_), V, true},
       Product<Real>{d_normed_.data(), width});
  if (!frozen)
    gemm({width, V, rows}, Factor<Real>{normed_.data(), width, true}, Factor<Real>{logits_.data(), V},
         Product<Real>{weights_.base.gradient(head_), V, true});
  dx_.assign(normed_.size(), Real{0});
  norm_.backward(between_.back().data(), d_normed_.data(), rows, dx_.data());
  for (std::size_t i = blocks_.size(); i-- > 0;)
    blocks_[i].backward(between_[i].data(), samples, dx_.data(), i > 0 || !frozen);
  if (!frozen) embed_backward(tokens, samples, dx_.data());
  return loss;
}

template class Model<float>;
template class Model<double>;

FlopsPerToken flops_per_token(const Shape& shape) {
  const std::int64_t L = shape.layers;
  const std::int64_t T = shape.context;
  const std::int64_t d = shape.width;
  const std::int64_t r = shape.rank;
  const std::int64_t N = 12 * L * d * d + d * Grammar::vocabulary;
  const std::int64_t R = 16 * L * d * r;
  const std::int64_t attention = 4 * L * T * d;
  const std::int64_t forward = 2 * N + 2 * R + attention;
  if (r == 0) return {forward, 6 * N + 3 * attention};
  return {forward, 4 * N + 6 * R + 3 * attention - 6 * d * d - 2 * d * r};
}

}  // namespace training
