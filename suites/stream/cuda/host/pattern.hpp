#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define STREAM_CUDA_BOTH __host__ __device__
#else
#define STREAM_CUDA_BOTH
#endif

namespace stream_cuda {

/// Word number `index` of the pattern that transfers carry; each `salt` gives another one.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014 (SplitMix64).
STREAM_CUDA_BOTH inline std::uint64_t pattern_word(std::uint64_t salt, std::uint64_t index) {
  std::uint64_t z = (salt << 40) + index + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// Words that are not those of the pattern.
std::uint64_t wrong_words(const std::uint64_t* words, std::size_t count, std::uint64_t salt);

/// STREAM's kernels in the order in which they run, and the arrays that each reads and writes.
struct Kernel {
  const char* name;
  int arrays;
};
inline constexpr std::array kernels = {Kernel{"Copy", 2}, Kernel{"Scale", 2}, Kernel{"Add", 3},
                                       Kernel{"Triad", 3}};

inline constexpr double scalar = 3;
inline constexpr std::array<double, 3> first_values = {2, 2, 0};

/// What a, b and c hold everywhere after all kernels ran `times` times. Copy: c = a. Scale: b = 3 c. Add: c =
/// a + b. Triad: a = b + 3 c. Source: STREAM 5.10, checkSTREAMresults.
std::array<double, 3> final_values(int times);

/// The largest relative error of an array; infinite where it holds a nan.
double largest_error(const double* values, std::size_t count, double expected);

inline constexpr double most_error = 1e-13;  ///< as STREAM's for 8 bytes an element

}  // namespace stream_cuda
