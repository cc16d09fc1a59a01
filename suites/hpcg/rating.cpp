#include "suites/hpcg/rating.hpp"

#include <cmath>
#include <span>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/evidence.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::hpcg {
namespace {

/// Five significant digits: more would pretend to know.
double rounded(double value) {
  if (!(value > 0)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 4);
  return unit >= 1 ? std::round(value / unit) * unit : std::round(value / unit) / std::round(1 / unit);
}

/// The ratings that published runs reached for each GB/s of their GPUs' memory.
std::vector<Observation> observed(std::span<const PublishedResult> results) {
  std::vector<Observation> list;
  for (const PublishedResult& run : results)
    if (run.metric == "rating_gflops")
      list.push_back(
          {run.system, run.make, run.gpu, static_cast<double>(run.gpus), run.value / (run.gpus * run.basis)});
  return list;
}

void add_rating(Expectation& expected, double rating, double low, double high) {
  expected.predicted.push_back({"rating_gflops", rounded(rating), rounded(low), rounded(high)});
}

/// The bandwidth of one GPU's memory that ratings follow, as its vendor states it.
struct Bandwidth {
  double gb_s = 0;  ///< 0: not known
  std::string because;
};

/// By the Triad that a node of the same kind was screened with, at the share of the stated bandwidth that
/// Triad reaches; else as the inventory, the published results or the tuning state it.
Bandwidth bandwidth_of(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const Gpu& gpu = request.group->gpus.front();
  const double triad = request.measured.gpu_triad_gb_s / static_cast<double>(request.group->gpus.size());
  if (const double share = implementation.tuned("triad_share", 0); triad > 0 && share > 0)
    return {triad / share,
            fmt::format(", {:.4g} GB/s of Triad on each GPU, measured{}, over {}: {}", triad,
                        measured_where(request), share, implementation.tuned_text("triad_share_source"))};
  if (gpu.peak.memory_bandwidth_gb_s) return {*gpu.peak.memory_bandwidth_gb_s, ""};
  if (const double published = published_basis(implementation.results, gpu); published > 0)
    return {published, ""};
  if (gpu_is(gpu, implementation.tuned_text("fitted_gpu")))
    return {implementation.tuned("fitted_gpu_bandwidth_gb_s", 0), ""};
  return {};
}

/// The rating on the system that the implementation's constants are fitted to.
void expect_fitted(Expectation& expected, const Implementation& implementation, int ranks,
                   const Bandwidth& bandwidth) {
  const double ratio = implementation.tuned("gflops_per_tb_s", 0);
  const double share = ranks > 1 ? implementation.tuned("exchange_efficiency", 1) : 1;
  const double rating = ranks * bandwidth.gb_s / 1000 * ratio * share;
  const double band = implementation.tuned("band", 0.05);
  add_rating(expected, rating, rating * (1 - band), rating * (1 + band));
  expected.model = described_model(
      implementation,
      fmt::format("rating = {} GPUs x {:.0f} GB/s x {} GFLOP/s per TB/s{}; {}{}", ranks, bandwidth.gb_s,
                  ratio, share < 1 ? fmt::format(" x {} for the halo exchange", share) : "",
                  implementation.tuned_text("model_source"), bandwidth.because));
}

/// The rating by published runs of other systems.
void expect_by_others(Expectation& expected, const PlanRequest& request, int ranks,
                      const Bandwidth& bandwidth) {
  const std::vector<Observation> runs = observed(request.implementation->results);
  const PublishedEvidence found = evidence_for(runs, request.group->gpus.front(), 0, ranks);
  if (!is_useful(found.low, found.high)) {
    expected.model.text = "no rating is predicted: " + found.because;
    return;
  }
  const double whole = ranks * bandwidth.gb_s;
  add_rating(expected, whole * found.ratio, whole * found.low, whole * found.high);
  expected.model = {fmt::format("rating = {} GPUs x {:.0f} GB/s{}, in GFLOP/s; {}", ranks, bandwidth.gb_s,
                                bandwidth.because, found.because),
                    "fit", found.gpu_models, found.observations};
}

/// The rating of processors: by their measured memory bandwidth, where there is one.
void expect_on_processors(Expectation& expected, const PlanRequest& request, const RankLayout& layout) {
  const Implementation& implementation = *request.implementation;
  const double ratio = implementation.tuned("gflops_per_gb_s", 0);
  if (ratio <= 0 || request.measured.triad_gb_s <= 0) {
    expected.model.text =
        "no rating is predicted: it follows the memory bandwidth, which is not known of these processors";
    return;
  }
  const double share = layout.nodes > 1 ? implementation.tuned("exchange_efficiency", 1) : 1;
  const double rating = layout.nodes * request.measured.triad_gb_s * ratio * share;
  add_rating(expected, rating, rating * (1 - implementation.tuned("band_low", 0.3)),
             rating * (1 + implementation.tuned("band_high", 0.3)));
  expected.model = described_model(
      implementation, fmt::format("rating = {}{:.4g} GB/s of Triad, measured{}, x {} GFLOP/s per GB/s{}; {}",
                                  layout.nodes > 1 ? fmt::format("{} nodes x ", layout.nodes) : "",
                                  request.measured.triad_gb_s, measured_where(request), ratio,
                                  share < 1 ? fmt::format(" x {} for the halo exchange ({})", share,
                                                          implementation.tuned_text("exchange_source"))
                                            : "",
                                  implementation.tuned_text("model_source")));
}

void expect_rating(Expectation& expected, const PlanRequest& request, const RankLayout& layout) {
  const Implementation& implementation = *request.implementation;
  if (implementation.rank_per != "gpu") {
    expect_on_processors(expected, request, layout);
    return;
  }
  const Gpu& gpu = request.group->gpus.front();
  const std::string system = implementation.tuned_text("fitted_system");
  const bool own = !system.empty() && request.inventory != nullptr && request.inventory->system == system;
  const Bandwidth bandwidth = bandwidth_of(request);
  if (!(bandwidth.gb_s > 0))
    expected.model.text = fmt::format(
        "no rating is predicted: it follows the memory bandwidth, and the inventory states none for '{}'",
        gpu.model);
  else if (own)
    expect_fitted(expected, implementation, layout.ranks(), bandwidth);
  else
    expect_by_others(expected, request, layout.ranks(), bandwidth);
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
