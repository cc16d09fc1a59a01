#include <algorithm>
#include <array>
#include <iterator>

#include "parsers/io500/rules/rules.hpp"

namespace shakedown::rules {
namespace {

std::vector<RuleResult> judge_io500(const Evidence& evidence) {
  std::vector<RuleResult> results;
  for (const auto part :
       {io500_phase_rules(), io500_identity_rules(), io500_hash_rules(), io500_run_rules()}) {
    auto judged = applied(part, evidence);
    std::move(judged.begin(), judged.end(), std::back_inserter(results));
  }
  std::stable_sort(results.begin(), results.end(),
                   [](const RuleResult& a, const RuleResult& b) { return a.id < b.id; });
  return results;
}

/// 300 s of each write phase, and a stonewall of 300 s.
constexpr std::array io500_run_length = {RunLengthRule{"IO5-02", io500_only_short}};

}  // namespace

extern const RuleBook io500;
const RuleBook io500 = {
    .suite = "io500", .own_check = "IO5-02", .judge = judge_io500, .run_length = io500_run_length};

}  // namespace shakedown::rules
