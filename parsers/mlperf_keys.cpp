#include "parsers/mlperf_keys.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace shakedown {
namespace {

using Use = MlperfUse;

/// Sorted by key. Source: mlcommons/logging, mllog/constants.py.
constexpr std::array<std::pair<std::string_view, Use>, 48> uses = {{
    {"accelerators_per_node", Use::setting},
    {"block_start", Use::work},
    {"block_stop", Use::count},
    {"cache_clear", Use::count},
    {"epoch_start", Use::work},
    {"epoch_stop", Use::count},
    {"eval_accuracy", Use::quality},
    {"eval_error", Use::quality},
    {"eval_samples", Use::setting},
    {"evaluation_frequency", Use::setting},
    {"global_batch_size", Use::setting},
    {"gradient_accumulation_steps", Use::setting},
    {"init_checkpoint_step", Use::setting},
    {"init_start", Use::mark},
    {"init_stop", Use::mark},
    {"lora_alpha", Use::setting},
    {"lora_rank", Use::setting},
    {"max_sequence_length", Use::setting},
    {"max_steps", Use::setting},
    {"number_of_nodes", Use::setting},
    {"number_of_ranks", Use::setting},
    {"opt_adam_beta_1", Use::setting},
    {"opt_adam_beta_2", Use::setting},
    {"opt_adam_epsilon", Use::setting},
    {"opt_adamw_beta_1", Use::setting},
    {"opt_adamw_beta_2", Use::setting},
    {"opt_adamw_epsilon", Use::setting},
    {"opt_adamw_weight_decay", Use::setting},
    {"opt_base_learning_rate", Use::setting},
    {"opt_end_learning_rate", Use::setting},
    {"opt_gradient_clip_norm", Use::setting},
    {"opt_learning_rate_decay_schedule", Use::setting},
    {"opt_learning_rate_decay_steps", Use::setting},
    {"opt_learning_rate_training_steps", Use::setting},
    {"opt_learning_rate_warmup_steps", Use::setting},
    {"opt_name", Use::setting},
    {"run_start", Use::mark},
    {"run_stop", Use::mark},
    {"seed", Use::seed},
    {"submission_benchmark", Use::setting},
    {"submission_division", Use::setting},
    {"submission_org", Use::setting},
    {"submission_platform", Use::setting},
    {"submission_status", Use::setting},
    {"target_accuracy", Use::setting},
    {"tracked_stats", Use::rate},
    {"train_samples", Use::setting},
    {"trained_samples", Use::setting},
}};
static_assert(std::is_sorted(uses.begin(), uses.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; }));

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
  const auto it =
      std::lower_bound(uses.begin(), uses.end(), key,
                       [](const auto& entry, std::string_view name) { return entry.first < name; });
  return it != uses.end() && it->first == key ? it->second : MlperfUse::none;
}

}  // namespace shakedown
