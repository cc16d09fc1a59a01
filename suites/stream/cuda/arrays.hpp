#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "suites/kernel/cuda/gpus.hpp"
#include "suites/stream/cuda/device.hpp"
#include "suites/stream/cuda/host/pattern.hpp"

namespace stream_cuda {

/// STREAM's arrays in the memory of the GPU that was current when they were made.
class Arrays {
 public:
  explicit Arrays(std::size_t elements);
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;
  ~Arrays();
  void fill();
  /// Runs one kernel; seconds by the GPU's own clock.
  double run(std::size_t kernel);
  /// The largest relative error of a, b and c after all kernels ran `times` times: of all elements as the GPU
  /// finds it, and of a part of them as the host does.
  std::array<double, 3> errors(int times);

 private:
  double error(const double* values, double expected);

  kernel::DeviceMemory a_;
  kernel::DeviceMemory b_;
  kernel::DeviceMemory c_;
  kernel::DeviceMemory found_;
  DeviceArrays arrays_;
  kernel::StreamTimer timer_;
  cudaStream_t stream_ = nullptr;
};

/// Seconds of each run but the first, by kernel.
using Seconds = std::array<std::vector<double>, kernels.size()>;

/// All kernels `times` times on freshly filled arrays.
Seconds run_alone(Arrays& arrays, int times);

/// The same on all GPUs, each kernel starting on all at once: seconds until the slowest of them has ended.
Seconds run_together(const std::vector<kernel::Gpu>& gpus, const std::vector<Arrays*>& arrays, int times);

}  // namespace stream_cuda
