// What the published results state of their GPUs is what the catalogue of accelerators states.
#include <catch2/catch.hpp>

#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/plan/evidence.hpp"
#include "tests/suites/inventories.hpp"

using namespace shakedown;
using namespace shakedown::tests;

namespace {

struct Basis {
  const char* suite;
  const char* implementation;
  std::optional<double> (*of)(const GpuPeak&);
};

std::optional<double> fp64_gflops(const GpuPeak& peak) {
  return 1000 * peak.fp64_tensor_tflops.value_or(peak.fp64_vector_tflops.value_or(0));
}
std::optional<double> bandwidth_gb_s(const GpuPeak& peak) {
  return peak.memory_bandwidth_gb_s;
}
std::optional<double> fp8_tflops(const GpuPeak& peak) {
  return peak.fp8_dense_tflops;
}

/// Boards that were made for single systems: no data sheet states them.
bool is_made_for_a_system(const PublishedResult& row) {
  return row.gpu == "a100 64gb" || (row.gpu == "h100" && (row.basis == 2020 || row.basis == 2400));
}

/// Whether one of the catalogue's GPUs with this word states the row's basis, but for rounding.
bool is_in_catalogue(const PublishedResult& row, const Basis& basis) {
  constexpr double rounding = 0.002;
  const std::array<std::string_view, 1> word = {row.gpu};
  return std::ranges::any_of(accelerators(), [&](const Accelerator& each) {
    Gpu gpu;
    gpu.model = each.names.empty() ? each.family : each.names.front();
    const auto stated = basis.of(each.peak);
    return !gpu_word(gpu, word).empty() && stated && std::abs(*stated / row.basis - 1) < rounding;
  });
}

}  // namespace

TEST_CASE("the basis of each published result is what the catalogue states of such a GPU") {
  for (const Basis& basis : {Basis{"hpl", "nvidia", fp64_gflops}, Basis{"hpcg", "nvidia", bandwidth_gb_s},
                             Basis{"mlperf", "nvidia-llama2_70b_lora", fp8_tflops}}) {
    const Implementation implementation = shipped(basis.suite, basis.implementation);
    CHECK(implementation.results.size() > 60);
    for (const PublishedResult& row : implementation.results) {
      CAPTURE(basis.suite, row.system, row.gpu, row.basis);
      CHECK(is_in_catalogue(row, basis) != is_made_for_a_system(row));
    }
  }
}
