#include "suites/hpl/run_time.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/plan/evidence.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::hpl {
namespace {

/// Where nothing is known: a CPU core of the last ten years exceeds the first, and each data-centre GPU since
/// V100 (7 TFLOP/s in FP64, NVIDIA's data sheet) the second.
constexpr double conservative_gflops_per_core = 10;
constexpr double conservative_gflops_per_gpu = 5000;

/// Beyond these a range means only that nothing is known; the time limit follows from it.
constexpr double widest_band_low = 0.95;
constexpr double widest_band_high = 20;

/// H100: 55.34 of 66.9 TFLOP/s on its tensor cores (SAKURAONE, Table 5; NVIDIA's data sheet).
constexpr double gemm_share_of_peak = 0.83;

/// The GEMM rate that the efficiency refers to, for all ranks.
struct Basis {
  double gflops = 0;
  std::string because;
  double low = 0;   ///< widens the band downwards: part
  double high = 0;  ///< ... and upwards
  std::string warning;
};

/// Whether the implementation's constants are fitted to a run of this very system.
bool is_fitted_system(const PlanRequest& request) {
  const std::string system = request.implementation->tuned_text("fitted_system");
  return !system.empty() && request.inventory != nullptr && request.inventory->system == system;
}

Basis gpu_basis(const PlanRequest& request, int ranks) {
  if (request.measured.gpu_gemm_gflops > 0) {
    const double gemm = request.measured.gpu_gemm_gflops * static_cast<double>(request.hosts.size());
    // results.tsv: H100 and H200 reach 0.65 to 0.91 of the 53 TFLOP/s that their GEMM does.
    return {gemm,
            fmt::format("{} of FP64 GEMM on GPUs, measured{}", flops_text(gemm), measured_where(request)),
            is_fitted_system(request) ? 0 : 0.35, 0, ""};
  }
  constexpr std::string_view prefix = "gemm_gflops_per_gpu_";
  const std::string model = request.group->gpus.front().model;
  for (const Parameter& tuned : request.implementation->tuning) {
    if (!tuned.name.starts_with(prefix)) continue;
    if (!gpu_is(request.group->gpus.front(), tuned.name.substr(prefix.size()))) continue;
    const double each = value_number(tuned.value);
    if (!(each > 0)) continue;
    return {each * ranks,
            fmt::format("{} GPUs x {} of FP64 GEMM ({})", ranks, flops_text(each),
                        request.implementation->tuned_text("gemm_source")),
            0, 0, ""};
  }
  if (const double stated = stated_fp64_gflops(request.group->gpus.front()); stated > 0)
    return {gemm_share_of_peak * stated * ranks,
            fmt::format("{} GPUs x {} x {} of stated FP64 peak, not measured", ranks, gemm_share_of_peak,
                        flops_text(stated)),
            0.75, 0.2,  // results.tsv: 0.26 (MI300X) to 0.92 (B200) of the stated peak
            fmt::format(
                "no FP64 GEMM rate is known for '{}': {} of its stated peak is assumed, the share that H100 "
                "reaches; others reach a third of that",
                model, percent_text(gemm_share_of_peak, 0))};
  const double each = conservative_gflops_per_gpu;
  return {each * ranks, fmt::format("{} GPUs x {} assumed", ranks, flops_text(each)), 0.5, widest_band_high,
          fmt::format(
              "no FP64 GEMM rate is known for '{}': a conservative {} per GPU is assumed, so the predicted "
              "time is an upper bound",
              model, flops_text(each))};
}

Basis cpu_basis(const PlanRequest& request, const RankLayout& layout) {
  if (const double gemm = request.measured_gemm_gflops(); gemm > 0)
    return {gemm, fmt::format("{} of FP64 GEMM, measured{}", flops_text(gemm), measured_where(request)), 0, 0,
            ""};
  if (const double node = cpu_peak_gflops(*request.group); node > 0)
    return {node * layout.nodes,
            fmt::format("{} theoretical at the base clock, not measured", flops_text(node * layout.nodes)),
            0.5, 1.0, ""};
  const int cores = usable_cores(*request.group) * layout.nodes;
  return {
      conservative_gflops_per_core * cores, fmt::format("{} cores x 10 GFLOP/s assumed", cores), 0.3, 10,
      "neither a measured GEMM nor clock and FLOP per cycle are known: a conservative 10 GFLOP/s per core is "
      "assumed"};
}

/// Bandwidth that a rank has to other nodes, GB/s; 0 if it is unknown.
double network_gb_s_per_rank(const PlanRequest& request, const RankLayout& layout) {
  const double stated = nic_gb_s_per_rank(*request.group, layout.ranks_per_node);
  return stated > 0 ? stated : request.implementation->tuned("network_gb_s_per_rank", 0);
}

/// The model at the given rate of all ranks, without what is said of it and its band.
RunTime bare_model(const Implementation& implementation, double gflops, const ProcessGrid& grid,
                   double network_gb_s) {
  RunTime model;
  model.grid = grid;
  model.rate_gflops = implementation.tuned("efficiency", 1) * gflops;
  model.column_s = implementation.tuned("column_s", 0);
  model.startup_s = implementation.tuned("startup_s", 0);
  model.extra_s_per_gib = implementation.tuned("extra_s_per_gib_of_a_rank", 0) / grid.ranks();
  if (network_gb_s > 0) {
    model.network_share = implementation.tuned("network_share", 0.403);
    model.network_gb_s = network_gb_s;
  }
  return model;
}

/// How the published runs compare with the model at the vendors' stated peaks. Their links are not
/// published: those of the implementation's tuning are taken.
std::vector<Observation> observed(const Implementation& implementation) {
  static constexpr int usual_node = 8;
  std::vector<Observation> list;
  for (const PublishedResult& run : implementation.results) {
    if (run.metric != "rmax_gflops" || !(run.N > 0)) continue;
    const int node = run.gpus_per_node > 0 ? run.gpus_per_node : usual_node;
    const bool several = run.gpus > node;
    const auto grid = several ? rail_aligned_grid(run.gpus, node) : squarest_grid(run.gpus);
    if (!grid) continue;
    const double link = several ? implementation.tuned("network_gb_s_per_rank", 0) : 0;
    const RunTime model = bare_model(implementation, run.gpus * run.basis, *grid, link);
    list.push_back({run.system, run.make, run.gpu, static_cast<double>(run.gpus),
                    run.value / model.rate(run.N), run.basis, architecture_named(run.gpu)});
  }
  return list;
}

/// The FP64 peak of a GPU in GFLOP/s: as the inventory states it, else as published results of it do; 0:
/// none.
double stated_peak_gflops(const PlanRequest& request) {
  const Gpu& gpu = request.group->gpus.front();
  const double stated = stated_fp64_gflops(gpu);
  return stated > 0 ? stated : published_basis(request.implementation->results, gpu);
}

/// The model by published runs of other systems; nothing where these say nothing of such GPUs.
std::optional<RunTime> model_by_others(const PlanRequest& request, const RankLayout& layout,
                                       const ProcessGrid& grid) {
  const Implementation& implementation = *request.implementation;
  const double peak = stated_peak_gflops(request);
  if (is_fitted_system(request) || implementation.results.empty() || !(peak > 0)) return std::nullopt;
  const int ranks = layout.ranks();
  const bool several = layout.nodes > 1;
  const double link = several ? network_gb_s_per_rank(request, layout) : 0;
  RunTime model = bare_model(implementation, ranks * peak, grid, link);
  // What a network unlike that of the published runs changes is as uncertain as it is large.
  const double usual = implementation.tuned("network_gb_s_per_rank", link);
  const double bytes =
      implementation.memory_fraction * static_cast<double>(usable_gpu_memory(*request.group).bytes);
  const double N = std::sqrt(std::max(1.0, bytes * ranks / 8));
  const double extra =
      several ? std::log(model.rate(N) / bare_model(implementation, ranks * peak, grid, usual).rate(N)) : 0;
  const std::vector<Observation> runs = observed(implementation);
  const PublishedEvidence found = evidence_for(runs, request.group->gpus.front(), peak, ranks, extra);
  if (!(found.ratio > 0)) return std::nullopt;
  model.rate_gflops *= found.ratio;
  model.column_s /= found.ratio;
  model.network_share /= found.ratio;
  model.band_low = std::min(widest_band_low, 1 - found.low / found.ratio);
  model.band_high = std::min(widest_band_high, found.high / found.ratio - 1);
  model.peak_gflops = ranks * peak;
  model.origin = {"", "fit", found.gpu_models, found.observations};
  model.model = fmt::format("{} GPUs x {} of stated FP64 peak; {}", ranks, flops_text(peak), found.because);
  return model;
}

std::string model_text(const RunTime& model, const std::string& because,
                       const Implementation& implementation) {
  std::string text = "T = W/R";
  if (model.n_half > 0) text += fmt::format(" (1 + {:.0f}/N)", model.n_half);
  if (model.column_s > 0) text += fmt::format(" + {:.2f} us x N", model.column_s * 1e6);
  if (model.network_gb_s > 0)
    text += fmt::format(" + {} x 4 N^2 (1/{} + 2/{}) / {:.1f} GB/s", number(model.network_share, 3),
                        model.grid.P, model.grid.Q, model.network_gb_s);
  const double efficiency = implementation.tuned("efficiency", 1);
  text += fmt::format("; R = {} = {}{}", flops_text(model.rate_gflops),
                      efficiency == 1 ? "" : fmt::format("{} x ", efficiency), because);
  if (model.startup_s > 0 || model.extra_s_per_gib > 0)
    text +=
        fmt::format("; wall = T + {} s + {:.1f} s per GiB of matrix", model.startup_s, model.extra_s_per_gib);
  if (const std::string source = implementation.tuned_text("model_source"); !source.empty())
    text += fmt::format("; {}", source);
  return text;
}

}  // namespace

double stated_fp64_gflops(const Gpu& gpu) {
  return 1000 * gpu.peak.fp64_tensor_tflops.value_or(gpu.peak.fp64_vector_tflops.value_or(0));
}

double operations(double N) {
  return 2.0 / 3.0 * N * N * N + 1.5 * N * N;
}

double RunTime::computing_s(double N) const {
  return operations(N) / (rate_gflops * 1e9) * (1 + n_half / N) + column_s * N;
}

double RunTime::time_s(double N) const {
  double seconds = computing_s(N);
  if (network_gb_s > 0)
    seconds += network_share * 4 * N * N * (1.0 / grid.P + 2.0 / grid.Q) / (network_gb_s * 1e9);
  return seconds;
}

double RunTime::rate(double N) const {
  return operations(N) / time_s(N) / 1e9;
}

double RunTime::wall_s(double N) const {
  return startup_s + time_s(N) + extra_s_per_gib * 8 * N * N / gibi;
}

namespace {

/// Five significant digits: more would pretend to know, and differ between compilers.
Prediction rounded(std::string metric, double value, double low, double high) {
  const auto round = [](double number) {
    const double unit = std::pow(10, std::floor(std::log10(number)) - 4);
    return unit >= 1 ? std::round(number / unit) * unit : std::round(number / unit) / std::round(1 / unit);
  };
  return {std::move(metric), round(value), round(low), round(high)};
}

}  // namespace

std::vector<Prediction> RunTime::predictions(double N) const {
  const double T = time_s(N);
  const double gflops = rate(N);
  const double beside = wall_s(N) - T;
  const double most = peak_gflops > 0 ? std::max(gflops, peak_gflops) : gflops * (1 + band_high);
  const double high = std::min(gflops * (1 + band_high), most);
  const double shortest = T * gflops / high;
  const double longest = T / (1 - band_low);
  return {rounded("rmax_gflops", gflops, gflops * (1 - band_low), high),
          rounded("time_s", T, shortest, longest),
          rounded("wall_time_s", T + beside, shortest + beside / 2, longest + beside * 2)};
}

double doubling_uncertainty(const Implementation& implementation) {
  const std::vector<Observation> runs = observed(implementation);
  return shakedown::doubling_uncertainty(runs);
}

RunTime run_time(const PlanRequest& request, const RankLayout& layout, const ProcessGrid& grid) {
  const Implementation& implementation = *request.implementation;
  const int ranks = layout.ranks();
  const bool gpus = implementation.rank_per == "gpu";
  if (gpus) {
    if (auto model = model_by_others(request, layout, grid)) {
      model->model = model_text(*model, model->model, implementation);
      return *std::move(model);
    }
  }
  const Basis basis = gpus ? gpu_basis(request, ranks) : cpu_basis(request, layout);
  const double link = layout.nodes > 1 ? network_gb_s_per_rank(request, layout) : 0;
  RunTime model = bare_model(implementation, basis.gflops, grid, link);
  model.n_half = implementation.tuned("n_half_per_sqrt_core", 0) * std::sqrt(ranks * layout.threads_per_rank);
  model.band_low = std::clamp(implementation.tuned("band_low", 0.1) + basis.low, 0.0, widest_band_low);
  model.band_high = implementation.tuned("band_high", 0.1) + basis.high;
  model.assumed = !basis.warning.empty();
  if (model.assumed) model.warnings.push_back(basis.warning);
  if (layout.nodes > 1 && link <= 0)
    model.warnings.push_back(
        std::string("the inventory gives no network speed: the prediction leaves the network out") +
        (model.assumed ? "" : " and is an upper bound of the rate"));
  model.model = model_text(model, basis.because, implementation);
  return model;
}

}  // namespace shakedown::hpl
