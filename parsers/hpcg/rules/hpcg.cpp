#include <array>
#include <iterator>

#include "parsers/hpcg/rules/rules.hpp"

namespace shakedown::rules {
namespace {

std::vector<RuleResult> judge_hpcg(const Evidence& evidence) {
  std::vector<RuleResult> results;
  for (const auto part :
       {hpcg_verdict_rules(), hpcg_shape_rules(), hpcg_identity_rules(), hpcg_advice_rules()}) {
    auto judged = applied(part, evidence);
    std::move(judged.begin(), judged.end(), std::back_inserter(results));
  }
  return results;
}

constexpr std::array hpcg_run_length = {RunLengthRule{"HPCG-02"}};  // 1800 s

}  // namespace

extern const RuleBook hpcg;
const RuleBook hpcg = {
    .suite = "hpcg", .own_check = "HPCG-01", .judge = judge_hpcg, .run_length = hpcg_run_length};

}  // namespace shakedown::rules
