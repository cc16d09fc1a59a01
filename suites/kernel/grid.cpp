#include "suites/kernel/grid.hpp"

#include <initializer_list>

namespace kernel {

Grid::Grid(int rows, int columns, Mapping order) : P(rows), Q(columns), mapping(order) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool inside = rank < P * Q;
  MPI_Comm_split(MPI_COMM_WORLD, inside ? 0 : MPI_UNDEFINED, rank, &all);
  if (!inside) return;
  p = mapping == Mapping::row_major ? rank / Q : rank % P;
  q = mapping == Mapping::row_major ? rank % Q : rank / P;
  MPI_Comm_split(all, p, q, &row);
  MPI_Comm_split(all, q, p, &column);
  MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
}

Grid::~Grid() {
  for (MPI_Comm* comm : {&all, &row, &column, &node})
    if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
}

}  // namespace kernel
