#include <iterator>

#include "parsers/hpl_mxp/rules/rules.hpp"

namespace shakedown::rules {
namespace {

std::vector<RuleResult> judge_hpl_mxp(const Evidence& evidence) {
  std::vector<RuleResult> results;
  for (const auto part : {hpl_mxp_numerics_rules(), hpl_mxp_identity_rules(), hpl_mxp_conduct_rules()}) {
    auto judged = applied(part, evidence);
    std::move(judged.begin(), judged.end(), std::back_inserter(results));
  }
  return results;
}

}  // namespace

extern const RuleBook hpl_mxp;
const RuleBook hpl_mxp = {.suite = "hpl-mxp", .own_check = "MXP-01", .judge = judge_hpl_mxp};

}  // namespace shakedown::rules
