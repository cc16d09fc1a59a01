#include "suites/mlperf/reference/flops.hpp"

#include "suites/mlperf/reference/grammar.hpp"

namespace training {

FlopsPerToken flops_per_token(const Shape& shape) {
  const std::int64_t L = shape.layers;
  const std::int64_t T = shape.context;
  const std::int64_t d = shape.width;
  const std::int64_t r = shape.rank;
  const std::int64_t N = 12 * L * d * d + d * Grammar::vocabulary;
  const std::int64_t R = 16 * L * d * r;
  const std::int64_t attention = 4 * L * T * d;
  const std::int64_t forward = 2 * N + 2 * R + attention;
  if (r == 0) return {forward, 6 * N + 3 * attention};
  return {forward, 4 * N + 6 * R + 3 * attention - 6 * d * d - 2 * d * r};
}

}  // namespace training
