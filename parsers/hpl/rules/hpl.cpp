#include <iterator>

#include "parsers/hpl/rules/rules.hpp"

namespace shakedown::rules {
namespace {

std::vector<RuleResult> judge_hpl(const Evidence& evidence) {
  std::vector<RuleResult> results;
  for (const auto part :
       {hpl_numerics_rules(), hpl_identity_rules(), hpl_layout_rules(), hpl_machine_rules()}) {
    auto judged = applied(part, evidence);
    std::move(judged.begin(), judged.end(), std::back_inserter(results));
  }
  return results;
}

}  // namespace

extern const RuleBook hpl;
const RuleBook hpl = {.suite = "hpl", .own_check = "HPL-03", .judge = judge_hpl};

}  // namespace shakedown::rules
