#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "orchestrator/core/text.hpp"
#include "parsers/mlperf/benchmarks.hpp"
#include "parsers/mlperf/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

std::span<const MlperfTarget> targets_of(const Evidence& evidence) {
  return mlperf_targets(text_parameter(*evidence.result, "benchmark"), mlperf_rules_version(evidence),
                        fact_number(*evidence.result, "run_start"));
}

std::string demand(const MlperfTarget& target) {
  return fmt::format("{}{} {:g}", target.metric.empty() ? "" : fmt::format("{} ", target.metric),
                     target.higher_is_better ? ">=" : "<=", target.value);
}

/// The target that the log prints itself: of version 0.5, always an accuracy. What a later log prints is not
/// the rules', nor is it known whether it is to be reached from below.
Finding own_target_met(const ParsedResult& result) {
  constexpr double float_error = 1e-7;  // 21.8 is logged as 21.799999237
  const Metric* quality = result.metric("final_quality");
  const Metric* target = result.metric("target_quality");
  if (quality == nullptr || target == nullptr || result.version != "0.5")
    return unknown("the benchmark's target is not known, so only run_stop's status decides");
  return checked(quality->value >= target->value * (1 - float_error),
                 fmt::format("{:g}, target {:g}", quality->value, target->value), quality->line,
                 "the last evaluation does not meet the target that the log names");
}

Finding target_met(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* stop = result.fact("run_stop");
  if (stop == nullptr) return unknown("there is no run_stop: whether the run converged is not known");
  const Fact* status = result.fact("status");
  if (status != nullptr && status->value != "success")
    return failed(fmt::format("status {}", status->value), status->line,
                  "the run ended without reaching the target");
  if (status == nullptr && result.version != "0.5") return unknown("run_stop has no status", "", stop->line);
  const auto targets = targets_of(evidence);
  if (targets.empty()) return own_target_met(result);
  if (result.fact("evaluations") == nullptr)
    return unknown("the log shows no evaluation", fmt::format("target {}", demand(targets.front())));
  std::string said;
  bool met = true;
  int line = stop->line;
  for (const MlperfTarget& target : targets) {
    const bool first = &target == &targets.front();
    const Metric* quality = result.metric(first ? "final_quality" : "final_" + lower(target.metric));
    if (!said.empty()) said += "; ";
    if (quality == nullptr) {
      const Fact* printed = result.fact("final_quality_printed");
      const std::string text = printed == nullptr ? "" : printed->value;
      if (text != "NaN" && text != "nan")
        return unknown(
            fmt::format("the last evaluation shows no {}", target.metric.empty() ? "value" : target.metric));
      met = false;
      said += fmt::format("{}, target {}", text, demand(target));
      continue;
    }
    line = quality->line;
    met = met && target.met_by(quality->value);
    said += fmt::format("{:.6g}, target {}", quality->value, demand(target));
  }
  return checked(met, said, line, "the last evaluation does not meet the target, whatever status is printed");
}

Finding stopped_at_target(const Evidence& evidence) {
  const auto targets = targets_of(evidence);
  if (targets.size() != 1 || !targets.front().metric.empty())
    return not_applicable("the benchmark judges no single value");
  const auto least = fact_number(*evidence.result, "least_earlier_quality");
  const auto most = fact_number(*evidence.result, "most_earlier_quality");
  if (!least || !most) return unknown("the log shows no earlier evaluation");
  const MlperfTarget& target = targets.front();
  const double best = target.higher_is_better ? *most : *least;
  return checked(!target.met_by(best), fmt::format("best {:.6g}, target {}", best, demand(target)),
                 evidence.result->fact("least_earlier_quality")->line,
                 "an earlier evaluation met the target: the run should have stopped there");
}

/// Samples between two evaluations.
struct Cadence {
  std::string_view benchmark;
  std::array<int, 2> samples;  ///< the second, where not 0, is another version's
};

/// Source: mlcommons/training_policies, table of evaluation frequencies, versions 4.1 to 6.0.
constexpr std::array<Cadence, 5> cadences = {{{"flux1", {262144, 0}},
                                              {"gpt3", {24576, 0}},
                                              {"llama2_70b_lora", {384, 0}},
                                              {"llama31_405b", {46080, 18432}},
                                              {"llama31_8b", {12288, 0}}}};

/// Samples before the first evaluation, as far as the rules state: with LoRA some may be skipped.
std::optional<double> first_due(std::string_view benchmark, int samples, std::int64_t GBS) {
  const auto size = static_cast<double>(GBS);
  const double interval = std::ceil(samples / size) * size;
  if (benchmark == "gpt3") return interval;
  if (benchmark == "llama2_70b_lora") return (std::floor(0.125 * size + 2) + 1) * interval;
  return std::nullopt;
}

Finding cadence_of(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const std::string name = text_parameter(result, "benchmark");
  const auto it = std::find_if(cadences.begin(), cadences.end(),
                               [&](const Cadence& cadence) { return cadence.benchmark == name; });
  if (it == cadences.end()) return not_applicable("no number of samples between evaluations is fixed");
  if (text_parameter(result, "division") == "open") return not_applicable("open division");
  const auto GBS = whole_parameter(result.parameters, "GBS");
  const auto first = fact_number(result, "first_position");
  const auto least = fact_number(result, "least_interval");
  const auto most = fact_number(result, "most_interval");
  if (!GBS || *GBS <= 0) return unknown("the log does not show the global batch size");
  const double unit = name == "gpt3" ? 2048 : 1;
  if (const auto due = first_due(name, it->samples[0], *GBS); due && first && *first > *due * unit)
    return failed(
        fmt::format("first at {:.0f}", *first), result.fact("first_position")->line,
        fmt::format("the first evaluation is due at {:.0f}: earlier ones are missing", *due * unit));
  if (!least || !most) return unknown("the log does not show two evaluations at different positions");
  bool kept = false;
  for (const int samples : it->samples) {
    if (samples == 0) continue;
    const double interval = std::ceil(samples / static_cast<double>(*GBS)) * static_cast<double>(*GBS) * unit;
    kept = kept || (*least == interval && *most == interval);
  }
  const std::string unit_name = unit > 1 ? "tokens" : "samples";
  return checked(kept,
                 *least == *most ? fmt::format("every {:.0f} {}", *least, unit_name)
                                 : fmt::format("every {:.0f} to {:.0f} {}", *least, *most, unit_name),
                 result.fact("least_interval")->line,
                 fmt::format("the rules require an evaluation every {} samples, in whole steps of {}",
                             it->samples[0], *GBS));
}

Finding gpt3_cadence(const Evidence& evidence) {
  if (text_parameter(*evidence.result, "benchmark") != "gpt3") return not_applicable("not GPT-3");
  return cadence_of(evidence);
}

Finding other_cadence(const Evidence& evidence) {
  if (text_parameter(*evidence.result, "benchmark") == "gpt3") return not_applicable("GPT-3: ML-03");
  return cadence_of(evidence);
}

constexpr std::string_view frequencies = "mlcommons/training_policies, evaluation frequency";

constexpr std::array mlperf_quality_table = {
    Rule{"ML-02", Severity::validity,
         "The last evaluation meets the benchmark's target and the run states success",
         "mlcommons/logging, compliance checker, closed_<benchmark>.yaml", target_met},
    Rule{"ML-02b", Severity::warning, "No earlier evaluation meets the target",
         "mlcommons/training_policies: a run ends when the target is reached", stopped_at_target},
    Rule{"ML-03", Severity::validity, "GPT-3 is evaluated every 24,576 sequences", frequencies, gpt3_cadence},
    Rule{"ML-03b", Severity::warning, "The model is evaluated as often as the rules require", frequencies,
         other_cadence},
};

}  // namespace

std::span<const Rule> mlperf_quality_rules() {
  return mlperf_quality_table;
}

}  // namespace shakedown
