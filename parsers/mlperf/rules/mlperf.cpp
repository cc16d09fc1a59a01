#include <array>
#include <iterator>

#include "parsers/mlperf/rules/rules.hpp"

namespace shakedown::rules {
namespace {

std::vector<RuleResult> judge_mlperf(const Evidence& evidence) {
  std::vector<RuleResult> results;
  for (const auto part : {mlperf_run_rules(), mlperf_quality_rules(), mlperf_closed_rules(),
                          mlperf_log_rules(), mlperf_rate_rules()}) {
    auto judged = applied(part, evidence);
    std::move(judged.begin(), judged.end(), std::back_inserter(results));
  }
  return results;
}

constexpr std::array mlperf_run_length = {RunLengthRule{"ML-01"}};  // the number of runs of a score

}  // namespace

extern const RuleBook mlperf;
const RuleBook mlperf = {.suite = "mlperf",
                         .own_check = "ML-02",
                         .judge = judge_mlperf,
                         .score = mlperf_scores,
                         .run_length = mlperf_run_length};

}  // namespace shakedown::rules
