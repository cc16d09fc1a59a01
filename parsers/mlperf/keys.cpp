#include "parsers/mlperf/keys.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace shakedown {
namespace {

using KeyUse = MlperfUse;

/// Source: mlcommons/logging, mllog/constants.py.
constexpr std::array<std::pair<std::string_view, KeyUse>, 49> uses = {{
    {"accelerators_per_node", KeyUse::setting},
    {"block_start", KeyUse::work},
    {"block_stop", KeyUse::work},
    {"cache_clear", KeyUse::count},
    {"epoch_start", KeyUse::work},
    {"epoch_stop", KeyUse::count},
    {"eval_accuracy", KeyUse::quality},
    {"eval_error", KeyUse::quality},
    {"eval_samples", KeyUse::setting},
    {"evaluation_frequency", KeyUse::setting},
    {"global_batch_size", KeyUse::setting},
    {"gradient_accumulation_steps", KeyUse::setting},
    {"init_checkpoint_step", KeyUse::setting},
    {"init_start", KeyUse::mark},
    {"init_stop", KeyUse::mark},
    {"lora_alpha", KeyUse::setting},
    {"lora_rank", KeyUse::setting},
    {"max_sequence_length", KeyUse::setting},
    {"max_steps", KeyUse::setting},
    {"number_of_nodes", KeyUse::setting},
    {"number_of_ranks", KeyUse::setting},
    {"opt_adam_beta_1", KeyUse::setting},
    {"opt_adam_beta_2", KeyUse::setting},
    {"opt_adam_epsilon", KeyUse::setting},
    {"opt_adamw_beta_1", KeyUse::setting},
    {"opt_adamw_beta_2", KeyUse::setting},
    {"opt_adamw_epsilon", KeyUse::setting},
    {"opt_adamw_weight_decay", KeyUse::setting},
    {"opt_base_learning_rate", KeyUse::setting},
    {"opt_end_learning_rate", KeyUse::setting},
    {"opt_gradient_clip_norm", KeyUse::setting},
    {"opt_learning_rate_decay_schedule", KeyUse::setting},
    {"opt_learning_rate_decay_steps", KeyUse::setting},
    {"opt_learning_rate_training_steps", KeyUse::setting},
    {"opt_learning_rate_warmup_steps", KeyUse::setting},
    {"opt_name", KeyUse::setting},
    {"run_start", KeyUse::mark},
    {"run_stop", KeyUse::mark},
    {"seed", KeyUse::seed},
    {"submission_benchmark", KeyUse::setting},
    {"submission_division", KeyUse::setting},
    {"submission_org", KeyUse::setting},
    {"submission_platform", KeyUse::setting},
    {"submission_status", KeyUse::setting},
    {"target_accuracy", KeyUse::setting},
    {"tracked_stats", KeyUse::rate},
    {"train_batch_size", KeyUse::setting},
    {"train_samples", KeyUse::setting},
    {"trained_samples", KeyUse::setting},
}};
/// By length first: most keys differ in it, so that few texts are compared.
constexpr bool comes_before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}
constexpr auto uses_by_length = [] {
  auto all = uses;
  std::ranges::sort(all, comes_before, &std::pair<std::string_view, KeyUse>::first);
  return all;
}();

/// Version 0.5's names. Source: mlperf_compliance 0.0.10, tags.py.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> names_05 = {{
    {"eval_target", "target_accuracy"},
    {"run_clear_caches", "cache_clear"},
    {"run_set_random_seed", "seed"},
    {"train_epoch", "epoch_start"},
}};

}  // namespace

std::string_view mlperf_key(std::string_view key) {
  for (const auto& [old, name] : names_05)
    if (key == old) return name;
  return key;
}

MlperfUse mlperf_use(std::string_view key) {
  const auto* const it = std::ranges::lower_bound(uses_by_length, key, comes_before,
                                                  &std::pair<std::string_view, KeyUse>::first);
  return it != uses_by_length.end() && it->first == key ? it->second : MlperfUse::none;
}

}  // namespace shakedown
