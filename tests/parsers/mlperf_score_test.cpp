#include <catch2/catch.hpp>

#include "parsers/mlperf/rules/rcps.hpp"
#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

const RuleBook& mlperf_score_book() {
  for (const RuleBook* candidate : rule_books())
    if (candidate->suite == "mlperf") return *candidate;
  FAIL("no rule book");
  return *rule_books().front();
}

/// A run of the LoRA fixture that started `hours` later, had `seed` and took `extra_ms` longer.
FileResult lora(const std::string& file, int hours, int seed, int extra_ms) {
  ParsedResult result = parsed(fixture("mlperf/lora-converged.txt")).front();
  for (Fact& fact : result.facts) {
    if (fact.name == "seed") fact.value = std::to_string(seed);
    for (const char* name :
         {"run_start", "run_stop", "init_start", "init_stop", "first_work", "final_evaluation"})
      if (fact.name == name) {
        const bool late = fact.name == "run_stop" || fact.name == "final_evaluation";
        fact.value = std::to_string(std::stoll(fact.value) + hours * 3600000LL + (late ? extra_ms : 0));
      }
    if (fact.name == "final_quality_printed" || fact.name == "stop_value")
      fact.value = "0.92" + std::to_string(4000 + seed);
  }
  for (Metric& metric : result.metrics)
    if (metric.name == "time_to_train_min") metric.value += extra_ms / 60e3;
  return {file, std::move(result)};
}

/// Ten runs that take 0, 1, 2, ... 9 s longer than the fixture.
std::vector<FileResult> ten(const std::string& prefix = "v41_site/") {
  std::vector<FileResult> runs;
  for (int i = 0; i < 10; ++i)
    runs.push_back(lora(prefix + "result_" + std::to_string(i) + ".txt", i, 100 + i, 1000 * i));
  return runs;
}

SetScore only_score(const std::vector<FileResult>& results) {
  const auto scores = mlperf_score_book().score(results);
  REQUIRE(scores.size() == 1);
  return scores.front();
}

void abort_run(FileResult& run) {
  for (Fact& fact : run.result.facts)
    if (fact.name == "status") fact.value = "aborted";
}

RuleResult set_rule(const SetScore& score, std::string_view id) {
  for (const RuleResult& rule : score.rules)
    if (rule.id == id) return rule;
  FAIL("no rule " << id);
  return {};
}

bool warns(const SetScore& score, std::string_view text) {
  return std::any_of(score.warnings.begin(), score.warnings.end(),
                     [&](const std::string& warning) { return warning.find(text) != std::string::npos; });
}

constexpr double fixture_min = 1100002.0 / 60000;

}  // namespace

TEST_CASE("a score is the mean without the fastest and the slowest run") {
  const SetScore score = only_score(ten());
  CHECK(score.schema == "shakedown.mlperf-score/1");
  CHECK(score.benchmark == "llama2_70b_lora");
  CHECK(score.name == "v41_site");
  CHECK(score.runs == 10);
  CHECK(score.converged == 10);
  REQUIRE(score.score_min.has_value());
  CHECK(*score.score_min == Approx(fixture_min + 4.5 / 60));
  CHECK(score.dropped == std::vector<std::string>{"v41_site/result_0.txt", "v41_site/result_9.txt"});
}

TEST_CASE("one run that did not converge is dropped as the slowest; two make the set invalid") {
  auto runs = ten();
  abort_run(runs[3]);
  const SetScore one = only_score(runs);
  CHECK(one.converged == 9);
  CHECK(*one.score_min == Approx(fixture_min + (1 + 2 + 4 + 5 + 6 + 7 + 8 + 9) / 8.0 / 60));
  CHECK(one.dropped == std::vector<std::string>{"v41_site/result_0.txt", "v41_site/result_3.txt"});
  CHECK(warns(one, "v41_site/result_3.txt does not count as converged: ML-02 fails: status aborted"));
  abort_run(runs[4]);
  const SetScore two = only_score(runs);
  CHECK_FALSE(two.score_min.has_value());
  CHECK(set_rule(two, "ML-02").status == RuleStatus::fail);
  CHECK(two.validity == Validity::invalid);
}

TEST_CASE("a run that breaks a rule is not dropped as one that did not converge: it spoils the set") {
  auto runs = ten();
  for (Fact& fact : runs[3].result.facts)
    if (fact.name == "lora_rank") fact.value = "1";
  const SetScore score = only_score(runs);
  CHECK(set_rule(score, "ML-06k").status == RuleStatus::fail);
  CHECK(set_rule(score, "ML-06k").text ==
        "ML-04 fails: lora_rank 1, not 16: the closed division fixes another value");
  CHECK(score.validity == Validity::invalid);
  runs = ten();
  abort_run(runs[3]);
  CHECK(set_rule(only_score(runs), "ML-06k").status == RuleStatus::pass);
}

TEST_CASE("a set in part has no score and says what is missing") {
  auto runs = ten();
  runs.resize(7);
  const SetScore score = only_score(runs);
  CHECK_FALSE(score.score_min.has_value());
  CHECK(warns(score, "3 of the 10 runs that llama2_70b_lora takes are missing: no score"));
  CHECK(set_rule(score, "ML-01").status == RuleStatus::fail);
}

TEST_CASE("fewer runs of shakedown's own training than a score takes are no set that lacks runs") {
  FileResult run;
  run.file = "quick/stdout.log";
  run.result = parsed(fixture("mlperf/shakedown/result_0.txt")).front();
  CHECK(mlperf_score_book().score(std::vector{run}).empty());
  CHECK(only_score({run, run, run}).runs == 3);
}

TEST_CASE("of more runs than count the median window of consecutive ones is taken") {
  auto runs = ten();
  for (int i = 10; i < 12; ++i)
    runs.push_back(lora("v41_site/result_" + std::to_string(i) + ".txt", i, 100 + i, 1000 * i));
  // Windows from 0, 1 and 2: the middle one is the median.
  CHECK(*only_score(runs).score_min == Approx(fixture_min + 5.5 / 60));
}

TEST_CASE("runs that can't all be genuine are named") {
  auto runs = ten();
  runs[5] = runs[4];
  runs[5].file = "v41_site/result_5.txt";
  const SetScore copied = only_score(runs);
  CHECK(warns(copied, "v41_site/result_4.txt and v41_site/result_5.txt are logs of one run"));
  CHECK(set_rule(copied, "ML-06i").status == RuleStatus::fail);
  CHECK(copied.validity == Validity::invalid);

  runs = ten();
  runs[6] = lora("v41_site/result_6.txt", 6, 107, 6000);
  CHECK(warns(only_score(runs), "v41_site/result_6.txt and v41_site/result_7.txt have the same seed 107"));

  runs = ten();  // shifted in time, with another seed
  runs[8] = lora("v41_site/result_8.txt", 8, 107, 7000);
  for (Fact& fact : runs[8].result.facts)
    if (fact.name == "seed") fact.value = "999";
  CHECK(warns(only_score(runs), "one is a copy of the other"));

  runs = ten();  // and a millisecond longer
  for (const int i : {4, 5})
    for (Fact& fact : runs[static_cast<size_t>(i)].result.facts)
      if (fact.name == "final_quality_printed" || fact.name == "stop_value")
        fact.value = "0.9247834086418152";
  CHECK(warns(only_score(runs), "have the same evaluations to the last digit, 0.9247834086418152"));
  CHECK(set_rule(only_score(runs), "ML-06i").status == RuleStatus::fail);

  runs = ten();
  runs[1] = lora("v41_site/result_1.txt", 2, 101, 1000);
  CHECK(warns(only_score(runs), "1 pair of runs overlaps in time"));
  CHECK_FALSE(warns(only_score(ten()), "overlap"));
}

TEST_CASE("runs of another batch size or platform are no part of the set") {
  auto runs = ten();
  for (Parameter& parameter : runs[2].result.parameters)
    if (parameter.name == "GBS") parameter.value = std::int64_t{16};
  CHECK(set_rule(only_score(runs), "ML-06h").status == RuleStatus::fail);
}

TEST_CASE("sets in one folder are distinguished by their names, others by what they are of") {
  auto runs = ten("logs/siteA_lora_");
  for (FileResult& run : ten("logs/siteB_lora_")) runs.push_back(std::move(run));
  const auto named = mlperf_score_book().score(runs);
  REQUIRE(named.size() == 2);
  CHECK(named[0].name == "logs/siteA_lora");
  CHECK(named[1].name == "logs/siteB_lora");
  for (size_t i = 0; i < runs.size(); ++i) runs[i].file = "logs/run" + std::to_string(i) + ".log";
  CHECK(mlperf_score_book().score(runs).size() == 1);
  runs[0].result.suite = "hpl";
  CHECK(only_score(runs).runs == 19);
}

TEST_CASE("a run that died before it said what it is counts in the set of its name") {
  auto runs = ten();
  runs[9].result =
      parsed(
          "Beginning trial 1 of 1\n:::MLLOG {\"time_ms\": 1728300000000, \"key\": \"cache_clear\", "
          "\"value\": true, \"metadata\": {}}\n")
          .front();
  const SetScore score = only_score(runs);
  CHECK(score.runs == 10);
  CHECK(score.converged == 9);
}

TEST_CASE("the convergence of a set is compared with the reference's") {
  auto runs = ten();
  // 2304 samples where the reference needs 3178.7 and 2960.6 are the least that is accepted.
  CHECK(set_rule(only_score(runs), "ML-05").status == RuleStatus::fail);
  const auto converge_at = [&](const char* samples) {
    for (FileResult& run : runs)
      for (Fact& fact : run.result.facts)
        if (fact.name == "converged_at") fact.value = samples;
    return only_score(runs);
  };
  const SetScore slower = converge_at("3456");
  CHECK(set_rule(slower, "ML-05").status == RuleStatus::pass);
  CHECK_FALSE(warns(slower, "MLCommons multiplies"));
  const SetScore faster = converge_at("3072");
  CHECK(set_rule(faster, "ML-05").status == RuleStatus::pass);
  CHECK(set_rule(faster, "ML-05").value.find("allowed is 2960.63 and more") != std::string::npos);
  CHECK(warns(faster, "within what ML-05 allows. MLCommons multiplies such a score by 1.03472"));
  CHECK(*faster.score_min == Approx(fixture_min + 4.5 / 60));
}

TEST_CASE("reference points are interpolated between batch sizes") {
  const auto at = [](std::int64_t GBS) { return mlperf_references("llama2_70b_lora", 41, GBS).front(); };
  CHECK(at(8).kind == MlperfReference::Kind::exact);
  CHECK(at(8).mean == Approx(3178.67).epsilon(1e-5));
  CHECK(at(64).kind == MlperfReference::Kind::interpolated);
  CHECK(at(64).mean == Approx(4032 + (11264 - 4032) * 48 / 112.0));  // between 16 and 128: 32 is pruned
  CHECK(at(4).kind == MlperfReference::Kind::smallest);
  CHECK(at(256).kind == MlperfReference::Kind::missing);
  CHECK(mlperf_references("gpt3", 41, 2048).front().mean == Approx(1177760563));
  CHECK(mlperf_references("gpt3", 0, 2048).size() == 2);
  // The point with a misprinted run refuses fast sets as the others do, and so does what lies beside it.
  CHECK(mlperf_references("gpt3", 41, 3072).front().least == Approx(1174221100));
  CHECK(mlperf_references("gpt3", 41, 2560).front().least > 1.1e9);
  CHECK(mlperf_references("gpt3", 41, 3584).front().least > 1.1e9);
  CHECK(mlperf_references("gpt3", 50, 2048).empty());
}

TEST_CASE(
    "a set whose version nobody names is measured by the reference points of its date, if there were any") {
  const auto at = [](double shift_ms, const std::string& folder) {
    auto runs = ten(folder);
    for (FileResult& run : runs)
      for (Fact& fact : run.result.facts)
        for (const char* name :
             {"run_start", "run_stop", "init_start", "init_stop", "first_work", "final_evaluation"})
          if (fact.name == name)
            fact.value = std::to_string(std::stoll(fact.value) + static_cast<long long>(shift_ms));
    return set_rule(only_score(runs), "ML-05");
  };
  constexpr double year_ms = 365.25 * 86400e3;
  CHECK(at(0, "site/").value.find("version 4.1 by the date of the run, as neither log nor folder names") !=
        std::string::npos);  // its points are those of 4.0, too
  CHECK(at(0, "v41_site/").value.find("by the date") == std::string::npos);
  CHECK(at(-4.5 * year_ms, "site/").status == RuleStatus::unknown);  // of version 0.7
}

TEST_CASE("runs of a set that overlap in time are named, with what that means") {
  std::vector<FileResult> runs = ten();
  runs[1] = lora("v41_site/result_1.txt", 0, 101, 1000);
  const SetScore score = only_score(runs);
  CHECK(score.overlap ==
        "1 pair of runs overlaps in time, first v41_site/result_0.txt and v41_site/result_1.txt from "
        "2024-10-07T11:21:30Z to 2024-10-07T11:39:50Z");
  CHECK(std::ranges::count(score.warnings, score.overlap + std::string(overlap_means)) == 1);
}
