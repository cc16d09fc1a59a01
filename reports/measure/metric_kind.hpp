#pragma once
#include <optional>
#include <string_view>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {

/// How the key of a metric divided by the GPUs of its case ends.
inline constexpr std::string_view per_gpu_ending = "_per_gpu";

/// The kind of a metric as the facts of a suite state it, or by how its key ends ("triad_mb_s"); nothing for
/// a key that is not known. What is measured at the ends of a sweep and trials are of the kind of the figure
/// itself
/// ("latency_us_at_max_bytes", "fp64_gflops_trial_2").
std::optional<MetricKind> metric_kind(std::string_view metric);

/// The key without what says where in a sweep, or in which trial, it was measured.
std::string_view plain_metric(std::string_view metric);

/// How the key ends to say its unit: "_mb_s"; empty where it does not.
std::string_view unit_ending(std::string_view metric);

/// Which way a metric is better, or a phase by its unit; nothing: it has no direction, or none that is known.
std::optional<Better> direction_of(std::string_view metric, std::string_view unit = {});

}  // namespace shakedown
