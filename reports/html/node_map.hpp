#pragma once
#include <vector>

#include "reports/html/page.hpp"

namespace shakedown {

/// The map of a screen's nodes as the fields of a table: rows of ten nodes, by pod where the inventory states
/// them, else in the order of their names; each cell says how far a node lies from the median of all.
Fields node_map(const ReportInput& input, const NodeScreen& screen);

}  // namespace shakedown
