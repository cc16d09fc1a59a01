#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace shakedown {

/// SHA-256 of data that comes in pieces.
class Sha256 {
 public:
  Sha256();
  Sha256(Sha256&& other) noexcept;
  Sha256& operator=(Sha256&& other) noexcept;
  ~Sha256();
  void add(std::string_view piece);
  /// Of all pieces, as 64 lower-case hexadecimal digits. To be called once.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shakedown
