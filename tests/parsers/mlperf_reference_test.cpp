#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

const RuleBook& mlperf_reference_book() {
  for (const RuleBook* candidate : rule_books())
    if (candidate->suite == "mlperf") return *candidate;
  FAIL("no rule book");
  return *rule_books().front();
}

std::string text_of(const ParsedResult& result, std::string_view name) {
  const Value* value = find_parameter(result.parameters, name);
  return value == nullptr ? "" : value_text(*value);
}

std::vector<FileResult> three_logs() {
  std::vector<FileResult> results;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "shakedown/result_" + std::to_string(i) + ".txt";
    for (ParsedResult& result : parsed(fixture("mlperf/" + name)))
      results.push_back({name, std::move(result)});
  }
  return results;
}

RuleResult target_rule(const std::string& log) {
  const std::vector<ParsedResult> results = parsed(log);
  Evidence evidence;
  evidence.result = &results.front();
  for (const RuleResult& rule : judged(evidence).rules)
    if (rule.id == "ML-02") return rule;
  FAIL("no ML-02");
  return {};
}

}  // namespace

TEST_CASE("a log of our own training holds the pretraining and the fine-tuning, both valid") {
  const auto results = parsed(fixture("mlperf/shakedown/result_0.txt"));
  REQUIRE(results.size() == 2);
  for (const ParsedResult& result : results) {
    CHECK(result.implementation == "reference");
    CHECK(result.complete);
    CHECK(text_of(result, "GBS") == "32");
    CHECK(text_of(result, "seed") == "1");
    CHECK(text_of(result, "nodes") == "1");
    CHECK(text_of(result, "division") == "open");
    Evidence evidence;
    evidence.result = &result;
    const Judged judgement = judged(evidence);
    CHECK(judgement.validity == Validity::valid);
    for (const RuleResult& rule : judgement.rules) {
      CAPTURE(rule.id, rule.value, rule.text);
      CHECK(rule.status != RuleStatus::fail);
      // Only a set can show these, and a plan what was launched.
      if (rule.status == RuleStatus::unknown) CHECK((rule.id == "ML-05" || rule.id == "ML-08"));
      if (rule.id == "ML-01") CHECK(rule.status == RuleStatus::not_applicable);
    }
  }
  CHECK(results[0].metric("model_gflops")->value == Approx(17.875062));
  CHECK(results[1].metric("model_gflops")->value == Approx(14.044541));
  CHECK(text_of(results[0], "benchmark") == "shakedown_pretrain");
  CHECK(results[0].metric("target_quality")->value == 1.61);
  CHECK(results[0].metric("final_quality")->value <= 1.61);
  CHECK(text_of(results[1], "benchmark") == "shakedown_lora");
  CHECK(results[1].metric("target_quality")->value == 1.63);
  CHECK(results[1].metric("final_quality")->value <= 1.63);
}

TEST_CASE("three logs of our own training make a score of each benchmark: the middle time") {
  const auto results = three_logs();
  REQUIRE(results.size() == 6);
  const auto scores = mlperf_reference_book().score(results);
  REQUIRE(scores.size() == 2);
  for (const SetScore& score : scores) {
    CAPTURE(score.benchmark);
    CHECK(score.runs == 3);
    CHECK(score.converged == 3);
    CHECK(score.validity == Validity::valid);
    std::vector<double> minutes;
    for (const FileResult& file : results)
      if (text_of(file.result, "benchmark") == score.benchmark)
        minutes.push_back(file.result.metric("time_to_train_min")->value);
    std::sort(minutes.begin(), minutes.end());
    REQUIRE(score.score_min.has_value());
    CHECK(*score.score_min == Approx(minutes[1]));
  }
}

TEST_CASE("two logs of our own training make no score") {
  auto results = three_logs();
  results.resize(4);
  for (const SetScore& score : mlperf_reference_book().score(results))
    CHECK(score.validity == Validity::invalid);
}

TEST_CASE("our own benchmarks have targets that a log can't change, and a floor") {
  const std::string log = fixture("mlperf/shakedown/result_0.txt");
  CHECK(target_rule(log).status == RuleStatus::pass);
  const std::string last = "\"value\": 1.600863";
  REQUIRE(log.find(last) != std::string::npos);
  CHECK(target_rule(replaced(log, last, "\"value\": 1.700863")).status == RuleStatus::fail);
  CHECK(target_rule(replaced(log, last, "\"value\": 1.300863")).status == RuleStatus::fail);
  const std::string easier =
      replaced(replaced(log, last, "\"value\": 1.700863"), "\"target_accuracy\", \"value\": 1.61",
               "\"target_accuracy\", \"value\": 1.8");
  CHECK(target_rule(easier).status == RuleStatus::fail);
}

TEST_CASE("a training of our own that died before it said anything is an incomplete run of ours") {
  const std::string log = fixture("mlperf/shakedown/result_0.txt");
  const auto results = parsed(log.substr(0, log.find(":::MLLOG")));
  REQUIRE(results.size() == 1);
  CHECK_FALSE(results.front().complete);
  CHECK(results.front().implementation == "reference");
  CHECK(results.front().reason.find("before run_start") != std::string::npos);
}
