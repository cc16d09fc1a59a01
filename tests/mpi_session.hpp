#pragma once
#include <mpi.h>

/// MPI from the first test that asks until the program ends: of this process alone, or of as many as mpirun
/// started. Tests tagged [ranks] hold on any number of them.
inline void start_mpi() {
  struct Session {
    Session() { MPI_Init(nullptr, nullptr); }
    ~Session() { MPI_Finalize(); }
  };
  static const Session session;
}

inline int own_rank() {
  start_mpi();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int all_ranks() {
  start_mpi();
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}
