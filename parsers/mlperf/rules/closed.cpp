#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "parsers/mlperf/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// A hyperparameter with one value.
struct FixedHyperparameter {
  std::string_view benchmark;
  std::string_view key;
  std::string_view value;
};

/// Source: mlcommons/training_policies, closed division; mlcommons/logging, closed_<benchmark>.yaml of
/// versions 4.1 to 6.0.
constexpr std::array fixed_hyperparameters = {
    FixedHyperparameter{"gpt3", "opt_name", "adam"},
    FixedHyperparameter{"gpt3", "max_sequence_length", "2048"},
    FixedHyperparameter{"gpt3", "opt_adam_beta_1", "0.9"},
    FixedHyperparameter{"gpt3", "opt_adam_beta_2", "0.95"},
    FixedHyperparameter{"gpt3", "opt_adam_epsilon", "1e-08"},
    FixedHyperparameter{"gpt3", "opt_gradient_clip_norm", "1.0"},
    FixedHyperparameter{"gpt3", "opt_learning_rate_decay_schedule", "cosine with linear warmup"},
    FixedHyperparameter{"llama2_70b_lora", "lora_rank", "16"},
    FixedHyperparameter{"llama2_70b_lora", "lora_alpha", "32"},
    FixedHyperparameter{"llama2_70b_lora", "opt_gradient_clip_norm", "0.3"},
    FixedHyperparameter{"llama2_70b_lora", "opt_adamw_weight_decay", "0.0001"},
    FixedHyperparameter{"llama31_405b", "max_sequence_length", "8192"},
    FixedHyperparameter{"llama31_405b", "opt_name", "adamw"},
    FixedHyperparameter{"llama31_405b", "opt_adamw_beta_1", "0.9"},
    FixedHyperparameter{"llama31_405b", "opt_adamw_beta_2", "0.95"},
    FixedHyperparameter{"llama31_405b", "opt_adamw_weight_decay", "0.1"},
    FixedHyperparameter{"llama31_405b", "opt_gradient_clip_norm", "1.0"},
    FixedHyperparameter{"llama31_8b", "max_sequence_length", "8192"},
    FixedHyperparameter{"llama31_8b", "opt_name", "adamw"},
    FixedHyperparameter{"llama31_8b", "opt_adamw_beta_1", "0.9"},
    FixedHyperparameter{"llama31_8b", "opt_adamw_beta_2", "0.95"},
    FixedHyperparameter{"llama31_8b", "opt_adamw_weight_decay", "0.1"},
    FixedHyperparameter{"llama31_8b", "opt_gradient_clip_norm", "1.0"},
    FixedHyperparameter{"stable_diffusion", "opt_name", "adamw"},
    FixedHyperparameter{"stable_diffusion", "opt_adamw_beta_1", "0.9"},
    FixedHyperparameter{"stable_diffusion", "opt_adamw_beta_2", "0.999"},
    FixedHyperparameter{"stable_diffusion", "opt_adamw_epsilon", "1e-08"},
    FixedHyperparameter{"stable_diffusion", "opt_adamw_weight_decay", "0.01"},
};

bool same(std::string_view logged, std::string_view demanded) {
  const auto a = finite_number(logged);
  const auto b = finite_number(demanded);
  return a && b ? std::abs(*a - *b) <= 1e-9 * std::abs(*b) : logged == demanded;
}

constexpr double least_GBS = 1536;
constexpr double most_GBS = 8192;

/// Steps of GPT-3's schedule, which the rules give for a global batch size of 1536.
struct Scaled {
  std::string_view key;
  double steps;
};
constexpr std::array<Scaled, 3> scaled = {{{"opt_learning_rate_warmup_steps", 265},
                                           {"opt_learning_rate_decay_steps", 108600},
                                           {"init_checkpoint_step", 4000}}};

/// What differs from the learning rate that GPT-3's batch size demands.
std::string gpt3_rate(const ParsedResult& result, double GBS, int& compared, int& line) {
  const auto rate = fact_number(result, "opt_base_learning_rate");
  if (!rate) return "";
  ++compared;
  const bool low = std::abs(*rate - 2e-5) < 1e-12;
  const bool high = std::abs(*rate - 3e-5) < 1e-12;
  if (GBS <= 3072 ? low : GBS >= 4096 ? high : low || high) return "";
  line = result.fact("opt_base_learning_rate")->line;
  return fmt::format("opt_base_learning_rate {:g}, not {}", *rate, GBS <= 3072 ? "2e-05" : "3e-05");
}

Finding gpt3_schedule(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (text_parameter(result, "benchmark") != "gpt3") return not_applicable("not GPT-3");
  if (text_parameter(result, "division") == "open") return not_applicable("open division");
  const auto GBS = whole_parameter(result.parameters, "GBS");
  if (!GBS || *GBS <= 0) return unknown("the log does not show the global batch size");
  int compared = 0;
  int line = 0;
  std::string differs;
  for (const auto& [key, steps] : scaled) {
    const auto logged = fact_number(result, key);
    if (!logged) continue;
    ++compared;
    const double demanded = steps * least_GBS / static_cast<double>(*GBS);
    if (*logged >= std::floor(demanded) && *logged <= std::ceil(demanded)) continue;  // rounded either way
    differs +=
        fmt::format("{}{} {:g}, not {:.0f}", differs.empty() ? "" : "; ", key, *logged, std::ceil(demanded));
    line = result.fact(key)->line;
  }
  if (compared == 0) return unknown("the log shows no schedule");
  return checked(differs.empty(), differs.empty() ? fmt::format("{} values as scaled", compared) : differs,
                 line, "the schedule is not the reference's, scaled by the batch size");
}

Finding closed_values(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (text_parameter(result, "division") == "open") return not_applicable("open division");
  const std::string benchmark = text_parameter(result, "benchmark");
  if (std::none_of(fixed_hyperparameters.begin(), fixed_hyperparameters.end(),
                   [&](const FixedHyperparameter& row) { return row.benchmark == benchmark; }))
    return unknown("the values that the closed division fixes for this benchmark are not available here");
  int compared = 0;
  int line = 0;
  std::string differs;
  std::string missing;
  for (const FixedHyperparameter& row : fixed_hyperparameters) {
    if (row.benchmark != benchmark) continue;
    const Fact* logged = result.fact(row.key);
    if (logged == nullptr) {
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", row.key);
      continue;
    }
    ++compared;
    if (same(logged->value, row.value)) continue;
    differs += fmt::format("{}{} {}, not {}", differs.empty() ? "" : "; ", row.key, logged->value, row.value);
    line = logged->line;
  }
  const auto GBS = whole_parameter(result.parameters, "GBS");
  if (benchmark == "gpt3" && GBS && *GBS > 0) {
    const std::string rate = gpt3_rate(result, static_cast<double>(*GBS), compared, line);
    if (!rate.empty()) differs += (differs.empty() ? "" : "; ") + rate;
    if (result.fact("opt_base_learning_rate") == nullptr)
      missing += fmt::format("{}opt_base_learning_rate", missing.empty() ? "" : ", ");
  }
  // A run that was ended early may not have come to them.
  if (differs.empty() && !missing.empty() && result.fact("run_stop") != nullptr)
    return failed("without " + missing, result.fact("run_stop")->line,
                  "a log of the closed division has exactly one of each");
  if (compared == 0) return unknown("the log shows none of the values that the closed division fixes");
  return checked(differs.empty(), differs.empty() ? fmt::format("{} values as fixed", compared) : differs,
                 line, "the closed division fixes another value");
}

Finding closed_batch(const Evidence& evidence) {
  if (text_parameter(*evidence.result, "benchmark") != "gpt3") return not_applicable("not GPT-3");
  const auto GBS = whole_parameter(evidence.result->parameters, "GBS");
  if (!GBS) return unknown("the log does not show the global batch size");
  const auto size = static_cast<double>(*GBS);
  return checked(size >= least_GBS && size <= most_GBS, fmt::format("GBS {}", *GBS),
                 evidence.result->fact("global_batch_size")->line,
                 "the closed division has GPT-3 from 1536 to 8192: another size needs new reference points");
}

constexpr std::array mlperf_closed_table = {
    Rule{"ML-04", Severity::validity, "Hyperparameters are those that the closed division fixes",
         "mlcommons/training_policies, closed division", closed_values},
    Rule{"ML-04b", Severity::eligibility, "GPT-3's global batch size is 1536 to 8192",
         "mlcommons/training_policies, closed division", closed_batch},
    Rule{"ML-04c", Severity::warning, "GPT-3's schedule is the reference's, scaled by the batch size",
         "mlcommons/training_policies, closed division", gpt3_schedule},
};

}  // namespace

std::span<const Rule> mlperf_closed_rules() {
  return mlperf_closed_table;
}

}  // namespace shakedown
