#include "parsers/needles.hpp"

#include <cassert>
#include <utility>

namespace shakedown {

Needles::Needles(std::vector<std::string_view> needles) : needles_(std::move(needles)) {
  for (size_t i = 0; i < needles_.size(); ++i) {
    assert(needles_[i].size() >= shortest);
    std::uint8_t& first = first_[slot(needles_[i].data())];
    following_.push_back(std::exchange(first, static_cast<std::uint8_t>(i + 1)));
  }
}

}  // namespace shakedown
