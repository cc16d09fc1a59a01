#include "orchestrator/regression/check_metrics.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// A check of gemm on a node.
CheckState pass_of(const std::string& node, double created_s, WatchState state, double floor = 0) {
  CheckState standing;
  standing.history.system = "sys";
  standing.campaign.created_s = created_s;
  JudgedSeries judged;
  judged.series.name = {"gemm", "reference", "fp64_gflops", node, "", "N=2048"};
  judged.watched.state = state;
  if (floor > 0) judged.series.floor = floor;
  judged.value = 90;
  standing.verdict.series = {judged};
  standing.verdict.exit_code = state == WatchState::alarm ? 1 : 0;
  return standing;
}

const std::set<std::string> both = {"cn1", "cn2"};

std::string text_of(const CheckMetrics& metrics) {
  return prometheus_text(metrics.families());
}

}  // namespace

TEST_CASE("an alarm stays in the metrics, with its time, until its node is measured again") {
  CheckMetrics metrics;
  metrics.record_check(pass_of("cn1", 1000, WatchState::alarm), {}, both);
  metrics.record_check(pass_of("cn2", 2000, WatchState::in_control), {}, both);
  const std::string labels =
      R"({system="sys",suite="gemm",implementation="reference",metric="fp64_gflops",nodes="cn1",kind="",parameters="N=2048"})";
  CHECK(text_of(metrics).find("shakedown_series_alarm" + labels + " 1\n") != std::string::npos);
  CHECK(text_of(metrics).find("shakedown_series_measured_timestamp_seconds" + labels + " 1000\n") !=
        std::string::npos);
  CHECK(text_of(metrics).find("shakedown_check_start_timestamp_seconds{system=\"sys\"} 2000\n") !=
        std::string::npos);
  metrics.record_check(pass_of("cn1", 3000, WatchState::in_control), {}, both);
  CHECK(text_of(metrics).find("shakedown_series_alarm" + labels + " 0\n") != std::string::npos);
}

TEST_CASE("what a series no longer has is taken out of the metrics, and so is a node that is gone") {
  CheckMetrics metrics;
  metrics.record_check(pass_of("cn1", 1000, WatchState::alarm, 100), {}, both);
  metrics.record_check(pass_of("cn1", 2000, WatchState::alarm), {}, both);
  CHECK(text_of(metrics).find("shakedown_series_below_floor") == std::string::npos);
  metrics.record_check(pass_of("cn2", 3000, WatchState::in_control), {}, {"cn2"});
  CHECK(text_of(metrics).find("nodes=\"cn1\"") == std::string::npos);
  CHECK(text_of(metrics).find("nodes=\"cn2\"") != std::string::npos);
}

TEST_CASE("a metric has one help, in the textfile of a campaign as in that of the checks") {
  CheckMetrics metrics;
  metrics.record_check(pass_of("cn1", 1000, WatchState::in_control), {}, both);
  Judgement judgement;
  SuiteResult result;
  result.suite = "gemm";
  result.metric = "fp64_gflops";
  result.measured = 90;
  judgement.suite_results = {result};
  const std::string campaign = prometheus_text(campaign_metrics({}, judgement));
  const std::size_t at = campaign.find("# HELP shakedown_measured_flops_per_second ");
  REQUIRE(at != std::string::npos);
  CHECK(text_of(metrics).find(campaign.substr(at, campaign.find('\n', at) - at)) != std::string::npos);
}

namespace {

/// An alarm of N=2048, and then a check of N=4096 by these runs, whose cases have a value, or none.
std::string after_another_size(const std::vector<AcceptanceRun>& runs, const std::vector<bool>& has_value) {
  CheckMetrics metrics;
  metrics.record_check(pass_of("cn1", 1000, WatchState::alarm), {}, both);
  CheckState next = pass_of("cn1", 2000, WatchState::in_control);
  next.verdict.series.front().series.name.parameters = "N=4096";
  for (const bool good : has_value) {
    CaseRecord record;
    record.planned.suite = "gemm";
    record.planned.implementation = "reference";
    record.planned.hosts = "cn1";
    record.planned.nodes = 1;
    ResultRecord result;
    result.parsed.complete = good;
    result.validity = good ? Validity::valid : Validity::invalid;
    AttemptRecord attempt;
    attempt.results = {result};
    record.attempts = {attempt};
    next.campaign.cases.push_back(record);
  }
  Regression regression;
  regression.facts.runs = runs;
  metrics.drop_ended(regression, next);
  metrics.record_check(next, {}, both);
  return text_of(metrics);
}

AcceptanceRun run_of(const std::string& suite, const std::string& implementation) {
  AcceptanceRun run;
  run.suite = suite;
  run.implementation = implementation;
  return run;
}

}  // namespace

TEST_CASE("an alarm goes with its series: where its run has other parameters now, or is configured no more") {
  const std::string old = "parameters=\"N=2048\"";
  CHECK(after_another_size({run_of("gemm", "reference")}, {true}).find(old) == std::string::npos);
  CHECK(after_another_size({run_of("gemm", "")}, {true, true}).find(old) == std::string::npos);
  CHECK(after_another_size({run_of("hpl", "reference")}, {true}).find(old) == std::string::npos);
  CHECK(after_another_size({run_of("gemm", "nvidia")}, {true}).find(old) == std::string::npos);
  AcceptanceRun four = run_of("gemm", "reference");
  four.nodes = {4};
  CHECK(after_another_size({four}, {true}).find(old) == std::string::npos);
}

TEST_CASE("an alarm on more nodes than the budget has goes with them, where no run states its nodes") {
  const auto has_alarm = [](int budget_nodes) {
    CheckMetrics metrics;
    metrics.record_check(pass_of("4 nodes", 1000, WatchState::alarm), {}, both);
    Regression regression;
    regression.nodes = budget_nodes;
    regression.facts.runs = {run_of("gemm", "reference")};
    metrics.drop_ended(regression, pass_of("2 nodes", 2000, WatchState::in_control));
    return text_of(metrics).find("nodes=\"4 nodes\"") != std::string::npos;
  };
  CHECK(has_alarm(4));
  CHECK_FALSE(has_alarm(2));
}

TEST_CASE("an alarm stays where its series may be of a run that this check has no value of") {
  const std::string old = "parameters=\"N=2048\"} 1\n";
  CHECK(after_another_size({run_of("gemm", "reference")}, {true, false}).find(old) != std::string::npos);
  CHECK(after_another_size({run_of("gemm", "reference")}, {}).find(old) != std::string::npos);
  const AcceptanceRun run = run_of("gemm", "reference");
  CHECK(after_another_size({run, run}, {true}).find(old) !=
        std::string::npos);  // the budget had time for one
}

TEST_CASE("of a check that was cut short behind its verdict the verdict's series are made up for") {
  CheckMetrics metrics;
  CheckState first = pass_of("cn1", 1000, WatchState::in_control);
  first.campaign.finished_s = 1060;
  metrics.record_check(first, {}, both);
  CHECK(text_of(metrics).find("shakedown_check_duration_seconds{system=\"sys\"} 60\n") != std::string::npos);
  CHECK(metrics.has_check("sys", 1000));
  CHECK_FALSE(metrics.has_check("sys", 2000));
  CHECK_FALSE(metrics.has_check("other", 1000));
  metrics.record_verdict("sys", 2000, pass_of("cn1", 2000, WatchState::alarm).verdict, both);
  CHECK(metrics.has_check("sys", 2000));
  CHECK(text_of(metrics).find("parameters=\"N=2048\"} 2000\n") != std::string::npos);
  CHECK(text_of(metrics).find("shakedown_check_exit_code{system=\"sys\"} 1\n") != std::string::npos);
  CHECK(text_of(metrics).find("shakedown_check_duration_seconds") == std::string::npos);
}

TEST_CASE("metrics are kept from check to check, and a file that is none holds none") {
  const TemporaryFolder folder;
  const Workspace workspace{folder.path};
  CheckMetrics metrics;
  metrics.record_check(pass_of("cn1", 1000, WatchState::alarm), {}, both);
  CheckLog log;
  log.failures = {{"sys", 1, "no answer"}, {"other", 1, "no answer"}};
  metrics.record_counts(log, "sys");
  CHECK(text_of(metrics).find("shakedown_checks_failed_total{system=\"sys\"} 1\n") != std::string::npos);
  CHECK(CheckMetrics::read(workspace).families().empty());
  REQUIRE(metrics.write(workspace));
  CHECK(text_of(CheckMetrics::read(workspace)) == text_of(metrics));
  REQUIRE(write_file(folder.path / "regression-metrics.json", "torn {"));
  CHECK(CheckMetrics::read(workspace).families().empty());
}
