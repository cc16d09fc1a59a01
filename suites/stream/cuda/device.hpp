#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace stream_cuda {

/// The three arrays of a GPU.
struct DeviceArrays {
  double* a = nullptr;
  double* b = nullptr;
  double* c = nullptr;
  std::size_t elements = 0;  ///< of each, an even number
};

/// Each puts its work into the stream of the current GPU and returns.

void fill(const DeviceArrays& arrays, cudaStream_t stream);
/// Runs the kernel of that number in `kernels`.
void run(const DeviceArrays& arrays, std::size_t kernel, cudaStream_t stream);
/// Writes the largest relative error of `values` to `error`, which was 0; a nan counts as infinite.
void find_error(const double* values, std::size_t elements, double expected, double* error,
                cudaStream_t stream);
void write_pattern(std::uint64_t* words, std::size_t count, std::uint64_t salt, cudaStream_t stream);
/// Adds to `wrong` the number of words that are not those of the pattern.
void count_wrong(const std::uint64_t* words, std::size_t count, std::uint64_t salt, std::uint64_t* wrong,
                 cudaStream_t stream);

}  // namespace stream_cuda
