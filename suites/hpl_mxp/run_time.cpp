#include "suites/hpl_mxp/run_time.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/evidence.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::hpl_mxp {
namespace {

/// In FP64 already, each data-centre GPU since V100 (7 TFLOP/s, NVIDIA's data sheet) exceeds it.
constexpr double slowest_gflops_per_gpu = 5000;

/// In FP64, a core of the last ten years exceeds it.
constexpr double conservative_gflops_per_core = 10;

/// Five significant digits: more would pretend to know.
double rounded(double value) {
  if (!(value > 0)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 4);
  return unit >= 1 ? std::round(value / unit) * unit : std::round(value / unit) / std::round(1 / unit);
}

/// Why the model does not apply to this run; empty: it applies.
std::string why_not(const PlanRequest& request, const RankLayout& layout, const std::string& precision) {
  const Implementation& implementation = *request.implementation;
  const std::string word = implementation.tuned_text("fitted_gpu");
  if (word.empty())
    return fmt::format("no run of '{}' is published that a model could be fitted to", implementation.id);
  const Gpu& gpu = request.group->gpus.front();
  if (!gpu_is(gpu, word))
    return fmt::format("its model is fitted to {} and these GPUs are '{}'", word, gpu.model);
  if (const std::string fitted = implementation.tuned_text("fitted_precision");
      precision != fitted && implementation.tuned(lower(precision) + "_lu_ratio", 0) <= 0)
    return fmt::format("its model is fitted to {} and this run is in {}", fitted, precision);
  const double least = implementation.tuned("least_ranks", 256);
  if (layout.ranks() < least)
    return fmt::format(
        "its model holds from {} GPUs on and these are {}: on few GPUs the refinement depends on the run's "
        "configuration (39 to 110 TFLOP/s a GPU were seen on single nodes of H100)",
        least, layout.ranks());
  return {};
}

}  // namespace

double operations(double N) {
  return 2.0 / 3.0 * N * N * N + 1.5 * N * N;
}

double RunTime::lu_s(double N) const {
  return operations(N) / (ranks * lu_gflops * 1e9) * (1 + n_half / N) + network_s_per_n2 * N * N;
}

double RunTime::time_s(double N) const {
  return lu_s(N) + refinement_s * (N * N / ranks) / elements_per_rank;
}

double RunTime::wished_s(double N) const {
  return time_s(N) + (wish_is_wall ? startup_s : 0);
}

std::vector<Prediction> RunTime::predictions(double N) const {
  if (!applies) return {};
  const double T = time_s(N);
  const double rate = operations(N) / T / 1e9;
  const double lu = operations(N) / lu_s(N) / 1e9;
  const double usual_s = T + (fitted_network_s_per_n2 - network_s_per_n2) * N * N;
  const double uncertainty = std::hypot(scale_uncertainty, std::log(T / usual_s));
  const double least = uncertainty > 0 ? std::exp(-widened(std::log1p(-band), uncertainty)) : 1 - band;
  const double most = uncertainty > 0 ? std::exp(widened(std::log1p(band_high), uncertainty)) : 1 + band_high;
  if (uncertainty > 0 && !is_useful(least, most)) return {};
  const double shortest = T / most;
  const double longest = T / least;
  return {{"rmax_gflops", rounded(rate), rounded(rate * least), rounded(rate * most)},
          {"lu_gflops", rounded(lu), rounded(lu * least), rounded(lu * most)},
          {"time_s", rounded(T), rounded(shortest), rounded(longest)},
          {"wall_time_s", rounded(T + startup_s), rounded(shortest), rounded(longest + longest_startup_s)}};
}

namespace {

/// The FP64 GEMM of all nodes, and by how much a prediction from it may be wrong beyond the model's own band.
struct Basis {
  double gflops = 0;
  std::string because;
  double low = 0;
  double high = 0;
};

Basis processor_basis(const PlanRequest& request, const RankLayout& layout) {
  if (const double gemm = request.measured_gemm_gflops(); gemm > 0)
    return {gemm, fmt::format("{} of FP64 GEMM, measured{}", flops_text(gemm), measured_where(request))};
  if (const double node = cpu_peak_gflops(*request.group); node > 0)
    return {node * layout.nodes,
            fmt::format("{} theoretical in FP64 at the base clock, not measured",
                        flops_text(node * layout.nodes)),
            0.5, 1.0};
  const int cores = usable_cores(*request.group) * layout.nodes;
  return {conservative_gflops_per_core * cores,
          fmt::format("{} cores x {} assumed in FP64", cores, flops_text(conservative_gflops_per_core)), 0.3,
          10};
}

/// The model for ranks on processors.
RunTime processor_run_time(const PlanRequest& request, const RankLayout& layout) {
  const Implementation& implementation = *request.implementation;
  const Basis basis = processor_basis(request, layout);
  const double speedup = implementation.tuned("precision_speedup", 2);
  const double efficiency = implementation.tuned("efficiency", 0.9);
  RunTime model;
  model.applies = true;
  model.wish_is_wall = true;
  model.ranks = layout.ranks();
  model.lu_gflops = efficiency * speedup * basis.gflops / layout.ranks();
  model.n_half =
      implementation.tuned("n_half_per_sqrt_core", 0) * std::sqrt(layout.ranks() * layout.threads_per_rank);
  model.slowest_gflops = conservative_gflops_per_core * layout.threads_per_rank;
  model.refinement_s = implementation.tuned("refinement_s", 0);
  const double N0 = implementation.tuned("fitted_N", 1);
  model.elements_per_rank = N0 * N0 / implementation.tuned("fitted_ranks", 1);
  model.startup_s = implementation.tuned("startup_s", 0);
  model.longest_startup_s = 10 * model.startup_s;
  model.band = std::min(0.95, implementation.tuned("band_low", 0.1) + basis.low);
  model.band_high = implementation.tuned("band_high", 0.1) + basis.high;
  model.model = fmt::format(
      "T = W/R (1 + {:.0f}/N) + {} s x (N^2/n) / {}; R = {} = {} x {} x {}; n = {}; wall = T + {} s; {}",
      model.n_half, model.refinement_s, count_text(model.elements_per_rank),
      flops_text(model.ranks * model.lu_gflops), efficiency, speedup, basis.because, layout.ranks(),
      model.startup_s, implementation.tuned_text("model_source"));
  return model;
}

}  // namespace

namespace {

/// Whether the implementation's constants are fitted to a run of this very system.
bool is_fitted_system(const PlanRequest& request) {
  const std::string system = request.implementation->tuned_text("fitted_system");
  return !system.empty() && request.inventory != nullptr && request.inventory->system == system;
}

/// What the network takes of a factorisation for each N^2.
double network_s_per_n2(const Implementation& implementation, const ProcessGrid& grid, double link) {
  if (!(link > 0)) return 0;
  return implementation.tuned("network_share", 0) * (1.0 / grid.P + 2.0 / grid.Q) / (link * 1e9);
}

/// Sets rate and band of the factorisation: as published for the fitted precision, in its ratio to that for
/// another one.
void set_rate(RunTime& model, const PlanRequest& request, const RunSetting& setting) {
  const Implementation& implementation = *request.implementation;
  const double N0 = implementation.tuned("fitted_N", 1);
  const double ranks0 = implementation.tuned("fitted_ranks", 1);
  const ProcessGrid grid0{static_cast<int>(implementation.tuned("fitted_P", 1)),
                          static_cast<int>(implementation.tuned("fitted_Q", 1))};
  const double published = implementation.tuned("lu_gflops_per_gpu", 0);
  const double whole_s = operations(N0) / (ranks0 * published * 1e9);
  const double usual = implementation.tuned("network_gb_s_per_rank", 0);
  const double network_s = network_s_per_n2(implementation, grid0, usual) * N0 * N0;
  model.lu_gflops = operations(N0) / (ranks0 * (whole_s - network_s) * 1e9);
  model.network_s_per_n2 = model.fitted_network_s_per_n2 =
      network_s_per_n2(implementation, setting.grid, usual);
  const bool own = is_fitted_system(request);
  if (!own) {
    const double stated = nic_gb_s_per_rank(*request.group, static_cast<int>(request.group->gpus.size()));
    if (stated > 0) model.network_s_per_n2 = network_s_per_n2(implementation, setting.grid, stated);
    model.scale_uncertainty = doublings_outside(model.ranks, ranks0, ranks0) *
                              implementation.tuned("hpl_doubling_uncertainty", 0) *
                              implementation.tuned("times_hpl", 1);
  }
  model.band = implementation.tuned(own ? "band" : "band_other_systems", 0.05);
  model.band_high = implementation.tuned(own ? "band" : "band_high_other_systems", 0.05);
  if (setting.precision == implementation.tuned_text("fitted_precision")) return;
  const std::string precision = lower(setting.precision);
  model.lu_gflops *= implementation.tuned(precision + "_lu_ratio", 1);
  model.band = std::max(model.band, implementation.tuned(precision + "_band_low", model.band));
  model.band_high =
      std::max(model.band_high, implementation.tuned(precision + "_band_high", model.band_high));
}

/// A GPU's seconds for each GFLOP of the factorisation and of the refinement, by the weak scaling that one
/// system published, at its share of the peak.
struct UsualCost {
  double lu_s = 0;
  double refinement_s = 0;  ///< at N = 1: it falls as 1 / N
  [[nodiscard]] double gflops(double N) const { return 1 / (lu_s + refinement_s / N); }
};

UsualCost usual_cost(const Implementation& implementation, double peak_gflops) {
  const double refinement_s = implementation.tuned("others_refinement_s_per_element", 0);
  return {1 / (implementation.tuned("others_lu_share", 1) * peak_gflops), 1.5e9 * refinement_s};
}

/// How the published runs compare with it. Where N is not published, their matrix filled the GPUs as that
/// system's did.
std::vector<Observation> observed(const Implementation& implementation) {
  std::vector<Observation> list;
  for (const PublishedResult& run : implementation.results) {
    if (run.metric != "rmax_gflops") continue;
    const double elements = implementation.tuned("others_elements_per_gpu", 0) * run.gpus;
    const double usual =
        usual_cost(implementation, run.basis).gflops(run.N > 0 ? run.N : std::sqrt(elements));
    list.push_back({run.system, run.make, run.gpu, static_cast<double>(run.gpus),
                    run.value / (run.gpus * usual), run.basis, architecture_named(run.gpu)});
  }
  return list;
}

/// What the grid and the links cost beyond those of the published runs, in seconds for each N^2.
double further_network_s_per_n2(const PlanRequest& request, const RankLayout& layout,
                                const ProcessGrid& grid) {
  const Implementation& implementation = *request.implementation;
  const double usual = implementation.tuned("network_gb_s_per_rank", 0);
  const double stated = nic_gb_s_per_rank(*request.group, layout.ranks_per_node);
  const auto squarest = squarest_grid(layout.ranks());
  if (layout.nodes == 1 || !squarest) return 0;
  return std::max(0.0, network_s_per_n2(implementation, grid, stated > 0 ? stated : usual) -
                           network_s_per_n2(implementation, *squarest, usual));
}

/// The model by published runs of other systems.
RunTime run_time_by_others(const PlanRequest& request, const RankLayout& layout, const RunSetting& setting) {
  const Implementation& implementation = *request.implementation;
  const Gpu& gpu = request.group->gpus.front();
  const double peak = gpu.peak.fp16_dense_tflops ? 1000 * *gpu.peak.fp16_dense_tflops
                                                 : published_basis(implementation.results, gpu);
  RunTime model;
  model.ranks = layout.ranks();
  model.slowest_gflops = implementation.tuned("slowest_gflops_per_gpu", slowest_gflops_per_gpu);
  const double least = implementation.tuned("others_least_ranks", 1);
  if (!(peak > 0)) {
    model.model = fmt::format("nothing is predicted: the inventory states no FP16 peak of '{}'", gpu.model);
    return model;
  }
  if (layout.ranks() < least) {
    model.model = fmt::format(
        "nothing is predicted: the published runs begin at {} GPUs and these are {}: on few GPUs the "
        "refinement depends on the run's configuration (39 to 110 TFLOP/s a GPU were seen on single nodes of "
        "H100)",
        least, layout.ranks());
    return model;
  }
  const std::vector<Observation> runs = observed(implementation);
  const PublishedEvidence found = evidence_for(runs, gpu, peak, layout.ranks());
  if (!is_useful(found.low, found.high)) {
    model.model = "nothing is predicted: " + found.because;
    return model;
  }
  const UsualCost usual = usual_cost(implementation, peak);
  model.applies = true;
  model.lu_gflops = found.ratio / usual.lu_s;
  model.elements_per_rank = implementation.tuned("others_elements_per_gpu", 1);
  model.refinement_s =
      implementation.tuned("others_refinement_s_per_element", 0) * model.elements_per_rank / found.ratio;
  model.network_s_per_n2 = further_network_s_per_n2(request, layout, setting.grid);
  model.band = 1 - found.low / found.ratio;
  model.band_high = found.high / found.ratio - 1;
  model.origin = {"", "fit", found.gpu_models, found.observations};
  model.model = fmt::format(
      "T = W/(n R) + {} s x (N^2/n) / {} for the refinement{}; n = {}, R = {} in the factorisation; the "
      "usual rate has {} of {} of stated FP16 peak there and a refinement as published ({}); this one is {}; "
      "wall "
      "= T + {:.0f} s (up to {:.0f} s) of start-up, assumed",
      number(model.refinement_s, 3), count_text(model.elements_per_rank),
      model.network_s_per_n2 > 0 ? fmt::format(" + {} s x (N/10^6)^2 for a slower network or a longer grid",
                                               number(model.network_s_per_n2 * 1e12, 3))
                                 : "",
      layout.ranks(), flops_text(model.lu_gflops), implementation.tuned("others_lu_share", 1),
      flops_text(peak), implementation.tuned_text("others_source"), found.because, model.startup_s,
      model.longest_startup_s);
  return model;
}

}  // namespace

RunTime run_time(const PlanRequest& request, const RankLayout& layout, const RunSetting& setting) {
  const Implementation& implementation = *request.implementation;
  if (implementation.rank_per != "gpu") return processor_run_time(request, layout);
  if (!is_fitted_system(request) && setting.precision == implementation.tuned_text("others_precision") &&
      !implementation.results.empty())
    return run_time_by_others(request, layout, setting);
  RunTime model;
  model.ranks = layout.ranks();
  model.slowest_gflops = implementation.tuned("slowest_gflops_per_gpu", slowest_gflops_per_gpu);
  if (const std::string reason = why_not(request, layout, setting.precision); !reason.empty()) {
    model.model = "nothing is predicted: " + reason;
    return model;
  }
  model.applies = true;
  set_rate(model, request, setting);
  model.refinement_s = implementation.tuned("refinement_s", 0);
  const double N0 = implementation.tuned("fitted_N", 1);
  model.elements_per_rank = N0 * N0 / implementation.tuned("fitted_ranks", 1);
  const std::string source =
      implementation.tuned_text(setting.precision == implementation.tuned_text("fitted_precision")
                                    ? "model_source"
                                    : lower(setting.precision) + "_source");
  model.model = fmt::format(
      "T = W/(n R) + {} s x (N/10^6)^2 for the grid + {} s x (N^2/n) / {}; n = {}, R = {} in the "
      "factorisation "
      "in {}; wall = T + {:.0f} s (up to {:.0f} s) of start-up, assumed; {}",
      number(model.network_s_per_n2 * 1e12, 3), model.refinement_s, count_text(model.elements_per_rank),
      layout.ranks(), flops_text(model.lu_gflops), setting.precision, model.startup_s,
      model.longest_startup_s, source);
  if (model.scale_uncertainty > 0)
    model.model += fmt::format(
        "; the fitted run had {:.0f} GPUs: at this distance {} more of uncertainty ({})",
        implementation.tuned("fitted_ranks", 1), percent_text(std::expm1(model.scale_uncertainty), 0),
        implementation.tuned_text("times_hpl_source"));
  if (model.network_s_per_n2 != model.fitted_network_s_per_n2)
    model.model += "; a network unlike the fitted run's changes it by as much as is uncertain";
  return model;
}

}  // namespace shakedown::hpl_mxp
