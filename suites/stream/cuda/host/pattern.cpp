#include "suites/stream/cuda/host/pattern.hpp"

#include <cmath>
#include <limits>

namespace stream_cuda {

std::uint64_t wrong_words(const std::uint64_t* words, std::size_t count, std::uint64_t salt) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) wrong += words[i] != pattern_word(salt, i) ? 1 : 0;
  return wrong;
}

std::array<double, 3> final_values(int times) {
  auto [a, b, c] = first_values;
  for (int time = 0; time < times; ++time) {
    c = a;
    b = scalar * c;
    c = a + b;
    a = b + scalar * c;
  }
  return {a, b, c};
}

double largest_error(const double* values, std::size_t count, double expected) {
  double most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double error = std::fabs((values[i] - expected) / expected);
    if (!(error <= most)) most = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
  }
  return most;
}

}  // namespace stream_cuda
