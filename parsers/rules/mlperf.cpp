#include <iterator>

#include "parsers/rules/mlperf_rules.hpp"

namespace shakedown::rules {
namespace {

std::vector<RuleResult> judge(const Evidence& evidence) {
  std::vector<RuleResult> results;
  for (const auto part : {mlperf_run_rules(), mlperf_quality_rules(), mlperf_closed_rules(),
                          mlperf_log_rules(), mlperf_rate_rules()}) {
    auto judged = applied(part, evidence);
    std::move(judged.begin(), judged.end(), std::back_inserter(results));
  }
  return results;
}

}  // namespace

extern const RuleBook mlperf;
const RuleBook mlperf = {.suite = "mlperf", .own_check = "ML-02", .judge = judge, .score = mlperf_scores};

}  // namespace shakedown::rules
