#pragma once
#include <span>
#include <vector>

#include "reports/html/template.hpp"
#include "reports/suite_figures.hpp"

namespace shakedown {

/// What was measured, a row for each figure: beside prediction and peak.
std::vector<Fields> suite_rows(std::span<const SuiteFigure> figures);

}  // namespace shakedown
