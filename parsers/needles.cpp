#include "parsers/needles.hpp"

#include <cassert>
#include <utility>

namespace shakedown {

Needles::Needles(std::vector<std::string_view> needles) : needles_(std::move(needles)) {
  for (const std::string_view needle : needles_) {
    assert(needle.size() >= shortest);
    for (size_t before = 0; before < 2; ++before) {
      std::uint16_t& first = first_[slot(needle.data() + before)];
      following_.push_back(std::exchange(first, static_cast<std::uint16_t>(following_.size() + 1)));
    }
  }
}

}  // namespace shakedown
