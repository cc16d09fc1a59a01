#include "suites/mlperf/reference/memory.hpp"

#include <unistd.h>

namespace training {

double memory_of(const Workload& workload) {
  const Shape& shape = workload.shape;
  const double L = shape.layers;
  const double d = shape.width;
  const double T = shape.context;
  const double parameters = 12 * L * d * d + (2.0 * Grammar::vocabulary + T) * d + 16.0 * L * d * shape.rank;
  constexpr double bytes_per_parameter = 4 * 4 + 2 * 8 + 2 * 4 + 4;
  const double kept = L * (17 * d + shape.heads * T) + 12 * d + Grammar::vocabulary;
  const double check = kept * T * (4 + 8);
  return parameters * bytes_per_parameter + kept * T * workload.micro_batch * 4 + check;
}

double memory_of_node() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace training
