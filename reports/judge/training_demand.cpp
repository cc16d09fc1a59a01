#include "reports/judge/training_demand.hpp"

#include <cmath>

#include "orchestrator/core/units.hpp"
#include "reports/measure/metric_kind.hpp"

namespace shakedown {
namespace {

constexpr double seconds_a_day = 86'400;
constexpr double flop_per_parameter_and_token = 6;
constexpr double giga = 1e9;
double above_zero(TomlTable& table, std::string_view key) {
  const double value = table.required_real(key);
  if (table.has(key) && (!(value > 0) || !std::isfinite(value)))
    table.reject(key, fmt::format("'{}' must be a number above 0, not {}", key, value));
  return value;
}

/// "70e9 parameters".
std::string power_text(double value) {
  return value >= giga ? fmt::format("{:g}e9", value / giga) : fmt::format("{:g}", value);
}

}  // namespace

std::optional<DerivedLimit> derived_limit(const TrainingDemand& demand, std::string_view metric) {
  const bool divide = metric.ends_with(per_gpu_ending);
  if (divide) metric.remove_suffix(per_gpu_ending.size());
  if (metric != "tokens_per_s" && metric != "model_gflops") return std::nullopt;
  DerivedLimit limit;
  limit.value = demand.tokens / (demand.days * seconds_a_day);
  limit.arithmetic = fmt::format("{} tokens / ({:g} d x 86400 s) = {} tokens/s", power_text(demand.tokens),
                                 demand.days, number(limit.value, 6));
  const double flops = flop_per_parameter_and_token * demand.parameters * limit.value;
  limit.arithmetic += fmt::format("; 6 FLOP x {} parameters x that = {}", power_text(demand.parameters),
                                  flops_text(flops / giga, 4));
  if (metric == "model_gflops") {
    limit.value = flops / giga;
  } else if (demand.measured_parameters) {
    const double measured = *demand.measured_parameters;
    limit.value = flops / (flop_per_parameter_and_token * measured);
    limit.arithmetic += fmt::format("; as much with the {} parameters that are measured is {} tokens/s",
                                    power_text(measured), number(limit.value, 6));
  }
  if (divide) {
    limit.value /= demand.gpus.value_or(1);
    limit.arithmetic += fmt::format("; / {:g} GPUs = {}", demand.gpus.value_or(1), number(limit.value, 6));
  }
  return limit;
}

DerivedLimit limit_from_training(TomlTable table, std::string_view metric) {
  TrainingDemand demand;
  demand.parameters = above_zero(table, "parameters");
  demand.tokens = above_zero(table, "tokens");
  demand.days = above_zero(table, "days");
  if (table.has("measured_parameters")) demand.measured_parameters = above_zero(table, "measured_parameters");
  if (table.has("gpus")) demand.gpus = above_zero(table, "gpus");
  if (demand.gpus.has_value() != metric.ends_with(per_gpu_ending))
    table.reject("gpus",
                 demand.gpus ? "'gpus' divides a limit per GPU, and the metric is none"
                             : fmt::format("'gpus' is missing: {} is per GPU", metric),
                 "a metric that ends in _per_gpu takes the number of GPUs that share the work");
  const auto limit = derived_limit(demand, metric);
  if (limit) return *limit;
  table.reject("", fmt::format("no training asks for a limit on '{}'", metric),
               "a requirement derives tokens_per_s or model_gflops, either also _per_gpu");
  return {};
}

}  // namespace shakedown
