#include "suites/mlperf/reference/block.hpp"

#include "suites/mlperf/reference/squared_relu.hpp"

namespace training {
namespace {

std::string name(int layer, const char* part) {
  return "layer " + std::to_string(layer) + " " + part;
}

}  // namespace

template <class Real>
Block<Real>::Block(Weights<Real>& weights, int layer, const Shape& shape)
    : shape_(shape),
      norm1_(weights, name(layer, "norm 1"), shape.width, shape.rank > 0),
      qkv_(weights, name(layer, "qkv"), {shape.width, 3 * shape.width, shape.rank}),
      attention_(shape.context, shape.width, shape.heads),
      project_(weights, name(layer, "project"), {shape.width, shape.width, shape.rank}),
      norm2_(weights, name(layer, "norm 2"), shape.width, shape.rank > 0),
      up_(weights, name(layer, "up"), {shape.width, 4 * shape.width, shape.rank}),
      down_(weights, name(layer, "down"), {4 * shape.width, shape.width, shape.rank}) {}

template <class Real>
void Block<Real>::forward(const Real* x, int samples, Real* y) {
  const int rows = samples * shape_.context;
  const std::size_t size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(shape_.width);
  for (auto* each : {&normed1_, &attended_, &middle_, &normed2_}) each->resize(size);
  heads_.resize(3 * size);
  hidden_.resize(4 * size);
  active_.resize(4 * size);

  norm1_.forward(x, rows, normed1_.data());
  qkv_.forward(normed1_.data(), rows, heads_.data());
  attention_.forward(heads_.data(), samples, attended_.data());
  project_.forward(attended_.data(), rows, middle_.data());
  for (std::size_t i = 0; i < size; ++i) middle_[i] += x[i];

  norm2_.forward(middle_.data(), rows, normed2_.data());
  up_.forward(normed2_.data(), rows, hidden_.data());
  squared_relu(std::span<const Real>(hidden_), std::span<Real>(active_));
  down_.forward(active_.data(), rows, y);
  for (std::size_t i = 0; i < size; ++i) y[i] += middle_[i];
}

template <class Real>
void Block<Real>::backward(const Real* x, int samples, Real* dy, bool wanted) {
  const int rows = samples * shape_.context;
  d_width_.resize(middle_.size());
  d_heads_.resize(heads_.size());
  d_hidden_.resize(hidden_.size());

  down_.backward(active_.data(), dy, rows, d_hidden_.data());
  squared_relu_backward(std::span<const Real>(hidden_), std::span<Real>(d_hidden_));
  up_.backward(normed2_.data(), d_hidden_.data(), rows, d_width_.data());
  norm2_.backward(middle_.data(), d_width_.data(), rows, dy);

  project_.backward(attended_.data(), dy, rows, d_width_.data());
  attention_.backward(heads_.data(), d_width_.data(), samples, d_heads_.data());
  qkv_.backward(normed1_.data(), d_heads_.data(), rows, wanted ? d_width_.data() : nullptr);
  if (wanted) norm1_.backward(x, d_width_.data(), rows, dy);
}

template class Block<float>;
template class Block<double>;

}  // namespace training
