#include "suites/stream/cuda/arrays.hpp"

#include <algorithm>
#include <barrier>
#include <chrono>

namespace stream_cuda {

Arrays::Arrays(std::size_t elements)
    : a_(elements * sizeof(double)),
      b_(elements * sizeof(double)),
      c_(elements * sizeof(double)),
      found_(sizeof(double)),
      arrays_{a_.as<double>(), b_.as<double>(), c_.as<double>(), elements} {
  kernel::demand(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
}

Arrays::~Arrays() {
  cudaStreamDestroy(stream_);
}

void Arrays::fill() {
  stream_cuda::fill(arrays_, stream_);
  kernel::demand(cudaGetLastError(), "filling the arrays");
  kernel::demand(cudaStreamSynchronize(stream_), "filling the arrays");
}

double Arrays::run(std::size_t kernel) {
  timer_.start(stream_);
  stream_cuda::run(arrays_, kernel, stream_);
  kernel::demand(cudaGetLastError(), "starting a kernel");
  return timer_.stop(stream_);
}

double Arrays::error(const double* values, double expected) {
  double of_all = 0;
  kernel::demand(cudaMemsetAsync(found_.as<void>(), 0, sizeof(double), stream_), "checking");
  find_error(values, arrays_.elements, expected, found_.as<double>(), stream_);
  kernel::demand(cudaGetLastError(), "checking");
  kernel::demand(cudaStreamSynchronize(stream_), "checking");
  kernel::demand(cudaMemcpy(&of_all, found_.as<void>(), sizeof of_all, cudaMemcpyDeviceToHost), "checking");
  constexpr std::size_t part = std::size_t{1} << 20;
  std::vector<double> seen(std::min(part, arrays_.elements));
  const std::size_t last = arrays_.elements - seen.size();
  for (const std::size_t first : {std::size_t{0}, last / 2, last}) {
    kernel::demand(
        cudaMemcpy(seen.data(), values + first, seen.size() * sizeof(double), cudaMemcpyDeviceToHost),
        "copying an array");
    of_all = std::max(of_all, largest_error(seen.data(), seen.size(), expected));
  }
  return of_all;
}

std::array<double, 3> Arrays::errors(int times) {
  const auto [a, b, c] = final_values(times);
  return {error(arrays_.a, a), error(arrays_.b, b), error(arrays_.c, c)};
}

Seconds run_alone(Arrays& arrays, int times) {
  arrays.fill();
  Seconds seconds;
  for (int time = 0; time < times; ++time)
    for (std::size_t kernel = 0; kernel < kernels.size(); ++kernel) {
      const double one = arrays.run(kernel);
      if (time > 0) seconds[kernel].push_back(one);
    }
  return seconds;
}

Seconds run_together(const std::vector<kernel::Gpu>& gpus, const std::vector<Arrays*>& arrays, int times) {
  using Clock = std::chrono::steady_clock;
  Seconds seconds;
  Clock::time_point begin;
  double elapsed = 0;
  const auto count = static_cast<std::ptrdiff_t>(gpus.size());
  std::barrier start(count, [&]() noexcept { begin = Clock::now(); });
  std::barrier end(count,
                   [&]() noexcept { elapsed = std::chrono::duration<double>(Clock::now() - begin).count(); });
  kernel::on_each_gpu(gpus, [&](std::size_t gpu) {
    arrays[gpu]->fill();
    for (int time = 0; time < times; ++time)
      for (std::size_t kernel = 0; kernel < kernels.size(); ++kernel) {
        start.arrive_and_wait();
        arrays[gpu]->run(kernel);
        end.arrive_and_wait();
        if (gpu == 0 && time > 0) seconds[kernel].push_back(elapsed);
      }
  });
  return seconds;
}

}  // namespace stream_cuda
