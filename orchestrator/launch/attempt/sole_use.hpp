#pragma once

namespace attempt {

/// Sole use of an object in memory that a server shares with its attempts; none where there is no server, or
/// another attempt has it. `Shared` has an atomic flag `is_held`.
template <class Shared>
class SoleUse {
 public:
  explicit SoleUse(Shared* shared)
      : shared_(shared != nullptr && !shared->is_held.test_and_set() ? shared : nullptr) {}
  ~SoleUse() {
    if (shared_ != nullptr) shared_->is_held.clear();
  }
  SoleUse(const SoleUse&) = delete;
  SoleUse& operator=(const SoleUse&) = delete;
  [[nodiscard]] Shared* get() const { return shared_; }

 private:
  Shared* shared_;
};

}  // namespace attempt
