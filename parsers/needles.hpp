#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace shakedown {

/// Finds which of several texts stand in a long one, all in one pass: a table by four neighbouring bytes says
/// which may begin there, and only those are compared. Each needle is in it by its first four bytes and by
/// the four from its second on, so that only every other place has to be looked at.
class Needles {
 public:
  static constexpr size_t shortest = 5;  ///< bytes

  /// Each of at least `shortest` bytes, at most 32,767 of them; they must outlive this.
  explicit Needles(std::vector<std::string_view> needles);

  /// Calls `found(i)` for each place in `text` at which the needle `i` stands.
  template <class Found>
  void search(std::string_view text, Found found) const {
    const auto look = [&](size_t at) {
      for (std::uint16_t next = first_[slot(text.data() + at)]; next != 0; next = following_[next - 1U]) {
        const size_t needle = (next - 1U) / 2;
        const size_t before = (next - 1U) % 2;  // bytes of the needle before the four
        if (at >= before && text.substr(at - before).starts_with(needles_[needle])) found(needle);
      }
    };
    constexpr size_t step = 2;
    constexpr size_t together = 4;  // a branch for each place costs more than the look
    size_t at = 0;
    for (; at + (together - 1) * step + width <= text.size(); at += together * step) {
      const char* place = text.data() + at;
      const unsigned any = first_[slot(place)] | first_[slot(place + step)] | first_[slot(place + 2 * step)] |
                           first_[slot(place + 3 * step)];
      if (any != 0)
        for (size_t i = 0; i < together; ++i) look(at + i * step);
    }
    for (; at + width <= text.size(); at += step) look(at);
  }

 private:
  static constexpr size_t width = 4;         ///< bytes that are looked at together
  static constexpr unsigned slot_bits = 13;  ///< the table stays in the first-level cache

  /// Four bytes hashed by a multiplication (Knuth, TAOCP 3, 6.4), in this machine's order of bytes.
  static size_t slot(const char* at) {
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return (value * 2654435769U) >> (32U - slot_bits);
  }
  std::vector<std::string_view> needles_;
  std::array<std::uint16_t, 1U << slot_bits> first_{};  ///< 1 + 2 x needle + bytes before the four; 0: none
  std::vector<std::uint16_t> following_;                ///< the next in the same slot
};

}  // namespace shakedown
