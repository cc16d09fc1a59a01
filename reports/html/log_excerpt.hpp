#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/template.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// A text with the number of each line in front, from 1. Of a long one beginning and end, cut at line ends,
/// with a mark between them. `bytes`: the whole file's, of which it may be an excerpt; its end has no numbers
/// then.
struct NumberedText {
  std::string text;
  std::size_t left_out = 0;  ///< bytes
};
NumberedText numbered_text(std::string_view text, std::size_t most_bytes, std::size_t bytes);

/// The logs of a case's last attempts, shortened, with path and SHA-256 of the whole.
std::vector<Fields> log_excerpts(const MeasuredCase& record);

}  // namespace shakedown
