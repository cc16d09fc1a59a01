#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace training {

/// A matrix within the parameters, by rows.
struct Segment {
  std::string name;  ///< "layer 0 up"
  std::size_t offset = 0;
  std::size_t size = 0;
  bool decays = false;  ///< weight decay applies: matrices, but no gains and no embeddings
};

/// The parameters of a model one behind the other, and their gradients in the same order: so that reducing,
/// clipping and updating are one pass each.
template <class Real>
class Parameters {
 public:
  /// Its number. All must be added before the values are used.
  std::size_t add(std::string name, std::size_t size, bool decays) {
    segments_.push_back({std::move(name), values_.size(), size, decays});
    values_.resize(values_.size() + size);
    gradients_.resize(values_.size());
    return segments_.size() - 1;
  }

  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  [[nodiscard]] std::span<Real> values() { return values_; }
  [[nodiscard]] std::span<const Real> values() const { return values_; }
  [[nodiscard]] std::span<Real> gradients() { return gradients_; }
  [[nodiscard]] Real* value(std::size_t number) { return values_.data() + segments_[number].offset; }
  [[nodiscard]] Real* gradient(std::size_t number) { return gradients_.data() + segments_[number].offset; }

 private:
  std::vector<Segment> segments_;
  std::vector<Real> values_;
  std::vector<Real> gradients_;
};

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
