#pragma once
#include "suites/kernel/grid.hpp"
#include "tests/mpi_session.hpp"

/// A grid of this process alone.
struct OneProcess {
  OneProcess() { start_mpi(); }
};

struct LoneGrid : OneProcess, kernel::Grid {
  LoneGrid() : kernel::Grid(1, 1, kernel::Mapping::row_major) {}
};
