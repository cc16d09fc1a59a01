#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

/// The fixture with `what` replaced, judged.
Judged with(const std::string& name, std::string_view what, std::string_view by) {
  return judge(parsed(replaced(fixture("mlperf/" + name), what, by)).front());
}

Judged as_is(const std::string& name) {
  return judge(parsed(fixture("mlperf/" + name)).front());
}

RuleStatus mlperf_rules_status(const Judged& judged, std::string_view id) {
  return rule(judged, id).status;
}

/// `text` without the lines that have `part`.
std::string without(const std::string& text, std::string_view part) {
  std::string kept;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at) + 1;
    if (text.substr(at, end - at).find(part) == std::string::npos) kept += text.substr(at, end - at);
    at = end;
  }
  return kept;
}

Case planned(std::vector<Parameter> parameters) {
  Case plan;
  plan.parameters = std::move(parameters);
  return plan;
}

RuleStatus planned_status(const Case& plan, std::string_view id) {
  const ParsedResult result = parsed(fixture("mlperf/lora-converged.txt")).front();
  Evidence evidence;
  evidence.result = &result;
  evidence.planned = &plan;
  return rule(judged(evidence), id).status;
}

constexpr auto mlperf_rules_pass = RuleStatus::pass;
constexpr auto mlperf_rules_fail_ = RuleStatus::fail;
constexpr auto mlperf_rules_unknown_ = RuleStatus::unknown;

}  // namespace

TEST_CASE("what only a set can show is unknown for one run, and a result is unverified") {
  const Judged judged = as_is("lora-converged.txt");
  CHECK(mlperf_rules_status(judged, "ML-01") == mlperf_rules_unknown_);
  CHECK(rule(judged, "ML-01").text == "a score of llama2_70b_lora needs 10 runs, and this is one");
  CHECK(mlperf_rules_status(judged, "ML-05") == mlperf_rules_unknown_);
  CHECK(mlperf_rules_status(judged, "ML-08") == mlperf_rules_unknown_);
  CHECK(rule(judged, "ML-07").text == "Result not verified by MLCommons Association.");
}

TEST_CASE("ML-02 takes the target from the rules, not from the status") {
  CHECK(rule(as_is("lora-converged.txt"), "ML-02").value == "0.9243, target <= 0.925");
  CHECK(rule(as_is("lora-aborted.txt"), "ML-02").value == "status aborted");
  CHECK(mlperf_rules_status(with("lora-converged.txt", "0.9243", "0.9251"), "ML-02") == mlperf_rules_fail_);
  CHECK(mlperf_rules_status(with("lora-converged.txt", "0.9243", "0.925"), "ML-02") == mlperf_rules_pass);
  CHECK(mlperf_rules_status(as_is("lora-killed.txt"), "ML-02") == mlperf_rules_unknown_);
  CHECK(mlperf_rules_status(with("lora-converged.txt", "llama2_70b_lora", "another"), "ML-02") ==
        mlperf_rules_unknown_);
  CHECK(mlperf_rules_status(with("stable-diffusion-offline.txt", "81.225", "95.5"), "ML-02") ==
        mlperf_rules_fail_);
}

TEST_CASE("ML-02 never takes the target that a log of today names itself") {
  const std::string target =
      R"(:::MLLOG {"namespace": "", "time_ms": 1728300000060, "event_type": "POINT_IN_TIME", "key": "target_accuracy", "value": 0.1, "metadata": {}})";
  for (const char* name : {"llama2_70b_Lora", "none"}) {
    std::string text = replaced(fixture("mlperf/lora-converged.txt"), "llama2_70b_lora", name);
    if (std::string_view(name) == "none") text = without(text, "submission_benchmark");
    const Judged judged = judge(parsed(replaced(text, "0.9243", "7.5") + target + "\n").front());
    CHECK(mlperf_rules_status(judged, "ML-02") == mlperf_rules_unknown_);
    CHECK(judged.validity != Validity::valid);
  }
}

TEST_CASE("ML-02 applies the target of the round that the run can have been for") {
  // BERT's target rose from 0.712 in version 0.7 to 0.72.
  CHECK(mlperf_rules_status(with("bert-rate-behind-stop.txt", "0.72013", "0.715"), "ML-02") ==
        mlperf_rules_fail_);
  const std::string early = replaced(
      replaced(fixture("mlperf/bert-rate-behind-stop.txt"), "0.72013", "0.715"), ": 16834", ": 15934");
  CHECK(mlperf_rules_status(judge(parsed(early).front()), "ML-02") == mlperf_rules_pass);
}

TEST_CASE("ML-02b warns where an earlier evaluation met the target") {
  CHECK(mlperf_rules_status(as_is("lora-converged.txt"), "ML-02b") == mlperf_rules_pass);
  const Judged judged = with("lora-converged.txt", "0.9312", "0.9212");
  CHECK(mlperf_rules_status(judged, "ML-02b") == mlperf_rules_fail_);
  CHECK(judged.validity == Validity::valid);
  CHECK(mlperf_rules_status(with("time-in-seconds.txt", "0.75576", "x"), "ML-02b") == mlperf_rules_unknown_);
}

TEST_CASE("ML-03 and ML-03b know how often a model is evaluated") {
  CHECK(mlperf_rules_status(as_is("gpt3-tokens.txt"), "ML-03") == mlperf_rules_pass);
  CHECK(mlperf_rules_status(with("gpt3-tokens.txt", "\"epoch_num\": 100663296", "\"epoch_num\": 75497472"),
                            "ML-03") == mlperf_rules_fail_);
  CHECK(mlperf_rules_status(as_is("lora-converged.txt"), "ML-03b") == mlperf_rules_pass);
  CHECK(mlperf_rules_status(with("lora-converged.txt", "\"samples_count\": 1920", "\"samples_count\": 1728"),
                            "ML-03b") == mlperf_rules_fail_);
  CHECK(rule(as_is("v06-maskrcnn.txt"), "ML-03b").status == RuleStatus::not_applicable);
  CHECK(mlperf_rules_status(
            judge(parsed(without(fixture("mlperf/gpt3-tokens.txt"), "eval_accuracy")).front()), "ML-03") ==
        mlperf_rules_unknown_);
}

TEST_CASE("ML-04 compares with what the closed division fixes") {
  CHECK(mlperf_rules_status(as_is("lora-converged.txt"), "ML-04") == mlperf_rules_pass);
  CHECK(rule(with("lora-converged.txt", "\"lora_alpha\", \"value\": 32", "\"lora_alpha\", \"value\": 64"),
             "ML-04")
            .value == "lora_alpha 64, not 32");
  CHECK(rule(with("lora-converged.txt", "\"closed\"", "\"open\""), "ML-04").status ==
        RuleStatus::not_applicable);
  CHECK(mlperf_rules_status(as_is("bert-rate-behind-stop.txt"), "ML-04") == mlperf_rules_unknown_);
  CHECK(mlperf_rules_status(with("gpt3-tokens.txt", "\"value\": 198", "\"value\": 150"), "ML-04c") ==
        mlperf_rules_fail_);
  CHECK(mlperf_rules_status(as_is("gpt3-tokens.txt"), "ML-04c") == mlperf_rules_pass);
}

TEST_CASE("ML-04b: a small GPT-3 batch is no closed submission, but a valid run") {
  const std::string text =
      replaced(fixture("mlperf/gpt3-tokens.txt"), "\"global_batch_size\", \"value\": 2048",
               "\"global_batch_size\", \"value\": 1024");
  const Judged judged = judge(parsed(text).front());
  CHECK(mlperf_rules_status(judged, "ML-04b") == mlperf_rules_fail_);
  CHECK(judged.validity == Validity::valid);
}

TEST_CASE("ML-06 checks the log as the official checker does") {
  const std::string text = fixture("mlperf/lora-converged.txt");
  CHECK(mlperf_rules_status(as_is("lora-converged.txt"), "ML-06a") == mlperf_rules_pass);
  CHECK(mlperf_rules_status(judge(parsed(without(text, "init_stop")).front()), "ML-06a") ==
        mlperf_rules_fail_);
  CHECK(mlperf_rules_status(as_is("lora-killed.txt"), "ML-06a") == mlperf_rules_unknown_);
  CHECK(mlperf_rules_status(judge(parsed(without(text, "submission_org")).front()), "ML-06b") ==
        mlperf_rules_fail_);
  CHECK(judge(parsed(without(text, "submission_org")).front()).validity == Validity::invalid);
  for (const char* key : {"submission_benchmark", "submission_division", "submission_platform", "cache_clear",
                          "init_start", "global_batch_size"}) {
    INFO(key);
    CHECK(mlperf_rules_status(judge(parsed(without(text, key)).front()), "ML-06b") == mlperf_rules_fail_);
  }
  CHECK(mlperf_rules_status(
            judge(parsed(without(fixture("mlperf/lora-killed.txt"), "submission_org")).front()), "ML-06b") ==
        mlperf_rules_unknown_);
  CHECK(mlperf_rules_status(as_is("lora-converged.txt"), "ML-06c") == mlperf_rules_pass);
  CHECK(mlperf_rules_status(judge(parsed(without(text, "init_start")).front()), "ML-06c") ==
        mlperf_rules_unknown_);
  CHECK(mlperf_rules_status(with("lora-converged.txt", "1728300000005, \"event_type\": \"INTERVAL_START\"",
                                 "1728370000005, \"event_type\": \"INTERVAL_START\""),
                            "ML-06c") == mlperf_rules_fail_);
  CHECK(mlperf_rules_status(judge(parsed(without(text, "\"seed\"")).front()), "ML-06d") ==
        mlperf_rules_fail_);
  CHECK(rule(as_is("time-in-seconds.txt"), "ML-06d").status == RuleStatus::not_applicable);
  CHECK(mlperf_rules_status(as_is("lora-converged.txt"), "ML-06e") == mlperf_rules_pass);
  CHECK(mlperf_rules_status(as_is("stable-diffusion-offline.txt"), "ML-06e") == mlperf_rules_pass);
  CHECK(mlperf_rules_status(as_is("lora-killed.txt"), "ML-06e") == mlperf_rules_unknown_);
  CHECK(mlperf_rules_status(judge(parsed(text + ":::MLLOG {\"namespace\": \"\", \"ti\n").front()),
                            "ML-06f") == mlperf_rules_fail_);
  CHECK(mlperf_rules_status(as_is("lora-converged.txt"), "ML-06g") == mlperf_rules_pass);
  CHECK(mlperf_rules_status(judge(parsed(without(text, "global_batch_size")).front()), "ML-06g") ==
        mlperf_rules_unknown_);
}

TEST_CASE("an open division's log needs none of the closed one's keys to be valid") {
  const std::string open = replaced(fixture("mlperf/lora-converged.txt"), "\"closed\"", "\"open\"");
  for (const char* key : {"submission_org", "cache_clear", "lora_rank", "global_batch_size"}) {
    INFO(key);
    const Judged judged = judge(parsed(without(open, key)).front());
    CHECK(rule(judged, "ML-06b").status == RuleStatus::not_applicable);
    CHECK(judged.validity == Validity::valid);
  }
  CHECK(mlperf_rules_status(judge(parsed(without(open, "submission_org")).front()), "ML-06j") ==
        mlperf_rules_fail_);
  CHECK(rule(as_is("lora-converged.txt"), "ML-06j").status == RuleStatus::not_applicable);
}

TEST_CASE("ML-04 fails where a value that the closed division fixes is not logged") {
  for (const char* key : {"lora_rank", "lora_alpha", "opt_gradient_clip_norm", "opt_adamw_weight_decay"}) {
    INFO(key);
    const auto found =
        rule(judge(parsed(without(fixture("mlperf/lora-converged.txt"), key)).front()), "ML-04");
    CHECK(found.status == mlperf_rules_fail_);
    CHECK(found.value == std::string("without ") + key);
  }
  CHECK(mlperf_rules_status(
            judge(parsed(without(fixture("mlperf/gpt3-tokens.txt"), "opt_base_learning_rate")).front()),
            "ML-04") == mlperf_rules_fail_);
  CHECK(mlperf_rules_status(judge(parsed(without(fixture("mlperf/lora-killed.txt"), "lora_rank")).front()),
                            "ML-04") == mlperf_rules_pass);
}

TEST_CASE("ML-03 and ML-03b miss the evaluations before the first that is logged") {
  const auto found =
      rule(judge(parsed(without(fixture("mlperf/gpt3-tokens.txt"), "2.7509")).front()), "ML-03");
  CHECK(found.status == mlperf_rules_fail_);
  CHECK(found.text == "the first evaluation is due at 50331648: earlier ones are missing");
  CHECK(mlperf_rules_status(judge(parsed(without(fixture("mlperf/lora-converged.txt"), "0.9403")).front()),
                            "ML-03b") == mlperf_rules_fail_);
}

TEST_CASE("ML-06a fails where the log says two things of itself") {
  const std::string text = fixture("mlperf/lora-converged.txt");
  const std::string twice = replaced(text, "\"key\": \"global_batch_size\", \"value\": 8,",
                                     "\"key\": \"submission_org\", \"value\": \"other\",");
  CHECK(mlperf_rules_status(judge(parsed(twice).front()), "ML-06a") == mlperf_rules_fail_);
  const std::string stop = text.substr(text.rfind(":::MLLOG"));
  for (const auto& both :
       {text + replaced(stop, "success", "aborted"), replaced(text, "success", "aborted") + stop}) {
    const Judged judged = judge(parsed(both).front());
    CHECK(mlperf_rules_status(judged, "ML-06a") == mlperf_rules_fail_);
    CHECK(judged.validity == Validity::invalid);
  }
  CHECK(mlperf_rules_status(judge(parsed(text + stop).front()), "ML-06a") == mlperf_rules_pass);
  const std::string after_nothing = replaced(twice, "\"value\": \"ACME\"", "\"value\": null");
  CHECK(mlperf_rules_status(judge(parsed(after_nothing).front()), "ML-06a") == mlperf_rules_fail_);
}

TEST_CASE("ML-09 needs the plan's parallelism") {
  CHECK(mlperf_rules_status(as_is("lora-converged.txt"), "ML-09a") == mlperf_rules_unknown_);
  const std::vector<Parameter> sakuraone = {{"DP", 2L}, {"TP", 4L},  {"PP", 1L},
                                            {"CP", 1L}, {"GBS", 8L}, {"MBS", 1L}};
  CHECK(planned_status(planned(sakuraone), "ML-09a") == mlperf_rules_pass);
  CHECK(planned_status(planned(sakuraone), "ML-09b") == mlperf_rules_pass);
  CHECK(planned_status(planned(sakuraone), "ML-09c") == mlperf_rules_pass);
  CHECK(planned_status(planned(sakuraone), "ML-09d") == mlperf_rules_pass);
  CHECK(planned_status(planned(sakuraone), "ML-09e") == mlperf_rules_pass);
  CHECK(planned_status(planned({{"TP", 3L}, {"PP", 1L}}), "ML-09d") == mlperf_rules_fail_);  // 64 heads
  CHECK(planned_status(planned({{"TP", 4L}, {"PP", 8L}, {"VP", 4L}}), "ML-09d") ==
        mlperf_rules_fail_);  // 80 layers
  CHECK(mlperf_rules_status(as_is("lora-converged.txt"), "ML-09d") == mlperf_rules_unknown_);
  CHECK(rule(as_is("bert-rate-behind-stop.txt"), "ML-09d").status == RuleStatus::not_applicable);
  CHECK(planned_status(planned({{"TP", 16L}}), "ML-09e") == mlperf_rules_fail_);
  CHECK(planned_status(planned({{"DP", 4L}, {"TP", 4L}, {"PP", 1L}}), "ML-09a") == mlperf_rules_fail_);
  CHECK(planned_status(planned({{"DP", 1L}, {"MBS", 1L}, {"GBS", 8L}}), "ML-09b") == mlperf_rules_fail_);
  CHECK(planned_status(planned({{"DP", 2L}, {"MBS", 1L}, {"GBS", 16L}}), "ML-09b") == mlperf_rules_fail_);
  CHECK(planned_status(planned({{"DP", 1L}, {"TP", 1L}, {"PP", 8L}, {"GBS", 8L}, {"MBS", 1L}}), "ML-09c") ==
        mlperf_rules_fail_);
}

TEST_CASE("ML-10 recomputes throughputs") {
  CHECK(mlperf_rules_status(as_is("gpt3-tokens.txt"), "ML-10a") == mlperf_rules_pass);
  CHECK(mlperf_rules_status(as_is("bert-rate-behind-stop.txt"), "ML-10a") == mlperf_rules_pass);
  CHECK(rule(as_is("lora-converged.txt"), "ML-10a").status == RuleStatus::not_applicable);
  CHECK(mlperf_rules_status(as_is("lora-converged.txt"), "ML-10b") == mlperf_rules_pass);
  CHECK(mlperf_rules_status(
            judge(parsed(without(fixture("mlperf/lora-converged.txt"), "throughput")).front()), "ML-10b") ==
        mlperf_rules_unknown_);
}
