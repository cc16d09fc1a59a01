#include <array>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::hpcg {
namespace {

// HPCG 3.1, ReportResults.cpp: its models of operations, of bytes moved, and of memory.
constexpr int levels = 4;                ///< multigrid levels, the main grid among them
constexpr double reference_sweeps = 50;  ///< iterations per set of the reference
constexpr double coefficient = 12;       ///< bytes of a matrix entry: a double and a local index

/// A grid's points or nonzeros, by level. Each level halves every dimension.
using Levels = std::array<double, levels>;

struct Dimensions {
  double x = 0;
  double y = 0;
  double z = 0;
  [[nodiscard]] double points() const { return x * y * z; }
  [[nodiscard]] double nonzeros() const { return (3 * x - 2) * (3 * y - 2) * (3 * z - 2); }
  /// Points beyond the faces of a subdomain at a corner of the process grid: what its halo holds.
  [[nodiscard]] double halo() const { return x * y + y * z + x * z + x + y + z + 1; }
  [[nodiscard]] Dimensions coarser(int level) const {
    const double cut = std::pow(2.0, level);
    return {x / cut, y / cut, z / cut};
  }
};

Dimensions dimensions(const PublishedRun& run, const std::string& prefix) {
  return {run.condition(prefix + "x"), run.condition(prefix + "y"), run.condition(prefix + "z")};
}

/// Bytes per level by HPCG's model; level 0 is "linear system and CG".
Levels memory_model(const Dimensions& local, double processes) {
  constexpr double row = 1 + 4 * 8 + 27 * (4 + 8 + 8);  // count, four pointers, 27 columns' indices and value
  Levels bytes{};
  for (int level = 0; level < levels; ++level) {
    const Dimensions part = local.coarser(level);
    const double rows = part.points() * processes;
    const double columns = rows + part.halo() * processes;
    bytes.at(static_cast<size_t>(level)) =
        level == 0 ? rows * (row + 5 * 8) + 2 * 8 * columns  // x, b, exact x, r, Ap; z, p
                   : rows * (row + 4 + 8) + 2 * 8 * columns + 12 * part.halo();
  }
  return bytes;
}

struct Work {
  double flop = 0;
  double bytes = 0;
};

/// What HPCG counts for one set of `iterations` on the global grid.
Work set_model(const Dimensions& global, double iterations) {
  const double rows = global.points();
  const double entries = global.nonzeros();
  Work work;
  work.flop = (3 * iterations + 1) * 4 * rows + (iterations + 1) * 2 * entries;
  work.bytes =
      (3 * iterations + 1) * 8 * (5 * rows + 1) + (iterations + 1) * (entries * coefficient + 2 * 8 * rows);
  for (int level = 0; level < levels; ++level) {
    const double n = global.coarser(level).points();
    const double nnz = global.coarser(level).nonzeros();
    const bool coarsest = level == levels - 1;
    work.flop += iterations * (coarsest ? 4 : 10) * nnz;
    work.bytes += coarsest ? iterations * (2 * coefficient * nnz + 2 * 8 * n)
                           : iterations * (5 * coefficient * nnz + 3 * 8 * n + 8 * n + 2 * 8 * nnz);
  }
  return work;
}

void problem(const PublishedRun& run, const Dimensions& global, const Dimensions& local,
             IdentityList& found) {
  if (const auto* unknowns = run.value("unknowns"))
    found.row(*unknowns, "unknowns = nx x ny x nz", exactly(global.points()));
  if (const auto* nonzeros = run.value("nonzeros"))
    found.row(*nonzeros, "nonzeros = (3 nx - 2) (3 ny - 2) (3 nz - 2)", exactly(global.nonzeros()));
  const Dimensions grid = dimensions(run, "np");
  const BaselineValue& row = *run.values.front();
  found.equal(row, "npx x npy x npz = processes", run.condition("gpus"), grid.points());
  found.equal(row, "local x process grid = global problem", global.points(), local.points() * grid.points());
  const Levels bytes = memory_model(local, run.condition("gpus"));
  if (const auto* system = run.value("memory_system_gb"))
    found.row(*system, "memory of linear system and CG = HPCG's memory model, level 0",
              exactly(bytes.front() / 1e9));
  double total = 0;
  for (const double level : bytes) total += level;
  if (const auto* memory = run.value("memory_total_gb"))
    found.row(*memory,
              fmt::format("total memory = HPCG's memory model ({} bytes per equation)",
                          number(total / global.points(), 5)),
              exactly(total / 1e9));
}

void rates(const PublishedRun& run, const Dimensions& global, IdentityList& found) {
  const BaselineValue* raw = run.value("raw_gflops");
  const BaselineValue* convergence = run.value("convergence_gflops");
  const BaselineValue* rating = run.value("rating_gflops");
  if (raw == nullptr || convergence == nullptr) return;
  const double iterations = std::round(reference_sweeps * raw->value / convergence->value);
  found.row(*convergence, fmt::format("with convergence overhead = raw x 50 / {} iterations", iterations),
            printed_interval(*raw) * exactly(reference_sweeps / iterations));
  const Work set = set_model(global, iterations);
  const double set_s = set.flop * 1e-9 / raw->value;
  if (rating != nullptr) {
    const double overhead_s = 10 * set_s * (convergence->value / rating->value - 1);
    found.demand(
        *rating,
        fmt::format("rating <= with convergence overhead, less by a tenth of setup and optimisation in "
                    "each set of t = {} s: t_opt + t_setup = {} s",
                    number(set_s, 5), number(overhead_s, 3)),
        overhead_s >= 0, rating->value, convergence->value);
  }
  if (const auto* bandwidth = run.value("bandwidth_tb_s"))
    found.row(*bandwidth,
              fmt::format("bandwidth = raw rate x HPCG's byte model ({} bytes per FLOP)",
                          number(set.bytes / set.flop, 6)),
              printed_interval(*raw) * exactly(set.bytes / set.flop / 1000));
}

/// Recomputes the identities of a published run of the suite.
void identities(const PublishedRun& run, const Baseline& /*baseline*/, IdentityList& found) {
  const Dimensions global = dimensions(run, "gn");
  problem(run, global, dimensions(run, "n"), found);
  rates(run, global, found);
  const BaselineValue* rating = run.value("rating_gflops");
  if (const auto* per_gpu = run.value("rating_gflops_per_gpu"); per_gpu != nullptr && rating != nullptr)
    found.row(*per_gpu, "rating per GPU = rating / GPUs",
              printed_interval(*rating) / exactly(run.condition("gpus")));
}

}  // namespace
}  // namespace shakedown::hpcg

namespace shakedown::facts {

extern const SuiteFacts hpcg;

namespace {

constexpr MetricKind hpcg_count = {"", std::nullopt};
constexpr std::array hpcg_headlines = {Headline{"rating_gflops", "efficiency_stream"}};
/// `bandwidth_gb_s` is HPCG's own count of bytes over its time. An optimised program reads fewer.
constexpr std::array hpcg_efficiencies = {
    EfficiencyFact{
        .metric = "efficiency_stream",
        .numerator = "bandwidth_gb_s",
        .above_one =
            "it would be above 100 % of STREAM: HPCG rates by its official byte count, of which caches "
            "or compact storage read fewer",
        .void_by = "HPCG-10b",
        .unproven_above_one = "caches may hold a part of the problem: their size is not known, so "
                              "that HPCG-10b was not checked"},
    EfficiencyFact{"efficiency_gemm", "rating_gflops"}, EfficiencyFact{"efficiency_rpeak", "rating_gflops"}};
constexpr std::array hpcg_metrics = {
    MetricFact{.key = "total_time_s", .kind = MetricKind{"s", std::nullopt}},  // the input sets its run time
    MetricFact{.key = "unknowns", .kind = hpcg_count}, MetricFact{.key = "nonzeros", .kind = hpcg_count}};
constexpr std::array hpcg_pairs = {
    MetricPair{.name = "HPCG / HPL",
               .metric = "rating_gflops",
               .suite = "hpl",
               .metric_below = "rmax_gflops",
               .share = true,
               .says = "memory bandwidth beside arithmetic: the faster the arithmetic, the smaller",
               .most = 1}};  // its arithmetic waits for the memory, HPL's does not
constexpr std::array<std::string_view, 1> hpcg_size = {"grid {gnx} × {gny} × {gnz}"};
constexpr std::array hpcg_resources = {Resource::compute, Resource::network};

}  // namespace

const SuiteFacts hpcg = {
    .id = "hpcg",
    .title = "HPCG",
    .own_title = "HPCG-like solver (shakedown)",
    .about = "High Performance Conjugate Gradients: a sparse system, bound by memory bandwidth",
    .rank = 20,
    .headlines = hpcg_headlines,
    .rate = "rating_gflops",
    .size = hpcg_size,
    .efficiencies = hpcg_efficiencies,
    .metrics = hpcg_metrics,
    .pairs = hpcg_pairs,
    .resources = hpcg_resources,
    .identities = hpcg::identities,
};

}  // namespace shakedown::facts
