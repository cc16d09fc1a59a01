#include "suites/hpcg/rating.hpp"

#include <cmath>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::hpcg {
namespace {

constexpr double band_of_other_gpu =
    0.3;  // H100 and MI250X agree on the ratio within 3 %; older ones need not

/// Five significant digits: more would pretend to know.
double rounded(double value) {
  if (!(value > 0)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 4);
  return unit >= 1 ? std::round(value / unit) * unit : std::round(value / unit) / std::round(1 / unit);
}

void expect_rating(Expectation& expected, const PlanRequest& request, const RankLayout& layout) {
  const Implementation& implementation = *request.implementation;
  const double ratio = implementation.tuned("gflops_per_tb_s", 0);
  if (implementation.rank_per != "gpu" || ratio <= 0) {
    expected.model.text =
        "no rating is predicted: it follows the memory bandwidth, which is not known of these processors";
    return;
  }
  const Gpu& gpu = request.group->gpus.front();
  const bool fitted = gpu_is(gpu, implementation.tuned_text("fitted_gpu"));
  const double bandwidth = gpu.peak.memory_bandwidth_gb_s.value_or(
      fitted ? implementation.tuned("fitted_gpu_bandwidth_gb_s", 0) : 0);
  if (bandwidth <= 0) {
    expected.model.text = fmt::format(
        "no rating is predicted: it follows the memory bandwidth, and the inventory states none for '{}'",
        gpu.model);
    return;
  }
  const double share = layout.ranks() > 1 ? implementation.tuned("exchange_efficiency", 1) : 1;
  const double rating = layout.ranks() * bandwidth / 1000 * ratio * share;
  const double band = fitted ? implementation.tuned("band", 0.05) : band_of_other_gpu;
  expected.predicted.push_back(
      {"rating_gflops", rounded(rating), rounded(rating * (1 - band)), rounded(rating * (1 + band))});
  expected.model = described_model(
      implementation,
      fmt::format("rating = {} GPUs x {:.0f} GB/s x {} GFLOP/s per TB/s{}; {}", layout.ranks(), bandwidth,
                  ratio, share < 1 ? fmt::format(" x {} for the halo exchange", share) : "",
                  implementation.tuned_text("model_source")));
  if (!fitted) {
    expected.model.source = "baseline-scaled";
    expected.model.text += fmt::format("; scaled to '{}' by its memory bandwidth", gpu.model);
  }
}

}  // namespace

double setup_time_s(const Implementation& implementation, double rows) {
  return implementation.tuned("setup_s", 10) + implementation.tuned("setup_s_per_mrow", 0) * rows / 1e6;
}

Expectation expectation(const PlanRequest& request, const RankLayout& layout, double rows,
                        double run_time_s) {
  const Implementation& implementation = *request.implementation;
  Expectation expected;
  expect_rating(expected, request, layout);
  const double setup = setup_time_s(implementation, rows);
  const double low = setup * implementation.tuned("setup_low", 0.5);
  const double high = setup * implementation.tuned("setup_high", 3);
  expected.predicted.push_back(
      {"wall_time_s", rounded(run_time_s + setup), rounded(run_time_s + low), rounded(run_time_s + high)});
  expected.model.text += fmt::format(
      "; wall = rt + {} ({} to {}) to set up and to run the reference solver: {}", duration_text(setup),
      duration_text(low), duration_text(high), implementation.tuned_text("setup_source"));
  return expected;
}

}  // namespace shakedown::hpcg
