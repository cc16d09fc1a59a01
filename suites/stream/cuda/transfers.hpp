#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "suites/kernel/cuda/gpus.hpp"

namespace stream_cuda {

/// Rates between host and GPU, in bytes per second.
struct HostRates {
  double to_gpu = 0;
  double to_host = 0;
};

/// What is copied between host and GPUs and among GPUs, each copy checked word by word where it arrived.
class Transfers {
 public:
  static constexpr std::size_t bytes = std::size_t{256} << 20;  ///< of a copy

  explicit Transfers(const std::vector<kernel::Gpu>& gpus);
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;
  ~Transfers();

  HostRates alone(std::size_t gpu);
  /// All GPUs at the same time: the sum of their rates.
  HostRates together();
  /// From one GPU to another; `direct` is set where neither the host nor its memory takes part.
  double between(std::size_t from, std::size_t to, bool& direct);
  /// A sentence of each copy that arrived wrong.
  [[nodiscard]] const std::vector<std::string>& wrong() const { return wrong_; }

 private:
  struct End;  ///< one GPU and the host's memory near it
  double best_copy(End& end, cudaMemcpyKind kind);
  void check(const std::string& what, std::uint64_t wrong_words);
  std::uint64_t wrong_on_gpu(End& end, std::uint64_t salt);
  void send_pattern(End& end, std::uint64_t salt);

  const std::vector<kernel::Gpu>& gpus_;
  std::vector<std::unique_ptr<End>> ends_;
  std::vector<std::string> wrong_;
};

}  // namespace stream_cuda
