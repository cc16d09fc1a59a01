#include <fmt/format.h>
#include <array>
#include <iterator>
#include <utility>

#include "parsers/mlperf/benchmarks.hpp"
#include "parsers/mlperf/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown::rules {
namespace {

std::vector<RuleResult> judge_mlperf(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied({mlperf_run_rules(), mlperf_quality_rules(), mlperf_closed_rules(), mlperf_log_rules(),
                  mlperf_rate_rules()},
                 evidence, std::move(room));
}

constexpr std::array mlperf_run_length = {RunLengthRule{"ML-01"}};  // the number of runs of a score

/// Of the compliance checker and the training policies: not how a model is split, nor what the log adds up
/// to.
constexpr std::array<std::string_view, 13> mlperf_of_list = {"ML-01",  "ML-02",  "ML-03",  "ML-04",  "ML-05",
                                                             "ML-06a", "ML-06b", "ML-06c", "ML-06d", "ML-06e",
                                                             "ML-06g", "ML-06l", "ML-06m"};

}  // namespace

extern const RuleBook mlperf;
const RuleBook mlperf = {.suite = "mlperf",
                         .own_check = "ML-02",
                         .judge = judge_mlperf,
                         .score = mlperf_scores,
                         .run_length = mlperf_run_length,
                         .of_list = mlperf_of_list};

}  // namespace shakedown::rules

namespace shakedown {
namespace {

Finding enough_runs(const Evidence& evidence) {
  const MlperfBenchmark* benchmark = mlperf_benchmark(text_parameter(*evidence.result, "benchmark"));
  if (benchmark == nullptr) return unknown("one run is no set, and the benchmark is not known");
  if (benchmark->is_own) return not_applicable("shakedown's own workload is no benchmark of MLPerf");
  return unknown(
      fmt::format("a score of {} needs {} runs, and this is one", benchmark->name, benchmark->runs), "1 run");
}

Finding mlperf_convergence(const Evidence&) {
  return unknown("reference convergence points are compared with the mean of a set of runs");
}

Finding unverified(const Evidence&) {
  return passed("unverified", 0, "Result not verified by MLCommons Association.");
}

Finding all_trials(const Evidence& evidence) {
  const std::string trial = text_parameter(*evidence.result, "trial");
  return unknown("whether more runs were made than are shown can't be seen in one log",
                 trial.empty() ? "" : fmt::format("trial {}", trial));
}

constexpr std::array mlperf_run_table = {
    Rule{"ML-01", Severity::validity, "A score is the mean of the benchmark's number of runs",
         "mlcommons/training_policies, 'Scoring'; mlcommons/logging, benchmark_meta.py", enough_runs},
    Rule{"ML-05", Severity::validity, "A set does not converge faster than the reference allows",
         "mlcommons/training_policies, 'Reference Convergence Points'", mlperf_convergence},
    Rule{"ML-07", Severity::warning, "A result that MLCommons has not verified is quoted as unverified",
         "mlcommons/policies, MLPerf results messaging guidelines", unverified},
    Rule{"ML-08", Severity::eligibility, "All runs that were launched are shown",
         "mlcommons/training_policies, 'Scoring'", all_trials},
};

}  // namespace

std::span<const Rule> mlperf_run_rules() {
  return mlperf_run_table;
}

std::optional<double> fact_number(const ParsedResult& result, std::string_view name) {
  const Fact* fact = result.fact(name);
  return fact == nullptr ? std::nullopt : finite_number(fact->value);
}

std::string text_parameter(const ParsedResult& result, std::string_view name) {
  const Value* value = find_parameter(result.parameters, name);
  return value == nullptr ? "" : value_text(*value);
}

int mlperf_rules_version(const Evidence& evidence) {
  if (const int version = mlperf_version(evidence.result->version); version != 0) return version;
  const Value* planned =
      evidence.planned == nullptr ? nullptr : find_parameter(evidence.planned->parameters, "version");
  return planned == nullptr ? 0 : mlperf_version(value_text(*planned));
}

}  // namespace shakedown
