#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/template.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// Beginning and end of a text, cut at line ends; nothing is cut from a short one.
struct Shortened {
  std::string text;
  size_t left_out = 0;  ///< bytes
};
Shortened shortened(std::string_view text, size_t most_bytes);

/// The logs of a case's last attempts, shortened, with path and SHA-256 of the whole.
std::vector<Fields> log_excerpts(const MeasuredCase& record);

}  // namespace shakedown
