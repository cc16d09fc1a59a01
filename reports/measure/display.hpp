#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {

/// Stands where there is no value.
inline constexpr std::string_view dash = "–";

/// What a metric is called within a sentence: "Rmax" for "rmax_gflops", "IOR easy write" for
/// "ior_easy_write_gib_s": where it has no name of its own, the key without its unit.
std::string metric_title(std::string_view metric);

/// The unit that the key's ending names: "GFLOP/s", "s", "GiB/s", ...; empty for ratios and bare numbers.
std::string metric_unit(std::string_view metric);

/// A metric's value as people read it: "92.41 GFLOP/s", "9.94 GB/s" (megabytes per second of memory), "78.3
/// %", and times in people's units beside the benchmark's unit: "6.9 s (0.1147 min)", "6 min 29 s (389 s)";
/// `extra` digits more than usual.
std::string metric_text(std::string_view metric, double value, int extra = 0);

/// A range with its unit once: "82.0 to 100 GFLOP/s", "3.5 s to 14 s".
std::string range_text(std::string_view metric, double low, double high);

/// A value and its limit, printed alike and with as many digits as it takes that they don't look equal unless
/// they are: rounding never carries a value over its limit.
struct ShownPair {
  std::string value;
  std::string limit;
};
ShownPair shown_beside(std::string_view metric, double value, double limit);

/// The fewest digits behind the point, one at least, that distinguish shares from a limit of either sign,
/// unless they are it: of 0.0196 beside 0.02 two, "1.96 %" and "2.00 %".
int decimals_beside(std::span<const double> shares, double limit);

/// How far a value lies from its limit: "+3.1 %", "−0.004 %"; "0.0 %" only where they are equal.
std::string distance_text(double value, double limit);

/// How the key of a metric divided by the GPUs of its case ends.
inline constexpr std::string_view per_gpu_ending = "_per_gpu";

/// The kind of a metric as the facts of a suite state it, or by how its key ends ("triad_mb_s"); nothing for
/// a key that is not known. What is measured at the ends of a sweep and trials are of the kind of the metric
/// itself ("latency_us_at_max_bytes", "fp64_gflops_trial_2").
std::optional<MetricKind> metric_kind(std::string_view metric);

/// The key without the part for its place in a sweep, or its trial.
std::string_view plain_metric(std::string_view metric);

/// The ending of the key that states its unit: "_mb_s"; empty if it has none.
std::string_view unit_ending(std::string_view metric);

/// Which way a metric is better, or a phase by its unit; nothing: it has no direction, or none that is known.
std::optional<Better> direction_of(std::string_view metric, std::string_view unit = {});

}  // namespace shakedown
