#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/mlperf/benchmarks.hpp"
#include "parsers/mlperf/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

std::optional<std::int64_t> planned(const Evidence& evidence, std::string_view name) {
  if (evidence.planned == nullptr) return std::nullopt;
  return whole_parameter(evidence.planned->parameters, name);
}

/// Our own training: every rank has the whole model and part of the batch, on CPUs.
bool ours(const Evidence& evidence) {
  return evidence.result->implementation == "reference";
}
constexpr const char* not_ours = "shakedown's training is data-parallel only, among CPU ranks";

Finding uses_the_gpus(const Evidence& evidence) {
  if (ours(evidence)) return not_applicable(not_ours);
  const auto DP = planned(evidence, "DP");
  const auto TP = planned(evidence, "TP");
  const auto PP = planned(evidence, "PP");
  if (!DP || !TP || !PP) return unknown("the log does not show the parallelism, and no plan names it");
  const std::int64_t CP = planned(evidence, "CP").value_or(1);
  auto gpus = whole_parameter(evidence.result->parameters, "gpus");
  if (!gpus) gpus = planned(evidence, "gpus");
  if (!gpus) return unknown("the number of GPUs is not known");
  const std::int64_t product = *DP * *TP * *PP * CP;
  return checked(product == *gpus,
                 fmt::format("{} x {} x {} x {} = {}, {} GPUs", *DP, *TP, *PP, CP, product, *gpus), 0,
                 "DP x TP x PP x CP is not the number of GPUs");
}

Finding whole_microbatches(const Evidence& evidence) {
  if (ours(evidence)) return not_applicable(not_ours);
  const auto DP = planned(evidence, "DP");
  const auto MBS = planned(evidence, "MBS");
  const auto planned_GBS = planned(evidence, "GBS");
  const auto GBS = whole_parameter(evidence.result->parameters, "GBS");
  if (!DP || !MBS || !GBS || *DP < 1 || *MBS < 1) return unknown("DP, MBS or GBS of the run is not known");
  const Fact* line = evidence.result->fact("global_batch_size");
  const int number = line == nullptr ? 0 : line->line;
  if (planned_GBS && *planned_GBS != *GBS)
    return failed(fmt::format("GBS {}, planned {}", *GBS, *planned_GBS), number,
                  "the run is not the one that was planned");
  if (*GBS % (*DP * *MBS) != 0)
    return failed(fmt::format("GBS {}, DP {}, MBS {}", *GBS, *DP, *MBS), number,
                  "the global batch is no whole number of micro-batches");
  const std::int64_t microbatches = *GBS / (*DP * *MBS);
  const std::int64_t VP = planned(evidence, "VP").value_or(1);
  const std::int64_t PP = planned(evidence, "PP").value_or(1);
  if (VP > 1 && PP > 0 && microbatches % PP != 0)
    return failed(fmt::format("{} micro-batches, PP {}", microbatches, PP), number,
                  "interleaved pipelines need a multiple of PP micro-batches");
  const auto accumulated = whole_parameter(evidence.result->parameters, "gradient_accumulation_steps");
  if (accumulated && *accumulated != microbatches)
    return failed(fmt::format("{} accumulation steps logged, {} follow", *accumulated, microbatches),
                  evidence.result->fact("gradient_accumulation_steps")->line,
                  "the log accumulates another number of micro-batches than GBS / (DP x MBS)");
  return passed(fmt::format("{} micro-batches", microbatches), number);
}

Finding small_bubble(const Evidence& evidence) {
  if (ours(evidence)) return not_applicable(not_ours);
  const auto PP = planned(evidence, "PP");
  const auto DP = planned(evidence, "DP");
  const auto MBS = planned(evidence, "MBS");
  const auto GBS = planned(evidence, "GBS");
  if (!PP || !DP || !MBS || !GBS || *DP < 1 || *MBS < 1) return unknown("no plan names the pipeline");
  const double microbatches = static_cast<double>(*GBS) / static_cast<double>(*DP * *MBS);
  const double VP = static_cast<double>(std::max<std::int64_t>(1, planned(evidence, "VP").value_or(1)));
  const double bubble = static_cast<double>(*PP - 1) / (VP * microbatches);
  return checked(bubble <= 0.05, fmt::format("{:.2f} %", bubble * 100), 0,
                 "the pipeline idles more than 5 % of the time: more micro-batches or a smaller PP");
}

Finding splits_the_model(const Evidence& evidence) {
  if (ours(evidence)) return not_applicable(not_ours);
  const MlperfBenchmark* model = mlperf_benchmark(text_parameter(*evidence.result, "benchmark"));
  if (model == nullptr || model->layers == 0)
    return not_applicable("this benchmark's model has no such layers");
  const auto TP = planned(evidence, "TP");
  const auto PP = planned(evidence, "PP");
  if (!TP || !PP || *TP < 1 || *PP < 1)
    return unknown("the log does not show the parallelism, and no plan names it");
  const std::int64_t stages = *PP * std::max<std::int64_t>(1, planned(evidence, "VP").value_or(1));
  const std::string value =
      fmt::format("{} layers, PP x VP {}; {} heads, TP {}", model->layers, stages, model->heads, *TP);
  if (model->layers % stages != 0) return failed(value, 0, "the layers do not divide by PP x VP");
  return checked(model->heads % *TP == 0, value, 0, "the attention heads do not divide by TP");
}

Finding tensors_within_node(const Evidence& evidence) {
  if (ours(evidence)) return not_applicable(not_ours);
  const auto TP = planned(evidence, "TP");
  if (!TP) return unknown("the log does not show the parallelism, and no plan names it");
  auto gpus = whole_parameter(evidence.result->parameters, "gpus");
  if (!gpus) gpus = planned(evidence, "gpus");
  auto nodes = whole_parameter(evidence.result->parameters, "nodes");
  if (!nodes && evidence.planned != nullptr) nodes = evidence.planned->nodes;
  if (!gpus || !nodes || *nodes < 1) return unknown("the number of GPUs in a node is not known");
  const std::int64_t per_node = *gpus / *nodes;
  return checked(*TP <= per_node, fmt::format("TP {}, {} GPUs in a node", *TP, per_node), 0,
                 "tensor-parallel groups reach over nodes: their traffic leaves NVLink");
}

/// What the run trained over its time to train, in the unit of its printed throughput.
std::optional<double> mean_rate(const ParsedResult& result) {
  const Metric* minutes = result.metric("time_to_train_min");
  const auto position = fact_number(result, "last_position");
  if (minutes == nullptr || minutes->value <= 0 || !position || *position <= 0) return std::nullopt;
  return *position / (minutes->value * 60);
}

Finding rate_of_run(const Evidence& evidence) {
  constexpr double tolerance = 0.01;  // below 0.04 % in the logs of versions 4.1 and 5.0
  const ParsedResult& result = *evidence.result;
  const MlperfBenchmark* benchmark = mlperf_benchmark(text_parameter(result, "benchmark"));
  if (benchmark == nullptr || !benchmark->rate_over_run)
    return not_applicable("this benchmark's throughput is that of a part of the run");
  const auto printed = fact_number(result, "last_throughput");
  const auto rate = mean_rate(result);
  if (!printed || !rate) return unknown("the log shows no throughput, or no samples and time to train");
  return checked(std::abs(*rate / *printed - 1) <= tolerance,
                 fmt::format("printed {:.6g}/s, trained over time {:.6g}/s", *printed, *rate),
                 result.fact("last_throughput")->line,
                 "the printed throughput does not follow from what was trained and the time to train");
}

Finding rate_within_printed(const Evidence& evidence) {
  constexpr double tolerance = 0.02;
  const ParsedResult& result = *evidence.result;
  const MlperfBenchmark* benchmark = mlperf_benchmark(text_parameter(result, "benchmark"));
  if (benchmark == nullptr || !benchmark->whole_steps || benchmark->offline_evaluation)
    return not_applicable("this benchmark's positions and throughput have different units");
  if (benchmark->rate_over_run) return not_applicable("the throughput is that of the whole run: ML-10a");
  const auto printed = fact_number(result, "largest_throughput");
  const auto rate = mean_rate(result);
  if (!printed || !rate) return unknown("the log shows no throughput, or no samples and time to train");
  return checked(*rate <= *printed * (1 + tolerance),
                 fmt::format("at most {:.6g}/s printed, trained over time {:.6g}/s", *printed, *rate),
                 result.fact("largest_throughput")->line,
                 "the run trained more in its time to train than its largest throughput allows");
}

/// Whether blocks are what is trained between two evaluations, and have a throughput of their own.
bool trains_in_blocks(const ParsedResult& result) {
  const MlperfBenchmark* benchmark = mlperf_benchmark(text_parameter(result, "benchmark"));
  return benchmark != nullptr && benchmark->whole_steps && !benchmark->offline_evaluation &&
         !benchmark->rate_over_run;
}

/// The blocks of a run that the log has one after the other.
struct TrainedBlocks {
  double count = 0;
  double time_s = 0;
  int line = 0;
};
std::optional<TrainedBlocks> blocks_of(const ParsedResult& result) {
  const Fact* fact = result.fact("blocks");
  const auto parts = fact == nullptr ? std::vector<std::string_view>() : words(fact->value);
  if (parts.size() != 2) return std::nullopt;
  TrainedBlocks blocks{finite_number(parts[0]).value_or(0), finite_number(parts[1]).value_or(0) / 1e3,
                       fact->line};
  return blocks.count > 0 && blocks.time_s > 0 ? std::optional(blocks) : std::nullopt;
}

/// The mean over all blocks is not above the rate of the fastest. Stamps are cut to whole milliseconds.
Finding rate_within_blocks(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (!trains_in_blocks(result))
    return not_applicable("this benchmark's throughput is not that of its blocks");
  const auto blocks = blocks_of(result);
  const auto printed = fact_number(result, "largest_throughput");
  const auto trained = fact_number(result, "last_position");
  if (!printed || !trained || !blocks)
    return unknown("the log shows no blocks one after the other, no throughput or no samples");
  constexpr double stamp_s = 1e-3;
  const double rate = *trained / (blocks->time_s + stamp_s * blocks->count);
  return checked(
      rate <= *printed,
      fmt::format("at most {:.6g}/s printed, {:.0f} in {:.0f} blocks of {} s in all (and {:.0f} ms for their "
                  "stamps) are {:.6g}/s",
                  *printed, *trained, blocks->count, number(blocks->time_s, 6), blocks->count, rate),
      blocks->line, "the blocks trained more in their time than the largest throughput allows");
}

Finding blocks_within_run(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (!trains_in_blocks(result)) return not_applicable("this benchmark's blocks may overlap");
  const auto blocks = blocks_of(result);
  const double start = fact_number(result, "run_start").value_or(0);
  const double stop = fact_number(result, "run_stop").value_or(0);
  if (!blocks || start <= 0 || stop <= 0) return unknown("the log shows no blocks one after the other");
  constexpr double tolerance_s = 1;  // clocks of several processes
  const double run_s = (stop - start) / 1e3;
  return checked(blocks->time_s <= run_s + tolerance_s,
                 fmt::format("{} s in blocks, {} s from run_start to run_stop", number(blocks->time_s, 6),
                             number(run_s, 6)),
                 blocks->line, "the blocks took longer than the run");
}

Finding trained_as_evaluated(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const MlperfBenchmark* benchmark = mlperf_benchmark(text_parameter(result, "benchmark"));
  if (benchmark == nullptr || !benchmark->counts_tokens)
    return not_applicable("this benchmark does not log the tokens that it trained");
  const auto trained = fact_number(result, "trained_samples");
  const auto position = fact_number(result, "last_position");
  if (!trained || !position) return unknown("the log shows no trained tokens, or no evaluation's position");
  return checked(*trained == *position,
                 fmt::format("{:.0f} trained, last evaluation at {:.0f}", *trained, *position),
                 result.fact("trained_samples")->line,
                 "the run states another number of trained tokens than its last evaluation");
}

constexpr std::string_view pipeline_source = "Megatron-LM: DP, TP, PP, CP and interleaved pipelines";
constexpr std::string_view rate_source = "the log: tracked_stats, evaluations, run_start and run_stop";

constexpr std::array mlperf_rates_table = {
    Rule{"ML-09a", Severity::validity, "DP x TP x PP x CP is the number of GPUs", pipeline_source,
         uses_the_gpus},
    Rule{"ML-09b", Severity::validity, "The global batch is whole micro-batches, as planned and as logged",
         pipeline_source, whole_microbatches},
    Rule{"ML-09c", Severity::warning, "The pipeline's bubble is at most 5 %", pipeline_source, small_bubble},
    Rule{"ML-09d", Severity::validity, "Layers divide by PP x VP, attention heads by TP", pipeline_source,
         splits_the_model},
    Rule{"ML-09e", Severity::warning, "Tensor-parallel groups stay within a node", pipeline_source,
         tensors_within_node},
    Rule{"ML-10a", Severity::validity, "The printed throughput is what was trained over the time to train",
         rate_source, rate_of_run},
    Rule{"ML-10b", Severity::validity, "The run did not train faster than its largest printed throughput",
         rate_source, rate_within_printed},
    Rule{"ML-10d", Severity::validity, "The blocks did not train faster than the largest printed throughput",
         rate_source, rate_within_blocks},
    Rule{"ML-10e", Severity::validity, "The blocks took no longer than the run", rate_source,
         blocks_within_run},
    Rule{"ML-10c", Severity::validity, "What was trained is where the last evaluation stands", rate_source,
         trained_as_evaluated},
};

}  // namespace

std::span<const Rule> mlperf_rate_rules() {
  return mlperf_rates_table;
}

}  // namespace shakedown
