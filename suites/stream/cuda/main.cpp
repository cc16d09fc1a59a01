// The STREAM screen of GPUs: what the memory of each GPU of this node delivers alone and of all at the same
// time, and what the ways between host and GPUs and among the GPUs carry.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "suites/kernel/cuda/gpus.hpp"
#include "suites/kernel/option.hpp"
#include "suites/stream/cuda/arrays.hpp"
#include "suites/stream/cuda/host/options.hpp"
#include "suites/stream/cuda/transfers.hpp"

namespace stream_cuda {
namespace {

using Gpus = std::vector<kernel::Gpu>;

constexpr auto line = "-------------------------------------------------------------\n";
constexpr double mega = 1e6;
constexpr std::size_t caches_times = 4;  // what STREAM demands of an array

void print_head(const Options& options, const Gpus& gpus, std::size_t l2_bytes) {
  std::printf(
      "shakedown STREAM cuda 0.1.0  --  copy, scale, add and triad on each GPU alone, then on all at "
      "once\n%s",
      line);
  std::printf("This system uses %zu bytes per array element.\n", sizeof(double));
  std::printf("GPUs: %zu\n", gpus.size());
  kernel::print_devices(gpus);
  std::printf("L2 cache of a GPU = %zu (bytes)\n", l2_bytes);
  std::printf("Total Aggregate Array size = %zu (elements)\n",
              static_cast<std::size_t>(options.elements) * gpus.size());
  std::printf("Each kernel will be executed %d times.\n", options.times);
  std::printf(" The *best* time for each kernel (excluding the first iteration)\n");
  std::printf(" will be used to compute the reported bandwidth.\n%s", line);
  std::fflush(stdout);
}

double bytes_of(std::size_t kernel, double elements) {
  return 8.0 * kernels.at(kernel).arrays * elements;
}

void print_alone(std::size_t gpu, const Seconds& seconds, int elements) {
  std::printf("GPU %zu:", gpu);
  for (std::size_t kernel = 0; kernel < kernels.size(); ++kernel)
    std::printf(" %s = %.1f", kernels.at(kernel).name,
                bytes_of(kernel, elements) /
                    *std::min_element(seconds[kernel].begin(), seconds[kernel].end()) / mega);
  std::printf(" MB/s\n");
  std::fflush(stdout);
}

void print_table(const Seconds& seconds, double elements) {
  std::printf("%sFunction    Best Rate MB/s  Avg time     Min time     Max time\n", line);
  for (std::size_t kernel = 0; kernel < kernels.size(); ++kernel) {
    const std::vector<double>& times = seconds[kernel];
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    const double average =
        std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    std::printf("%-12s%11.1f  %11.6f  %11.6f  %11.6f\n", (std::string(kernels.at(kernel).name) + ":").c_str(),
                bytes_of(kernel, elements) / *least / mega, average, *least, *most);
  }
  std::printf("%s", line);
  std::fflush(stdout);
}

/// Whether the arrays of a GPU are right.
bool validate(Arrays& arrays, std::size_t gpu, int times) {
  constexpr std::array names = {"a", "b", "c"};
  const std::array<double, 3> errors = arrays.errors(times);
  bool good = true;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (errors.at(i) <= most_error) continue;
    good = false;
    std::printf("Failed Validation on array %s[] of GPU %zu, largest relative error %e > %e\n", names.at(i),
                gpu, errors.at(i), most_error);
  }
  return good;
}

bool measure_memory(const Options& options, const Gpus& gpus) {
  std::vector<std::unique_ptr<Arrays>> owned(gpus.size());
  kernel::on_each_gpu(gpus, [&](std::size_t gpu) {
    owned[gpu] = std::make_unique<Arrays>(static_cast<std::size_t>(options.elements));
  });
  bool good = true;
  const auto check = [&](std::size_t gpu) {
    kernel::demand(cudaSetDevice(static_cast<int>(gpu)), "choosing a GPU");
    good = validate(*owned[gpu], gpu, options.times) && good;
  };
  std::vector<Arrays*> arrays;
  for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) {
    kernel::demand(cudaSetDevice(static_cast<int>(gpu)), "choosing a GPU");
    print_alone(gpu, run_alone(*owned[gpu], options.times), options.elements);
    check(gpu);
    arrays.push_back(owned[gpu].get());
  }
  print_table(run_together(gpus, arrays, options.times),
              static_cast<double>(options.elements) * static_cast<double>(gpus.size()));
  for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) check(gpu);
  return good;
}

bool measure_transfers(const Gpus& gpus) {
  Transfers transfers(gpus);
  const auto print = [](const std::string& who, const HostRates& rates) {
    std::printf("%s: Host to GPU = %.1f GPU to host = %.1f MB/s\n", who.c_str(), rates.to_gpu / mega,
                rates.to_host / mega);
    std::fflush(stdout);
  };
  for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu)
    print("GPU " + std::to_string(gpu), transfers.alone(gpu));
  print("All GPUs", transfers.together());
  for (std::size_t from = 0; from < gpus.size(); ++from)
    for (std::size_t to = 0; to < gpus.size(); ++to) {
      if (from == to) continue;
      bool direct = false;
      const double rate = transfers.between(from, to, direct);
      std::printf("GPU %zu to GPU %zu = %.1f MB/s, %s\n", from, to, rate / mega,
                  direct ? "direct" : "through the host");
    }
  for (const std::string& sentence : transfers.wrong())
    std::printf("Failed Validation on %s\n", sentence.c_str());
  return transfers.wrong().empty();
}

constexpr auto no_gpu_hint =
    "\nhint: run it on a node with NVIDIA GPUs and their driver, in a job that asks for them";

int refused(const std::string& sentence, int code) {
  std::fprintf(stderr, "stream-cuda: %s\n", sentence.c_str());
  return code;
}

int measure(const Options& options) {
  const auto gpus = kernel::usable_gpus(options.gpus);
  if (!gpus) return refused(gpus.error() + no_gpu_hint, kernel::no_gpu);
  std::size_t l2_bytes = 0;
  std::size_t memory = gpus->front().memory;
  for (const kernel::Gpu& gpu : *gpus) {
    l2_bytes = std::max(l2_bytes, gpu.l2_bytes);
    memory = std::min(memory, gpu.memory);
  }
  const std::size_t array = static_cast<std::size_t>(options.elements) * sizeof(double);
  if (array < caches_times * l2_bytes)
    return refused("arrays of " + std::to_string(array) + " bytes are less than four times the L2 cache of " +
                       std::to_string(l2_bytes) + "\nhint: choose a larger --elements",
                   kernel::wrong_input);
  if (3 * array > memory)
    return refused("three arrays of " + std::to_string(array) + " bytes don't fit in a GPU's memory of " +
                       std::to_string(memory) + "\nhint: choose a smaller --elements",
                   kernel::wrong_input);
  print_head(options, *gpus, l2_bytes);
  const bool memory_good = measure_memory(options, *gpus);
  const bool good = measure_transfers(*gpus) && memory_good;
  if (good)
    std::printf(
        "Solution Validates: largest error less than %e on all arrays, every copy holds what was sent\n",
        most_error);
  std::printf("%sEnd of stream.\n", line);
  return good ? kernel::passed : kernel::failed_check;
}

}  // namespace
}  // namespace stream_cuda

int main(int argc, char** argv) {
  const auto options = stream_cuda::parse_options(argc, argv);
  if (!options)
    return stream_cuda::refused(options.error() + "\nhint: stream-cuda --help", kernel::wrong_input);
  if (options->help) {
    std::fputs(stream_cuda::usage, stdout);
    return kernel::passed;
  }
  return stream_cuda::measure(*options);
}
