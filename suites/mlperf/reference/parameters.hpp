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

}  // namespace training
