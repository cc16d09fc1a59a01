#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace shakedown {

/// Finds which of several texts stand in a long one, all in one pass: a table by four neighbouring bytes says
/// which may begin there, and only those are compared.
class Needles {
 public:
  static constexpr size_t shortest = 4;  ///< bytes

  /// Each of at least `shortest` bytes, at most 255 of them; they must outlive this.
  explicit Needles(std::vector<std::string_view> needles);

  /// Calls `found(i)` for each place in `text` at which the needle `i` stands.
  template <class Found>
  void search(std::string_view text, Found found) const {
    const auto look = [&](size_t at) {
      for (std::uint8_t next = first_[slot(text.data() + at)]; next != 0; next = following_[next - 1U])
        if (text.substr(at).starts_with(needles_[next - 1U])) found(static_cast<size_t>(next - 1U));
    };
    size_t at = 0;
    for (; at + 3 + shortest <= text.size(); at += 4) {  // a branch for each place costs more than the look
      const char* four = text.data() + at;
      const unsigned any =
          first_[slot(four)] | first_[slot(four + 1)] | first_[slot(four + 2)] | first_[slot(four + 3)];
      if (any != 0)
        for (size_t i = 0; i < 4; ++i) look(at + i);
    }
    for (; at + shortest <= text.size(); ++at) look(at);
  }

 private:
  static constexpr unsigned slot_bits = 14;  ///< the table stays in the first-level cache

  /// Four bytes hashed by a multiplication (Knuth, TAOCP 3, 6.4), in this machine's order of bytes.
  static size_t slot(const char* at) {
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return (value * 2654435769U) >> (32U - slot_bits);
  }
  std::vector<std::string_view> needles_;
  std::array<std::uint8_t, 1U << slot_bits> first_{};  ///< the needle that begins so, from 1 on; 0: none
  std::vector<std::uint8_t> following_;                ///< the next in the same slot, by needle
};

}  // namespace shakedown
