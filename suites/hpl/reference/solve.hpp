#pragma once

#include <vector>

#include "suites/hpl/reference/matrix.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl {

/// Solves U x = y after the factorisation, y being b's column. Collective over the grid. Each rank gets the
/// entries of x that belong to its columns, in their local order.
std::vector<double> back_substitute(const Grid& grid, const Matrix& matrix);

}  // namespace hpl
