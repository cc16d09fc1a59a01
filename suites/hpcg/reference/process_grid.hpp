#pragma once

#include "suites/hpcg/reference/box.hpp"

namespace hpcg {

/// The grid that HPCG 3.1 gives `ranks`: of all products of three factors the one with the smallest surface.
///
/// Source: HPCG 3.1, ComputeOptimalShapeXYZ.cpp, with its order among equals.
Box process_grid(int ranks);

}  // namespace hpcg
