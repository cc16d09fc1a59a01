#include "suites/stream/cuda/transfers.hpp"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <utility>

#include "suites/stream/cuda/device.hpp"
#include "suites/stream/cuda/host/pattern.hpp"

namespace stream_cuda {
namespace {

constexpr std::size_t words = Transfers::bytes / sizeof(std::uint64_t);
constexpr int copies = 5;  // the first of them does not count
constexpr int copies_together = 10;

/// A pattern of its own for each copy that is checked.
std::uint64_t salt_of(std::size_t from, std::size_t to, std::uint64_t what) {
  return 1 + (static_cast<std::uint64_t>(from) << 16 | static_cast<std::uint64_t>(to) << 8 | what);
}
constexpr std::uint64_t to_gpu = 0;
constexpr std::uint64_t to_host = 1;
constexpr std::uint64_t among = 2;
constexpr std::uint64_t all_to_gpu = 3;
constexpr std::uint64_t all_to_host = 4;

/// Lets two GPUs reach into each other's memory, or no longer: without NVSwitch a GPU reaches eight at most.
void set_way(int one, int other, bool open) {
  for (const auto& [gpu, peer] : {std::pair{one, other}, std::pair{other, one}}) {
    kernel::demand(cudaSetDevice(gpu), "choosing a GPU");
    kernel::demand(open ? cudaDeviceEnablePeerAccess(peer, 0) : cudaDeviceDisablePeerAccess(peer),
                   open ? "opening the way between GPUs" : "closing the way between GPUs");
  }
}

}  // namespace

struct Transfers::End {
  kernel::DeviceMemory device{bytes};
  kernel::DeviceMemory arrived{bytes};
  kernel::DeviceMemory wrong{sizeof(std::uint64_t)};
  kernel::StreamTimer timer;
  std::uint64_t* host = nullptr;
  cudaStream_t stream = nullptr;

  End() {
    void* memory = nullptr;
    kernel::demand(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), "allocating memory of the host");
    host = static_cast<std::uint64_t*>(memory);
    kernel::demand(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  }
  End(const End&) = delete;
  End& operator=(const End&) = delete;
  ~End() {
    cudaStreamDestroy(stream);
    cudaFreeHost(host);
  }

  void write_host(std::uint64_t salt) const {
    for (std::size_t i = 0; i < words; ++i) host[i] = pattern_word(salt, i);
  }

  void copy(cudaMemcpyKind kind) {
    void* const on_gpu = device.as<void>();
    const bool down = kind == cudaMemcpyHostToDevice;
    kernel::demand(cudaMemcpyAsync(down ? on_gpu : host, down ? host : on_gpu, bytes, kind, stream),
                   "copying");
  }
};

Transfers::Transfers(const std::vector<kernel::Gpu>& gpus) : gpus_(gpus), ends_(gpus.size()) {
  kernel::on_each_gpu(gpus, [&](std::size_t gpu) { ends_[gpu] = std::make_unique<End>(); });
}

Transfers::~Transfers() = default;

void Transfers::check(const std::string& what, std::uint64_t wrong_words) {
  if (wrong_words > 0)
    wrong_.push_back("the copy " + what + ", " + std::to_string(wrong_words) + " of " +
                     std::to_string(words) + " words are wrong");
}

std::uint64_t Transfers::wrong_on_gpu(End& end, std::uint64_t salt) {
  std::uint64_t found = 0;
  kernel::demand(cudaMemsetAsync(end.wrong.as<void>(), 0, sizeof found, end.stream), "checking a copy");
  count_wrong(end.device.as<std::uint64_t>(), words, salt, end.wrong.as<std::uint64_t>(), end.stream);
  kernel::demand(cudaGetLastError(), "checking a copy");
  kernel::demand(cudaStreamSynchronize(end.stream), "checking a copy");
  kernel::demand(cudaMemcpy(&found, end.wrong.as<void>(), sizeof found, cudaMemcpyDeviceToHost),
                 "checking a copy");
  return found;
}

void Transfers::send_pattern(End& end, std::uint64_t salt) {
  write_pattern(end.device.as<std::uint64_t>(), words, salt, end.stream);
  kernel::demand(cudaGetLastError(), "writing a pattern");
  kernel::demand(cudaStreamSynchronize(end.stream), "writing a pattern");
}

double Transfers::best_copy(End& end, cudaMemcpyKind kind) {
  double best = 0;
  for (int copy = 0; copy < copies; ++copy) {
    end.timer.start(end.stream);
    end.copy(kind);
    const double seconds = end.timer.stop(end.stream);
    if (copy > 0) best = best > 0 ? std::min(best, seconds) : seconds;
  }
  return static_cast<double>(bytes) / best;
}

HostRates Transfers::alone(std::size_t gpu) {
  kernel::demand(cudaSetDevice(static_cast<int>(gpu)), "choosing a GPU");
  End& end = *ends_[gpu];
  HostRates rates;
  end.write_host(salt_of(gpu, gpu, to_gpu));
  rates.to_gpu = best_copy(end, cudaMemcpyHostToDevice);
  check("from the host to GPU " + std::to_string(gpu), wrong_on_gpu(end, salt_of(gpu, gpu, to_gpu)));
  send_pattern(end, salt_of(gpu, gpu, to_host));
  rates.to_host = best_copy(end, cudaMemcpyDeviceToHost);
  check("from GPU " + std::to_string(gpu) + " to the host",
        wrong_words(end.host, words, salt_of(gpu, gpu, to_host)));
  return rates;
}

HostRates Transfers::together() {
  using Clock = std::chrono::steady_clock;
  const auto rate = [&](cudaMemcpyKind kind) {
    Clock::time_point begin;
    std::barrier start(static_cast<std::ptrdiff_t>(gpus_.size()), [&]() noexcept { begin = Clock::now(); });
    kernel::on_each_gpu(gpus_, [&](std::size_t gpu) {
      start.arrive_and_wait();
      for (int copy = 0; copy < copies_together; ++copy) ends_[gpu]->copy(kind);
      kernel::demand(cudaStreamSynchronize(ends_[gpu]->stream), "copying");
    });
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return static_cast<double>(bytes) * copies_together * static_cast<double>(gpus_.size()) / seconds;
  };
  const auto on_each_in_turn = [&](const auto& work) {
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      kernel::demand(cudaSetDevice(static_cast<int>(gpu)), "choosing a GPU");
      work(gpu);
    }
  };
  HostRates rates;
  kernel::on_each_gpu(gpus_, [&](std::size_t gpu) { ends_[gpu]->write_host(salt_of(gpu, gpu, all_to_gpu)); });
  rates.to_gpu = rate(cudaMemcpyHostToDevice);
  on_each_in_turn([&](std::size_t gpu) {
    check("from the host to GPU " + std::to_string(gpu) + " beside the others",
          wrong_on_gpu(*ends_[gpu], salt_of(gpu, gpu, all_to_gpu)));
    send_pattern(*ends_[gpu], salt_of(gpu, gpu, all_to_host));
  });
  rates.to_host = rate(cudaMemcpyDeviceToHost);
  on_each_in_turn([&](std::size_t gpu) {
    check("from GPU " + std::to_string(gpu) + " to the host beside the others",
          wrong_words(ends_[gpu]->host, words, salt_of(gpu, gpu, all_to_host)));
  });
  return rates;
}

double Transfers::between(std::size_t from, std::size_t to, bool& direct) {
  const auto source = static_cast<int>(from);
  const auto target = static_cast<int>(to);
  int can = 0;
  kernel::demand(cudaDeviceCanAccessPeer(&can, target, source), "asking for the way between GPUs");
  direct = can != 0;
  if (direct) set_way(source, target, true);
  kernel::demand(cudaSetDevice(source), "choosing a GPU");
  send_pattern(*ends_[from], salt_of(from, to, among));
  double best = 0;
  for (int copy = 0; copy < copies; ++copy) {
    ends_[from]->timer.start(ends_[from]->stream);
    kernel::demand(cudaMemcpyPeerAsync(ends_[to]->arrived.as<void>(), target, ends_[from]->device.as<void>(),
                                       source, bytes, ends_[from]->stream),
                   "copying between GPUs");
    const double seconds = ends_[from]->timer.stop(ends_[from]->stream);
    if (copy > 0) best = best > 0 ? std::min(best, seconds) : seconds;
  }
  if (direct) set_way(source, target, false);
  kernel::demand(cudaSetDevice(target), "choosing a GPU");
  std::swap(ends_[to]->device, ends_[to]->arrived);
  check("from GPU " + std::to_string(from) + " to GPU " + std::to_string(to),
        wrong_on_gpu(*ends_[to], salt_of(from, to, among)));
  return static_cast<double>(bytes) / best;
}

}  // namespace stream_cuda
