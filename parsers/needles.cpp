#include "parsers/needles.hpp"

#include <utility>

namespace shakedown {

Needles::Needles(std::vector<std::string_view> needles) : needles_(std::move(needles)) {
  for (size_t i = 0; i < needles_.size(); ++i) {
    std::uint8_t& first = first_[pair(needles_[i].data())];
    following_.push_back(std::exchange(first, static_cast<std::uint8_t>(i + 1)));
  }
}

}  // namespace shakedown
