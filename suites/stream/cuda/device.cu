// All that runs on the GPUs themselves: few kernels and no templates, since each is compiled for each
// architecture.
#include "suites/stream/cuda/device.hpp"

#include "suites/stream/cuda/host/pattern.hpp"

namespace stream_cuda {
namespace {

constexpr unsigned threads = 512;
constexpr unsigned blocks_of_loops = 1024;

__device__ std::size_t here() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::size_t step() {
  return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

// A thread takes two elements, 16 bytes, of each array.

__global__ void copy(const double2* a, double2* c, std::size_t pairs) {
  if (const std::size_t i = here(); i < pairs) c[i] = a[i];
}

__global__ void scale(double2* b, const double2* c, std::size_t pairs) {
  if (const std::size_t i = here(); i < pairs) {
    const double2 from = c[i];
    b[i] = make_double2(scalar * from.x, scalar * from.y);
  }
}

__global__ void add(const double2* a, const double2* b, double2* c, std::size_t pairs) {
  if (const std::size_t i = here(); i < pairs) {
    const double2 one = a[i];
    const double2 two = b[i];
    c[i] = make_double2(one.x + two.x, one.y + two.y);
  }
}

__global__ void triad(double2* a, const double2* b, const double2* c, std::size_t pairs) {
  if (const std::size_t i = here(); i < pairs) {
    const double2 one = b[i];
    const double2 two = c[i];
    a[i] = make_double2(one.x + scalar * two.x, one.y + scalar * two.y);
  }
}

__global__ void set(double* a, double* b, double* c, std::size_t elements, double of_a, double of_b,
                    double of_c) {
  for (std::size_t i = here(); i < elements; i += step()) {
    a[i] = of_a;
    b[i] = of_b;
    c[i] = of_c;
  }
}

/// The bits of numbers above 0 are in their order, and those of an infinity above all.
__global__ void largest(const double* values, std::size_t elements, double expected, double* error) {
  double most = 0;
  for (std::size_t i = here(); i < elements; i += step()) {
    const double one = fabs((values[i] - expected) / expected);
    if (!(one <= most)) most = isnan(one) ? __longlong_as_double(0x7ff0000000000000LL) : one;
  }
  atomicMax(reinterpret_cast<unsigned long long*>(error),
            static_cast<unsigned long long>(__double_as_longlong(most)));
}

__global__ void write(std::uint64_t* words, std::size_t count, std::uint64_t salt) {
  for (std::size_t i = here(); i < count; i += step()) words[i] = pattern_word(salt, i);
}

__global__ void compare(const std::uint64_t* words, std::size_t count, std::uint64_t salt,
                        std::uint64_t* wrong) {
  unsigned long long mine = 0;
  for (std::size_t i = here(); i < count; i += step()) mine += words[i] != pattern_word(salt, i) ? 1 : 0;
  if (mine > 0) atomicAdd(reinterpret_cast<unsigned long long*>(wrong), mine);
}

double2* pairs_of(double* array) {
  return reinterpret_cast<double2*>(array);
}

}  // namespace

void fill(const DeviceArrays& arrays, cudaStream_t stream) {
  set<<<blocks_of_loops, threads, 0, stream>>>(arrays.a, arrays.b, arrays.c, arrays.elements, first_values[0],
                                               first_values[1], first_values[2]);
}

void run(const DeviceArrays& arrays, std::size_t kernel, cudaStream_t stream) {
  const std::size_t pairs = arrays.elements / 2;
  const auto blocks = static_cast<unsigned>((pairs + threads - 1) / threads);
  double2* const a = pairs_of(arrays.a);
  double2* const b = pairs_of(arrays.b);
  double2* const c = pairs_of(arrays.c);
  switch (kernel) {
    case 0:
      copy<<<blocks, threads, 0, stream>>>(a, c, pairs);
      break;
    case 1:
      scale<<<blocks, threads, 0, stream>>>(b, c, pairs);
      break;
    case 2:
      add<<<blocks, threads, 0, stream>>>(a, b, c, pairs);
      break;
    default:
      triad<<<blocks, threads, 0, stream>>>(a, b, c, pairs);
  }
}

void find_error(const double* values, std::size_t elements, double expected, double* error,
                cudaStream_t stream) {
  largest<<<blocks_of_loops, threads, 0, stream>>>(values, elements, expected, error);
}

void write_pattern(std::uint64_t* words, std::size_t count, std::uint64_t salt, cudaStream_t stream) {
  write<<<blocks_of_loops, threads, 0, stream>>>(words, count, salt);
}

void count_wrong(const std::uint64_t* words, std::size_t count, std::uint64_t salt, std::uint64_t* wrong,
                 cudaStream_t stream) {
  compare<<<blocks_of_loops, threads, 0, stream>>>(words, count, salt, wrong);
}

}  // namespace stream_cuda
