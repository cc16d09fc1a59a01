#include "suites/io500/reference/world.hpp"

#include <mpi.h>
#include <vector>

namespace io500 {
namespace {

template <class Number>
Number reduced(Number value, MPI_Datatype type, MPI_Op operation) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, type, operation, MPI_COMM_WORLD);
  return value;
}

}  // namespace

World world() {
  World found;
  MPI_Comm_rank(MPI_COMM_WORLD, &found.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &found.ranks);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, found.rank, MPI_INFO_NULL, &node);
  int local = 0;
  int first = found.rank;
  MPI_Comm_rank(node, &local);
  MPI_Bcast(&first, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  found.first_of_node = local == 0;
  found.nodes = static_cast<int>(summed(local == 0 ? 1 : 0));
  std::vector<int> firsts(static_cast<size_t>(found.ranks));
  MPI_Allgather(&first, 1, MPI_INT, firsts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  // Where ranks lie in blocks, the next rank is on the same node: the shift must leave it. Source: IOR, -C
  // -Q 1.
  if (found.nodes > 1)
    while (found.shift < found.ranks && firsts[static_cast<size_t>(found.shift)] == firsts[0]) ++found.shift;
  return found;
}

std::int64_t largest(std::int64_t value) {
  return reduced(value, MPI_INT64_T, MPI_MAX);
}
double largest(double value) {
  return reduced(value, MPI_DOUBLE, MPI_MAX);
}
std::int64_t summed(std::int64_t value) {
  return reduced(value, MPI_INT64_T, MPI_SUM);
}

void barrier() {
  MPI_Barrier(MPI_COMM_WORLD);
}

std::string broadcast(std::string text) {
  auto length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

Result<void> agreed(const Result<void>& mine) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int lowest = reduced(mine ? ranks : rank, MPI_INT, MPI_MIN);
  if (lowest == ranks) return {};
  std::string words = lowest == rank ? text("rank %d: %s", rank, mine.error().c_str()) : std::string();
  auto length = static_cast<int>(words.size());
  MPI_Bcast(&length, 1, MPI_INT, lowest, MPI_COMM_WORLD);
  words.resize(static_cast<size_t>(length));
  MPI_Bcast(words.data(), length, MPI_CHAR, lowest, MPI_COMM_WORLD);
  return tl::unexpected(words);
}

double now() {
  return MPI_Wtime();
}

double seconds_since(double begin) {
  return MPI_Wtime() - begin;
}

}  // namespace io500
