#pragma once
#include <mpi.h>

#include "suites/kernel/grid.hpp"

/// MPI for one process without mpirun, from the first test that asks until the program ends.
inline void start_mpi() {
  struct Session {
    Session() { MPI_Init(nullptr, nullptr); }
    ~Session() { MPI_Finalize(); }
  };
  static const Session session;
}

/// A grid of this process alone.
struct OneProcess {
  OneProcess() { start_mpi(); }
};

struct LoneGrid : OneProcess, kernel::Grid {
  LoneGrid() : kernel::Grid(1, 1, kernel::Mapping::row_major) {}
};
