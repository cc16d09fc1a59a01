// When the solver ran, for how long, and with how many digits: what a forged log leaves out.
#include <catch2/catch.hpp>

#include "parsers/lost_run.hpp"
#include "parsers/rules/rule.hpp"
#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

std::string without_stamps(std::string text) {
  for (std::size_t at = text.find("HPL_pdgesv()"); at != std::string::npos; at = text.find("HPL_pdgesv()"))
    text.erase(at, text.find('\n', at) + 1 - at);
  return text;
}

Judged judged_bare(const ParsedResult& result) {
  Evidence evidence;
  evidence.result = &result;
  evidence.bare = true;
  return judged(evidence);
}

}  // namespace

TEST_CASE("a log without the stamps that its version prints is no evidence of a campaign") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  CHECK(rule(judge(parsed(text).front()), "HPL-04h").status == RuleStatus::pass);
  CHECK(judge(parsed(text).front()).validity == Validity::valid);
  const ParsedResult cut = parsed(without_stamps(text)).front();
  CHECK(rule(judge(cut), "HPL-04h").status == RuleStatus::unknown);
  CHECK(judge(cut).validity == Validity::unknown);
  CHECK(judged_bare(cut).validity == Validity::valid);
  const ParsedResult older = parsed(replaced(without_stamps(text), "HPLinpack 2.3", "HPLinpack 2.0")).front();
  CHECK(rule(judge(older), "HPL-04h").status == RuleStatus::not_applicable);
}

TEST_CASE("a node that was idle while the solver is said to have run refutes the log") {
  const ParsedResult result = parsed(fixture("hpl/grammar/onemkl.out")).front();  // 88.17 s
  Inventory inventory;
  inventory.groups.resize(1);
  inventory.groups[0].hosts = "node1";
  Evidence evidence;
  evidence.result = &result;
  evidence.inventory = &inventory;
  evidence.wall_s = 95;
  CHECK(rule(judged(evidence), "HPL-04i").status == RuleStatus::not_applicable);  // several nodes
  evidence.busy_s = 86;                                                           // within 2 s and 1 %
  CHECK(rule(judged(evidence), "HPL-04i").status == RuleStatus::pass);
  evidence.busy_s = 0.4;
  CHECK(rule(judged(evidence), "HPL-04i").status == RuleStatus::fail);
  CHECK(judged(evidence).validity == Validity::invalid);
  inventory.groups[0].gpus.resize(1);
  CHECK(rule(judged(evidence), "HPL-04i").status == RuleStatus::not_applicable);
}

TEST_CASE("a time of few digits proves no rate, and a verdict that rests on it says so") {
  const ParsedResult exact = parsed(fixture("hpl/grammar/onemkl.out")).front();
  CHECK(rule(judge(exact), "HPL-04j").status == RuleStatus::pass);
  const ParsedResult rough = parsed(fixture("hpl/reference-passed.out")).front();  // 0.01 s
  const RuleResult found = rule(judge(rough), "HPL-04j");
  CHECK(found.status == RuleStatus::fail);
  CHECK(found.severity == Severity::warning);
  CHECK(found.text == "the time of 0.01 s allows rates 200.0 % apart");
  CHECK(must_be_noted("hpl", found));
  CHECK_FALSE(must_be_noted("hpl", rule(judge(exact), "HPL-04j")));
  CHECK_FALSE(must_be_noted("hpl", rule(judge(rough), "HPL-03c")));
}

TEST_CASE("a plan without N does not bind the problem") {
  const ParsedResult result = parsed(fixture("hpl/grammar/netlib-passed.out")).front();
  Case planned;
  planned.nodes = 1;
  planned.parameters = {{"N", std::int64_t{1500}}, {"NB", std::int64_t{64}}};
  Evidence evidence;
  evidence.result = &result;
  evidence.planned = &planned;
  CHECK(rule(judged(evidence), "HPL-05b").status == RuleStatus::pass);
  planned.parameters.erase(planned.parameters.begin());
  const RuleResult found = rule(judged(evidence), "HPL-05b");
  CHECK(found.status == RuleStatus::unknown);
  CHECK(must_be_noted("hpl", found));
}

TEST_CASE("a further run whose log was cut before its row is a warning of the whole one") {
  const std::string text = fixture("hpl/grammar/netlib-passed.out");
  const auto results = parsed(text + text.substr(0, text.find("\nWR")));
  REQUIRE(results.size() == 1);
  REQUIRE_FALSE(results[0].warnings.empty());
  CHECK(is_lost_run(results[0].warnings.back()));
  CHECK(parsed(text).front().warnings.empty());
}
