#include "orchestrator/cli/text/progress_text.hpp"

#include <catch2/catch.hpp>
#include <tuple>

#include "orchestrator/core/file.hpp"
#include "parsers/parser.hpp"

using namespace shakedown;

namespace {

/// An attempt with the result of an IO500 log of the fixtures, judged by the suite's rules.
AttemptRecord io500(const std::string& name) {
  const auto text = file_content(std::string(TEST_FOLDER) + "/fixtures/io500/" + name);
  AttemptRecord attempt;
  attempt.state = AttemptState::finished;
  attempt.exit_code = 0;
  ResultRecord& result = attempt.results.emplace_back();
  result.parsed = parsed_log(text.value(), "io500").value().at(0);
  Evidence evidence;
  evidence.result = &result.parsed;
  Judged verdict = judged(evidence);
  result.rules = std::move(verdict.rules);
  result.validity = verdict.validity;
  return attempt;
}

CampaignRecord of_kind(const std::string& kind) {
  CampaignRecord campaign;
  campaign.kind = kind;
  return campaign;
}

}  // namespace

TEST_CASE("an IO500 run that is only too short is said to be just that") {
  const AttemptRecord attempt = io500("thirty-seconds-summary.txt");
  REQUIRE(attempt.results[0].validity == Validity::invalid);
  CHECK(attempt_text(attempt, of_kind("screening"))
            .ends_with(
                "  correct; too short to be an official IO500 result: IO5-02 (The four write phases last "
                "300 s with a stonewall of 300 s, and nothing is marked invalid)"));
  CHECK(attempt_text(attempt, of_kind("acceptance"))
            .find("  invalid, short of the official rules: IO5-02 (The four write phases last 300 s") !=
        std::string::npos);
}

TEST_CASE("a result names its benchmark, the metric that this is known by, and the unit") {
  struct Row {
    const char* suite;
    std::vector<Metric> metrics;
    const char* shown;
  };
  const std::vector<Row> rows = {
      {"stream", {{"copy_mb_s", 12000, 1}, {"triad_mb_s", 9941, 2}}, "STREAM triad 9.94 GB/s  "},
      {"mlperf", {{"samples_per_s", 100, 1}, {"time_to_train_min", 4, 2}}, "MLPerf time to train 4 min "},
      {"osu", {{"latency_us_at_max_bytes", 90, 1}, {"latency_us", 1.5, 2}}, "OSU latency 1.500 us"},
      {"hpl", {{"time_s", 10, 1}, {"rmax_gflops", 92.1, 2}}, "HPL Rmax 92.1"}};
  for (const Row& row : rows) {
    AttemptRecord attempt;
    ResultRecord& result = attempt.results.emplace_back();
    result.parsed.suite = row.suite;
    result.parsed.complete = true;
    result.parsed.metrics = row.metrics;
    CAPTURE(row.suite, attempt_text(attempt, of_kind("screening")));
    CHECK(attempt_text(attempt, of_kind("screening")).starts_with(row.shown));
  }
}

TEST_CASE("a result of shakedown's own program is not called by the official name") {
  for (const auto& [suite, metric, shown] :
       {std::tuple("hpl", "rmax_gflops", "HPL-like solver Rmax "),
        std::tuple("mlperf", "time_to_train_min", "Training test time to train ")}) {
    AttemptRecord attempt;
    ParsedResult& parsed = attempt.results.emplace_back().parsed;
    parsed.suite = suite;
    parsed.implementation = "reference";
    parsed.complete = true;
    parsed.metrics = {{metric, 4, 1}};
    CHECK(attempt_text(attempt, of_kind("screening")).starts_with(shown));
  }
}

TEST_CASE("what is invalid for another reason names its rule") {
  const AttemptRecord attempt = io500("invalid-find-summary.txt");
  REQUIRE(attempt.results[0].validity == Validity::invalid);
  CHECK(attempt_text(attempt, of_kind("screening")).find("  invalid by IO5-0") != std::string::npos);
}

TEST_CASE("an attempt without a result says how it ended") {
  AttemptRecord attempt;
  attempt.state = AttemptState::finished;
  attempt.exit_code = 0;
  CHECK(attempt_text(attempt, of_kind("screening")) == "finished, exit code 0");
  attempt.failure = "killed by signal 9";
  CHECK(attempt_text(attempt, of_kind("screening")) == "killed by signal 9");
}

TEST_CASE("a valid result that is too short for the official rules is called so") {
  AttemptRecord attempt;
  ResultRecord& result = attempt.results.emplace_back();
  result.parsed.suite = "hpcg";
  result.parsed.complete = true;
  result.parsed.metrics = {{"rating_gflops", 8.8, 1}};
  result.validity = Validity::valid;
  RuleResult length;
  length.id = "HPCG-02";
  length.title = "The timed part took at least 1800 s";
  length.severity = Severity::eligibility;
  length.status = RuleStatus::fail;
  result.rules = {length};
  CHECK(
      attempt_text(attempt, of_kind("screening"))
          .ends_with(
              "GFLOP/s  valid, short of the official rules: HPCG-02 (The timed part took at least 1800 s)"));
  CHECK(attempt_text(attempt, of_kind("acceptance")).ends_with("GFLOP/s  valid"));
  result.rules.front().status = RuleStatus::pass;
  CHECK(attempt_text(attempt, of_kind("screening")).ends_with("GFLOP/s  valid"));
}
