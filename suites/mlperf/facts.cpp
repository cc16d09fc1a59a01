#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::mlperf {
namespace {

/// Times outside the training steps that SAKURAONE's three runs agree on, in minutes.
constexpr Interval start_and_end = {3.4, 4.3};

void parallelism(const PublishedRun& run, IdentityList& found) {
  const BaselineValue& row = *run.values.front();
  const double PP = run.condition("PP");
  const double product = run.condition("DP") * run.condition("TP") * PP * run.condition("CP");
  found.equal(row, "DP x TP x PP x CP = GPUs", run.condition("gpus"), product);
  const double GBS = run.condition("GBS");
  const double microbatches = GBS / (run.condition("DP") * run.condition("MBS"));
  found.equal(row, fmt::format("GBS / (DP x MBS) = {:g} is whole", microbatches), GBS,
              std::round(microbatches) * run.condition("DP") * run.condition("MBS"));
  const double VP = run.condition("VP");
  if (VP > 1)
    found.equal(row, "micro-batches are a multiple of PP", microbatches, std::round(microbatches / PP) * PP);
  const double layers = run.condition("layers");
  found.equal(row, "layers are a multiple of PP x VP", layers, std::round(layers / PP / VP) * PP * VP);
}

/// FLOP per token of a transformer, forward and backward without recomputation (Narayanan et al., SC21).
double flop_per_token(const PublishedRun& run) {
  const double L = run.condition("layers");
  const double h = run.condition("hidden");
  return 72 * L * h * h *
         (1 + run.condition("sequence_length") / (6 * h) + run.condition("vocabulary") / (12 * h * L));
}

void rates(const PublishedRun& run, IdentityList& found) {
  const BaselineValue* tflops = run.value("tflops_per_gpu");
  const BaselineValue* tokens = run.value("tokens_per_s_per_gpu");
  if (tflops == nullptr) return;
  if (const auto* mfu = run.value("mfu"))
    found.row(*mfu, "MFU = TFLOPS per GPU / dense peak",
              printed_interval(*tflops) / exactly(run.condition("peak_tflops")));
  if (tokens == nullptr) return;
  // 1 %: both are averages over a run, and the paper does not state over which part of it.
  const double model = flop_per_token(run);
  const double stated = tflops->value * 1e12 / tokens->value;
  found.demand(*tflops,
               fmt::format("TFLOPS / tokens per second = 72 L h^2 (1 + s/6h + V/12hL) within 1 %: {}{}",
                           stated > model ? "+" : "", percent_text(stated / model - 1, 2)),
               within(model, 0.01).holds(stated), stated, model);
}

/// Time-to-train is a whole number of evaluation intervals and what start and end take.
void evaluations(const PublishedRun& run, IdentityList& found) {
  const BaselineValue* total = run.value("time_to_train_min");
  const BaselineValue* tokens = run.value("tokens_per_s_per_gpu");
  const double GBS = run.condition("GBS");
  const double interval =
      std::ceil(run.condition("samples_per_evaluation") / GBS) * GBS * run.condition("sequence_length");
  if (total == nullptr || tokens == nullptr || std::isnan(interval)) return;
  const double minutes = interval / (tokens->value * run.condition("gpus")) / 60;
  const double count = std::floor((total->value - start_and_end.low) / minutes);
  const double rest = total->value - count * minutes;
  found.demand(
      *total,
      fmt::format("time-to-train = {:g} evaluations of {:.4g} Mtokens at the printed rate + {:.3g} min "
                  "(3.4 to 4.3)",
                  count, interval / 1e6, rest),
      start_and_end.holds(rest), total->value, count * minutes);
}

void closed_division(const PublishedRun& run, IdentityList& found) {
  const BaselineValue* total = run.value("time_to_train_min");
  if (total == nullptr || run.word("benchmark") != "gpt3" || run.word("closed_division").empty()) return;
  const double GBS = run.condition("GBS");
  constexpr Interval allowed = {1536, 8192};  // MLPerf Training v4.1 closed division, GPT-3
  found.demand(*total, "1536 <= GBS <= 8192, as the closed division fixes", allowed.holds(GBS), GBS,
               std::clamp(GBS, allowed.low, allowed.high));
}

void shares(const PublishedRun& run, IdentityList& found) {
  constexpr std::array<std::string_view, 3> step = {"gpu_compute_pct", "communication_pct", "idle_pct"};
  constexpr std::array<std::string_view, 4> nccl = {"nccl_sendrecv_pct", "nccl_reducescatter_pct",
                                                    "nccl_allreduce_pct", "nccl_allgather_pct"};
  const auto sum_of = [&](std::span<const std::string_view> parts, std::string_view what) {
    double sum = 0;
    double slack = 0;
    for (const std::string_view part : parts) {
      const BaselineValue* value = run.value(part);
      if (value == nullptr) return;
      sum += value->value;
      slack += value->value - printed_interval(*value).low;
    }
    found.demand(*run.value(parts.front()), fmt::format("shares of {} sum to 100 %", what),
                 std::abs(sum - 100) <= slack, 100, sum);
  };
  sum_of(step, "step time");
  sum_of(nccl, "NCCL kernel time");
}

/// Ratios of a system's time-to-train to another's, and their published range.
void time_ratios(const PublishedRun& run, const Baseline& baseline, IdentityList& found) {
  const BaselineValue* time = run.value("time_to_train_min");
  if (const auto* ratio = run.value("time_to_train_over_eos"); ratio != nullptr && time != nullptr)
    found.row(*ratio, "ratio = this system's / Eos'",
              printed_interval(*time) / exactly(run.condition("eos_time_to_train_min")));
  if (const auto* ratio = run.value("sakuraone_over_time_to_train"); ratio != nullptr && time != nullptr)
    found.row(*ratio, "ratio = SAKURAONE's / Eos'",
              exactly(run.condition("sakuraone_time_to_train_min")) / printed_interval(*time));
  if (time != nullptr)
    found.row(*time, "linear extrapolation: minutes x nodes / nodes",
              exactly(run.condition("extrapolated_from_min") * run.condition("extrapolated_from_nodes") /
                      run.condition("nodes")));
  const BaselineValue* low = run.value("time_to_train_over_eos_low_pct");
  const BaselineValue* high = run.value("time_to_train_over_eos_high_pct");
  if (low == nullptr || high == nullptr) return;
  Interval range = {INFINITY, -INFINITY};
  for (const BaselineValue* ratio : baseline.rows("mlperf", "time_to_train_over_eos")) {
    const Value* measured = find_parameter(ratio->conditions, "eos_measured");
    if (measured == nullptr || value_text(*measured) != "yes") continue;
    range = {std::min(range.low, ratio->value), std::max(range.high, ratio->value)};
  }
  const auto percent = [](double ratio) { return exactly((ratio - 1) * 100); };
  found.row(*low, "least ratio at identical node counts - 1", percent(range.low));
  found.row(*high, "greatest ratio at identical node counts - 1", percent(range.high));
}

/// Recomputes the identities of a published run of the suite.
void identities(const PublishedRun& run, const Baseline& baseline, IdentityList& found) {
  parallelism(run, found);
  rates(run, found);
  evaluations(run, found);
  closed_division(run, found);
  shares(run, found);
  time_ratios(run, baseline, found);
}

}  // namespace
}  // namespace shakedown::mlperf

namespace shakedown::facts {

extern const SuiteFacts mlperf;

namespace {

constexpr MetricKind mlperf_quality = {"", std::nullopt};  // reached or not

constexpr std::array mlperf_headlines = {Headline{"time_to_train_min", "efficiency_gemm"}};
constexpr std::array mlperf_efficiencies = {
    EfficiencyFact{.metric = "efficiency_gemm", .numerator = "model_gflops", .name = "MFU"},
    EfficiencyFact{"efficiency_rpeak", "model_gflops"}};
constexpr std::array mlperf_metrics = {MetricFact{"tokens_per_s_per_gpu", "tokens/s of a GPU"},
                                       MetricFact{"samples_per_s", "samples/s, by the log"},
                                       MetricFact{.key = "final_*", .kind = mlperf_quality},
                                       MetricFact{.key = "target_*", .kind = mlperf_quality}};
/// The time to train counts, but comes in steps of the interval between evaluations (GPT-3: 4 %), which hide
/// a loss of less.
constexpr std::array<std::string_view, 2> mlperf_watched = {"tokens_per_s_per_gpu", "samples_per_s"};
constexpr std::array<std::string_view, 1> mlperf_size = {"batch {GBS}"};
constexpr std::array mlperf_resources = {Resource::compute, Resource::network};

}  // namespace

const SuiteFacts mlperf = {
    .id = "mlperf",
    .title = "MLPerf",
    .own_title = "Training test (shakedown)",
    .about = "MLPerf Training: time to train a model to its target quality",
    .rank = 50,
    .headlines = mlperf_headlines,
    .rate = "model_gflops",
    .precision = "fp32",  // the one training that states its model's FLOP is ours, in FP32
    .size = mlperf_size,
    .efficiencies = mlperf_efficiencies,
    .metrics = mlperf_metrics,
    .watched = mlperf_watched,
    .set_metric = "time_to_train_min",
    // Source: MLCommons, "MLPerf results messaging guidelines".
    .unreviewed = UnreviewedResult{"unverified", "Result not verified by MLCommons Association."},
    .resources = mlperf_resources,
    .identities = mlperf::identities,
};

}  // namespace shakedown::facts
