#pragma once
#include <string>

#include "reports/html/page.hpp"

namespace shakedown {

/// The file system that a suite measured, its mount and the target folder, as far as configuration and
/// inventory state them, and which key states what is missing; empty: the suite does not measure storage.
std::string file_system_text(const ReportInput& input, std::string_view suite);

}  // namespace shakedown
