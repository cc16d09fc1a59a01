#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace shakedown {

/// Finds which of several texts stand in a long one, all in one pass and at about a byte a cycle: a table by
/// two neighbouring bytes says which may begin there, and only those are compared.
class Needles {
 public:
  /// Each of at least two bytes, at most 255 of them; they must outlive this.
  explicit Needles(std::vector<std::string_view> needles);

  /// Calls `found(i)` for each place in `text` at which the needle `i` stands.
  template <class Found>
  void search(std::string_view text, Found found) const {
    const auto look = [&](size_t at) {
      for (std::uint8_t next = first_[pair(text.data() + at)]; next != 0; next = following_[next - 1U])
        if (text.substr(at).starts_with(needles_[next - 1U])) found(static_cast<size_t>(next - 1U));
    };
    size_t at = 0;
    for (; at + 4 < text.size(); at += 4) {  // four at a time: a branch for each costs more than the look
      const char* four = text.data() + at;
      const unsigned any =
          first_[pair(four)] | first_[pair(four + 1)] | first_[pair(four + 2)] | first_[pair(four + 3)];
      if (any != 0)
        for (size_t i = 0; i < 4; ++i) look(at + i);
    }
    for (; at + 1 < text.size(); ++at) look(at);
  }

 private:
  /// Two bytes as a number, in this machine's order: only the table cares.
  static std::uint16_t pair(const char* at) {
    std::uint16_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  std::vector<std::string_view> needles_;
  std::array<std::uint8_t, 1U << 16U> first_{};  ///< the needle that begins with a pair, from 1 on; 0: none
  std::vector<std::uint8_t> following_;          ///< the next that begins alike, by needle
};

}  // namespace shakedown
