#include "suites/hpcg/box.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace shakedown::hpcg {

double aspect(const Box& box) {
  return static_cast<double>(std::min({box.x, box.y, box.z})) /
         static_cast<double>(std::max({box.x, box.y, box.z}));
}

std::string box_text(const Box& box) {
  return fmt::format("{} x {} x {}", box.x, box.y, box.z);
}

}  // namespace shakedown::hpcg
