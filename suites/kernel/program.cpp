#include "suites/kernel/program.hpp"

#include <cmath>

#include "suites/kernel/buffer.hpp"

namespace kernel {
double largest_of_all(double value) {
  double nan = std::isnan(value) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &nan, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return nan > 0 ? std::nan("") : value;
}

bool on_all_ranks(bool holds) {
  int all = holds ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all == 1;
}

bool fits_on_all_nodes(double bytes_of_this_rank) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Allreduce(MPI_IN_PLACE, &bytes_of_this_rank, 1, MPI_DOUBLE, MPI_SUM, node);
  MPI_Comm_free(&node);
  return on_all_ranks(bytes_of_this_rank < static_cast<double>(physical_memory()));
}

}  // namespace kernel
