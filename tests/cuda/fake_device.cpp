// Stands in for suites/stream/cuda/device.cu: the same functions in plain loops of the host.
// FAKE_CUDA_WRONG=triad: Triad forgets the last elements.
#include "suites/stream/cuda/device.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "suites/stream/cuda/host/pattern.hpp"

namespace stream_cuda {

void fill(const DeviceArrays& arrays, cudaStream_t) {
  std::fill_n(arrays.a, arrays.elements, first_values[0]);
  std::fill_n(arrays.b, arrays.elements, first_values[1]);
  std::fill_n(arrays.c, arrays.elements, first_values[2]);
}

void run(const DeviceArrays& arrays, std::size_t kernel, cudaStream_t) {
  const char* asked = std::getenv("FAKE_CUDA_WRONG");
  const bool forgets = asked != nullptr && std::strcmp(asked, "triad") == 0 && kernel == 3;
  for (std::size_t i = 0; i < arrays.elements - (forgets ? 2 : 0); ++i) {
    if (kernel == 0) arrays.c[i] = arrays.a[i];
    if (kernel == 1) arrays.b[i] = scalar * arrays.c[i];
    if (kernel == 2) arrays.c[i] = arrays.a[i] + arrays.b[i];
    if (kernel == 3) arrays.a[i] = arrays.b[i] + scalar * arrays.c[i];
  }
}

void find_error(const double* values, std::size_t elements, double expected, double* error, cudaStream_t) {
  *error = std::max(*error, largest_error(values, elements, expected));
}

void write_pattern(std::uint64_t* words, std::size_t count, std::uint64_t salt, cudaStream_t) {
  for (std::size_t i = 0; i < count; ++i) words[i] = pattern_word(salt, i);
}

void count_wrong(const std::uint64_t* words, std::size_t count, std::uint64_t salt, std::uint64_t* wrong,
                 cudaStream_t) {
  *wrong += wrong_words(words, count, salt);
}

}  // namespace stream_cuda
