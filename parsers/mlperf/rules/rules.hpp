#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "parsers/rules/finding.hpp"

namespace shakedown {

/// ML-01, ML-05, ML-07 and ML-08 of a single run: what only a set can show, and how a result is to be quoted.
std::span<const Rule> mlperf_run_rules();

/// ML-02 and ML-03: the target, and how often the model was evaluated.
std::span<const Rule> mlperf_quality_rules();

/// ML-04: hyperparameters that the closed division fixes.
std::span<const Rule> mlperf_closed_rules();

/// ML-06: what the official checker demands of a log, and its clock.
std::span<const Rule> mlperf_log_rules();

/// ML-09 and ML-10: parallelism, and rates recomputed from what else is printed.
std::span<const Rule> mlperf_rate_rules();

/// The scores of the sets among the results; of too few runs of shakedown's own workloads none.
std::vector<SetScore> mlperf_scores(std::span<const FileResult> results);

/// The fact `name` as a finite number.
std::optional<double> fact_number(const ParsedResult& result, std::string_view name);

/// The text parameter `name`; empty where it is absent.
std::string text_parameter(const ParsedResult& result, std::string_view name);

/// The rules' version times ten: of the log, else of the plan; 0: not known.
int mlperf_rules_version(const Evidence& evidence);

}  // namespace shakedown
