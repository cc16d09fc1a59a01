// The GEMM screen of GPUs: what each GPU of this node delivers alone, and all of them at the same time, in
// each precision that they have units for.

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "suites/gemm/cuda/blas.hpp"
#include "suites/gemm/cuda/host/check.hpp"
#include "suites/gemm/cuda/host/options.hpp"
#include "suites/gemm/cuda/product.hpp"
#include "suites/kernel/cuda/gpus.hpp"
#include "suites/kernel/option.hpp"

namespace gemm_cuda {
namespace {

using Clock = std::chrono::steady_clock;
using Gpus = std::vector<kernel::Gpu>;
using Products = std::vector<std::unique_ptr<Product>>;

double gflops(int n, double products, double seconds) {
  const double order = n;
  return 2 * order * order * order * products / seconds * 1e-9;
}

/// Products that take `seconds`, where one takes `once`.
int products_in(double seconds, double once) {
  constexpr double most = 1e7;
  return static_cast<int>(std::clamp(std::ceil(seconds / std::max(once, 1e-9)), 1.0, most));
}

/// Each GPU alone, the others idle. Returns the products that the slowest of them does in a trial.
int measure_alone(const Options& options, const Precision& precision, const Products& products) {
  int least = 0;
  for (std::size_t gpu = 0; gpu < products.size(); ++gpu) {
    kernel::demand(cudaSetDevice(static_cast<int>(gpu)), "choosing a GPU");
    Product& product = *products[gpu];
    const int warm = products_in(options.seconds / 2, product.multiply(1));
    const double once = product.multiply(warm) / warm;
    const int count = products_in(options.seconds, once);
    const double seconds = product.multiply(count);
    std::printf("GPU %zu: %s GFLOP/s = %.3f time = %.3f s\n", gpu, precision.name.data(),
                gflops(options.n, count, seconds), seconds);
    std::fflush(stdout);
    least = gpu == 0 ? count : std::min(least, count);
  }
  return least;
}

/// Seconds that the slowest GPU needs for `count` products, all starting together.
double timed_together(const Gpus& gpus, const Products& products, int count) {
  Clock::time_point begin;
  std::barrier start(static_cast<std::ptrdiff_t>(gpus.size()), [&]() noexcept { begin = Clock::now(); });
  kernel::on_each_gpu(gpus, [&](std::size_t gpu) {
    start.arrive_and_wait();
    products[gpu]->multiply(count);
  });
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The trials of all GPUs at once, their best and their spread.
void measure_together(const Options& options, const Precision& precision, const Gpus& gpus,
                      const Products& products, int count) {
  kernel::on_each_gpu(gpus, [&](std::size_t gpu) { products[gpu]->spoil(); });
  timed_together(gpus, products, std::max(1, count / 2));  // all draw their power
  std::vector<double> rates;
  for (int trial = 1; trial <= options.trials; ++trial) {
    const double seconds = timed_together(gpus, products, count);
    rates.push_back(
        gflops(options.n, static_cast<double>(count) * static_cast<double>(gpus.size()), seconds));
    std::printf("Trial %d: %s GFLOP/s = %.3f time = %.3f s\n", trial, precision.name.data(), rates.back(),
                seconds);
    std::fflush(stdout);
  }
  const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
  std::printf("%s best GFLOP/s = %.3f\n%s spread %% = %.2f\n", precision.name.data(), *most,
              precision.name.data(), (*most - *least) / *most * 100);
}

/// Checks the product of every GPU and prints the worst.
bool verify(const Options& options, const Precision& precision, const Gpus& gpus, const Products& products,
            const Expected& expected) {
  std::vector<double> errors(gpus.size());
  kernel::on_each_gpu(gpus, [&](std::size_t gpu) { errors[gpu] = products[gpu]->error(expected); });
  const double bound = ProductCheck::bound(precision, options.n);
  double worst = 0;
  for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) {
    worst = std::max(worst, errors[gpu]);
    if (errors[gpu] <= bound) continue;
    std::printf("The %s product of GPU %zu is wrong: error = %.3e bound = %.3e\n", precision.name.data(), gpu,
                errors[gpu], bound);
  }
  const bool good = worst <= bound;
  std::printf(
      "%s: %s error = %.3e bound = %.3e\n",
      precision.name == "FP64" ? "Verification" : (std::string(precision.name) + " verification").c_str(),
      good ? "PASSED" : "FAILED", worst, bound);
  std::fflush(stdout);
  return good;
}

/// Why the precision is not measured on these GPUs; empty: it is.
std::string without_units(const Precision& precision, const Gpus& gpus) {
  for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu)
    if (gpus[gpu].capability < precision.capability)
      return "GPU " + std::to_string(gpu) + ", sm_" + std::to_string(gpus[gpu].capability) +
             ", has no units for it";
  return {};
}

bool measured(const Options& options, const Blas& blas, const Precision& precision, const Gpus& gpus) {
  std::string missing = without_units(precision, gpus);
  Products products(gpus.size());
  const Factors factors(options.n, precision.digits);
  if (missing.empty()) {
    const StoredFactors copies = stored(factors, precision);
    kernel::on_each_gpu(gpus, [&](std::size_t gpu) {
      products[gpu] = std::make_unique<Product>(blas, precision, options.n, copies);
    });
    for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu)
      if (!products[gpu]->available())
        missing = "cuBLASLt has no algorithm for it on GPU " + std::to_string(gpu);
  }
  if (!missing.empty()) {
    std::printf("%s not measured: %s\n", precision.name.data(), missing.c_str());
    return true;
  }
  const int count = measure_alone(options, precision, products);
  measure_together(options, precision, gpus, products, count);
  return verify(options, precision, gpus, products, Expected(factors));
}

constexpr auto no_gpu_hint =
    "\nhint: run it on a node with NVIDIA GPUs and their driver, in a job that asks for them";

int refused(const std::string& sentence, int code) {
  std::fprintf(stderr, "gemm-cuda: %s\n", sentence.c_str());
  return code;
}

int measure(const Options& options) {
  const auto gpus = kernel::usable_gpus(options.gpus);
  if (!gpus) return refused(gpus.error() + no_gpu_hint, kernel::no_gpu);
  const auto blas = loaded_blas();
  if (!blas) return refused(blas.error(), kernel::no_gpu);
  int driver = 0;
  kernel::demand(cudaDriverGetVersion(&driver), "asking for the driver's version");
  std::printf("shakedown gemm cuda 0.1.0  --  matrix products on each GPU alone, then on all GPUs at once\n");
  std::printf("GPUs: %zu  cuBLASLt: %zu  CUDA driver: %d\nN: %d\n", gpus->size(), blas->version(), driver,
              options.n);
  kernel::print_devices(*gpus);
  bool good = true;
  for (const Precision& precision : precisions) good = measured(options, *blas, precision, *gpus) && good;
  std::printf("End of gemm.\n");
  return good ? kernel::passed : kernel::failed_check;
}

}  // namespace
}  // namespace gemm_cuda

int main(int argc, char** argv) {
  const auto options = gemm_cuda::parse_options(argc, argv);
  if (!options) return gemm_cuda::refused(options.error() + "\nhint: gemm-cuda --help", kernel::wrong_input);
  if (options->help) {
    std::fputs(gemm_cuda::usage, stdout);
    return kernel::passed;
  }
  return gemm_cuda::measure(*options);
}
