#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/core/toml.hpp"

namespace shakedown {

/// A training that the machine must finish in time: what a limit on its rate follows from.
struct TrainingRequirement {
  double parameters = 0;                      ///< of the model: 70e9
  double tokens = 0;                          ///< that it is trained on: 300e9
  double days = 0;                            ///< that it may take
  std::optional<double> measured_parameters;  ///< of the model that the benchmark trains; else the same
  std::optional<double> gpus;                 ///< that share the work, of a limit per GPU
};

/// A limit with the arithmetic that it follows from.
struct DerivedLimit {
  double value = 0;
  std::string arithmetic;
};

/// Reads `[criteria.requirement]`. A metric that no rate of training is, or a key that is not above 0, is the
/// file's objection.
DerivedLimit limit_from_training(TomlTable table, std::string_view metric);

/// The rate that a requirement asks of `tokens_per_s` or `model_gflops`, either also per GPU; nothing for
/// another metric. A token takes 6 FLOP per parameter, forward and backward; a model of another size than the
/// required one is as fast in FLOP/s.
///
/// Source of 6 N: J. Kaplan et al., "Scaling Laws for Neural Language Models", 2020, section 2.1.
std::optional<DerivedLimit> derived_limit(const TrainingRequirement& training, std::string_view metric);

}  // namespace shakedown
