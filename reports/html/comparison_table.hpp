#pragma once
#include <string>

#include "reports/html/page.hpp"

namespace shakedown {

/// "GPUs" for "gpus", as a reader names a condition.
std::string condition_name(const std::string& key);

/// The measured values beside the published ones, and the conditions under which they may be compared, on
/// both sides. Empty where the published values are for orientation alone.
void put_comparisons(Fields& page, const ReportInput& input);

}  // namespace shakedown
