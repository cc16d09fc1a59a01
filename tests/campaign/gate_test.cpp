#include "orchestrator/campaign/retry.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/campaign/replanner.hpp"

using namespace shakedown;

namespace {

AttemptRecord finished(bool complete, Validity validity) {
  AttemptRecord attempt;
  attempt.state = AttemptState::finished;
  ResultRecord& result = attempt.results.emplace_back();
  result.parsed.complete = complete;
  result.validity = validity;
  return attempt;
}

Case hpl() {
  Case planned;
  planned.parser = "hpl";
  return planned;
}

CaseRecord record(std::string id, std::string suite, std::string stands_for = "") {
  CaseRecord made;
  made.planned.id = std::move(id);
  made.planned.suite = std::move(suite);
  made.planned.stands_for = std::move(stands_for);
  return made;
}

}  // namespace

TEST_CASE("a valid result lets the next stage begin") {
  CHECK(objection_to_next_stage(finished(true, Validity::valid), hpl()).empty());
}

TEST_CASE("no result, an invalid one and an attempt that was ended keep it from beginning, with the reason") {
  AttemptRecord none = finished(false, Validity::unknown);
  none.failure = "exit code 9";
  CHECK(objection_to_next_stage(none, hpl()) == "exit code 9");
  AttemptRecord invalid = finished(true, Validity::invalid);
  RuleResult& rule = invalid.results[0].rules.emplace_back();
  rule.id = "HPL-01";
  rule.severity = Severity::validity;
  rule.status = RuleStatus::fail;
  rule.text = "the residual is 17";
  CHECK(objection_to_next_stage(invalid, hpl()) == "its result is invalid by HPL-01: the residual is 17");
  AttemptRecord ended;
  ended.state = AttemptState::timed_out;
  ended.failure = "ended at its time limit of 5 s";
  CHECK(objection_to_next_stage(ended, hpl()) == "attempt 1 timed-out: ended at its time limit of 5 s");
}

TEST_CASE("a command that is not parsed passes by its exit code") {
  AttemptRecord attempt;
  attempt.state = AttemptState::finished;
  attempt.exit_code = 0;
  CHECK(objection_to_next_stage(attempt, Case()).empty());
  attempt.exit_code = 3;
  CHECK(objection_to_next_stage(attempt, Case()) == "exit code 3");
  attempt.failure = "exit code 3; stderr.log ends with 'memory error'";
  CHECK(objection_to_next_stage(attempt, Case()) == attempt.failure);
}

TEST_CASE("a case finds itself in a plan that was made anew, also where it took another's place before") {
  const std::vector<CaseRecord> cases = {record("hpl-4n", "hpl"), record("hpcg-4n", "hpcg"),
                                         record("hpl-8n", "hpl"), record("hpl-7n", "hpl", "hpl-8n")};
  std::vector<Case> fresh;
  for (const char* id : {"hpl-4n", "hpcg-4n", "hpl-6n"})
    fresh.push_back(record(id, std::string(id).substr(0, std::string(id).find('-'))).planned);
  CHECK(counterpart(cases, 0, fresh) == &fresh[0]);
  CHECK(counterpart(cases, 1, fresh) == &fresh[1]);
  CHECK(counterpart(cases, 2, fresh) == &fresh[2]);
  CHECK(counterpart(cases, 3, fresh) == &fresh[2]);
  CHECK(counterpart(cases, 2, std::span(fresh).first(2)) == nullptr);
}
