#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <thread>
#include <tl/expected.hpp>
#include <vector>

namespace kernel {

/// A GPU of this node, as CUDA shows it.
struct Gpu {
  std::string name;        ///< "NVIDIA H100 80GB HBM3"
  std::string pci;         ///< "00000000:19:00.0"
  int capability = 0;      ///< compute capability: 90 for 9.0
  std::size_t memory = 0;  ///< bytes
  std::size_t l2_bytes = 0;
};

/// The GPUs to use: those that are visible, of which there must be `wanted` (0: at least one). Fails with one
/// sentence where there is no driver, no GPU, or another number of them.
tl::expected<std::vector<Gpu>, std::string> usable_gpus(int wanted);

/// "Device 0: NVIDIA H100 80GB HBM3, sm_90, 00000000:19:00.0" for each.
void print_devices(const std::vector<Gpu>& gpus);

/// Ends the program with exit code `no_gpu` and one sentence unless the call succeeded: an error of a GPU is
/// not to be recovered from.
void demand(cudaError_t status, std::string_view what);

/// Lets this thread run on the processors next to the GPU alone, where Linux names them: what it allocates
/// and copies from lies there.
void stay_near(const Gpu& gpu);

/// Runs `work(gpu)` in a thread for each GPU at the same time, that GPU being the current one there.
template <class Work>
void on_each_gpu(const std::vector<Gpu>& gpus, const Work& work) {
  std::vector<std::thread> threads;
  for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu)
    threads.emplace_back([&, gpu] {
      demand(cudaSetDevice(static_cast<int>(gpu)), "choosing a GPU");
      stay_near(gpus[gpu]);
      work(gpu);
    });
  for (std::thread& thread : threads) thread.join();
}

/// Memory of the current GPU.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes);
  DeviceMemory(DeviceMemory&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();
  template <class Item>
  [[nodiscard]] Item* as() const {
    return static_cast<Item*>(data_);
  }

 private:
  void* data_ = nullptr;
};

/// Seconds between two points of a stream's work, measured by the GPU.
class StreamTimer {
 public:
  StreamTimer();
  StreamTimer(const StreamTimer&) = delete;
  StreamTimer& operator=(const StreamTimer&) = delete;
  ~StreamTimer();
  void start(cudaStream_t stream);
  /// Waits until the stream has done all of its work.
  double stop(cudaStream_t stream);

 private:
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

}  // namespace kernel
