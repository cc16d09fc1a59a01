#include <catch2/catch.hpp>

#include "orchestrator/core/text.hpp"
#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

ParsedResult mlperf_only(const std::string& text) {
  const auto results = parsed(text);
  REQUIRE(results.size() == 1);
  return results.front();
}

ParsedResult mlperf_run(const std::string& name) {
  return mlperf_only(fixture("mlperf/" + name));
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a converged run gives its time to train, its quality and its throughput") {
  const ParsedResult result = mlperf_run("lora-converged.txt");
  CHECK(result.suite == "mlperf");
  CHECK(result.implementation == "nvidia");
  CHECK(result.version.empty());
  CHECK(result.complete);
  CHECK(metric(result, "time_to_train_min") == Approx(1100002.0 / 60000));
  CHECK(result.metric("time_to_train_min")->line == result.fact("run_stop")->line);
  CHECK(metric(result, "final_quality") == 0.9243);
  CHECK(metric(result, "target_quality") == 0.925);
  CHECK(metric(result, "samples_per_s") == Approx(2.174));
  CHECK(metric(result, "tokens_per_s_per_gpu") == Approx(2.174 * 8192 / 8));
  CHECK(parameter(result, "benchmark") == "llama2_70b_lora");
  CHECK(parameter(result, "nodes") == "1");
  CHECK(parameter(result, "gpus") == "8");
  CHECK(parameter(result, "GBS") == "8");
  CHECK(parameter(result, "seed") == "2405");
  CHECK(parameter(result, "platform") == "1xNVIDIA DGX H100");
  CHECK(judge(result).validity == Validity::valid);
}

TEST_CASE("an aborted run is invalid, not missing") {
  const ParsedResult result = mlperf_run("lora-aborted.txt");
  CHECK(result.complete);
  CHECK(fact(result, "status") == "aborted");
  CHECK(judge(result).validity == Validity::invalid);
  CHECK(judge(mlperf_only(replaced(fixture("mlperf/lora-aborted.txt"), "aborted", "abort"))).validity ==
        Validity::invalid);
}

TEST_CASE("a run without run_stop is incomplete, has no metrics and says what ended it") {
  const ParsedResult result = mlperf_run("lora-killed.txt");
  CHECK_FALSE(result.complete);
  CHECK(result.metrics.empty());
  CHECK(has(result.reason, "line 20: the run started, but no run_stop follows"));
  CHECK(has(result.reason, "line 32: the time limit ended the job: 'slurmstepd: error: *** STEP 513.21"));
  CHECK(judge(result).validity == Validity::unknown);
}

TEST_CASE("a log that ends before run_start says so") {
  const std::string text = fixture("mlperf/lora-converged.txt");
  const ParsedResult result = mlperf_only(text.substr(0, text.find("\"run_start\"")));
  CHECK_FALSE(result.complete);
  CHECK(has(result.reason, "before run_start"));
}

TEST_CASE("a log of two trials gives two results and takes nothing from a shell's trace") {
  const auto results = parsed(fixture("mlperf/two-trials.txt"));
  REQUIRE(results.size() == 2);
  CHECK(parameter(results[0], "seed") == "11");
  CHECK(parameter(results[1], "seed") == "12");
  CHECK(parameter(results[0], "trial") == "1 of 2");
  CHECK(parameter(results[1], "trial") == "2 of 2");
  for (const ParsedResult& result : results) {
    CHECK(result.complete);
    CHECK(metric(result, "time_to_train_min") == Approx(920002.0 / 60000));
    CHECK(result.fact("other_run_stop") == nullptr);
    CHECK(judge(result).validity == Validity::valid);
  }
}

TEST_CASE("two runs one after another are distinguished without headings") {
  const std::string one = fixture("mlperf/lora-converged.txt");
  const auto results = parsed(one + replaced(replaced(one, "17283", "17284"), "2405", "2406"));
  REQUIRE(results.size() == 2);
  CHECK(parameter(results[0], "seed") == "2405");
  CHECK(parameter(results[1], "seed") == "2406");
  CHECK(fact(results[0], "contradicts seed").empty());
  CHECK(judge(results[1]).validity == Validity::valid);
}

TEST_CASE("a trial that died before it trained is not lost behind the next") {
  const auto results =
      parsed("Beginning trial 1 of 2\nsrun: error: n1: task 0: Killed\nBeginning trial 2 of 2\n" +
             fixture("mlperf/lora-converged.txt"));
  REQUIRE(results.size() == 2);
  CHECK_FALSE(results[0].complete);
  CHECK(has(results[0].reason, "line 2: a signal ended the run"));
  CHECK(results[1].complete);
}

TEST_CASE("settings behind run_stop belong to the run where no other begins") {
  const ParsedResult result = mlperf_run("gpt3-tokens.txt");
  CHECK(fact(result, "train_samples") == "150994944");
  CHECK(parsed(fixture("mlperf/gpt3-tokens.txt") +
               R"(:::MLLOG {"time_ms": 1, "key": "submission_org", "value": "ACME"})" + "\n")
            .size() == 1);
}

TEST_CASE("GPT-3's tokens are samples of 2048, and ranks that log init_start are not taken for GPUs") {
  const ParsedResult result = mlperf_run("gpt3-tokens.txt");
  CHECK(parameter(result, "sequence_length") == "2048");
  CHECK(parameter(result, "gpus").empty());
  const double tokens_per_s = 150994944 / (metric(result, "time_to_train_min") * 60);
  CHECK(metric(result, "samples_per_s") == Approx(tokens_per_s / 2048));
  CHECK(result.metric("tokens_per_s_per_gpu") == nullptr);
}

TEST_CASE("of two metrics the first evaluation that meets both targets counts, in whatever order they come") {
  const ParsedResult result = mlperf_run("stable-diffusion-offline.txt");
  CHECK(metric(result, "final_quality") == 0.1784);
  CHECK(metric(result, "target_quality") == 0.15);
  CHECK(metric(result, "final_fid") == 81.225);
  CHECK(metric(result, "target_fid") == 90);
  CHECK(fact(result, "converged_at") == "4096000");
  CHECK(judge(result).validity == Validity::valid);
}

TEST_CASE("version 0.5 is read with its own target") {
  const ParsedResult result = mlperf_run("v05-ssd.txt");
  CHECK(result.version == "0.5");
  CHECK(metric(result, "time_to_train_min") == Approx(1057.335 / 60));
  CHECK(metric(result, "final_quality") == 0.21473714871046878);
  CHECK(metric(result, "target_quality") == 0.212);
  CHECK(judge(result).validity == Validity::valid);
  CHECK(judge(mlperf_only(replaced(fixture("mlperf/v05-ssd.txt"), "0.21473", "0.20473"))).validity ==
        Validity::invalid);
}

TEST_CASE("version 0.6 is read with an object as value") {
  const ParsedResult result = mlperf_run("v06-maskrcnn.txt");
  CHECK(result.version == "0.6");
  CHECK(metric(result, "final_quality") == 0.3770440286348618);
  CHECK(metric(result, "final_segm") == 0.3428186644034211);
  CHECK(parameter(result, "trial") == "3 of 5");
  CHECK(judge(result).validity == Validity::valid);
}

TEST_CASE("times in seconds and numbers in quotes are read") {
  const ParsedResult result = mlperf_run("time-in-seconds.txt");
  CHECK(metric(result, "time_to_train_min") == Approx(102.287 / 60));
  CHECK(parameter(result, "GBS") == "57600");
  CHECK(metric(result, "final_quality") == 0.7601);
}

TEST_CASE("Latin-1 and other output around an object don't hide it") {
  const ParsedResult result = mlperf_run("latin1-noise.txt");
  CHECK(parameter(result, "organization") == "Universit\xc3\xa9");
  CHECK(result.complete);
  CHECK(fact(result, "cut_lines").empty());
}

TEST_CASE("the last token of a line counts") {
  const std::string text = fixture("mlperf/lora-converged.txt");
  const std::string line = text.substr(0, text.find('\n'));
  const ParsedResult result = mlperf_only(":::MLLOG {\"namespace\": \"\", \"time" + text);
  CHECK(result.complete);
  CHECK(fact(result, "cut_lines").empty());
  CHECK(fact(result, "cache_clears") == "1");
}

TEST_CASE("steps, ranks, evaluation and status of a run are parameters where the log has them") {
  const auto setting = [](const std::string& key, const std::string& value) {
    return ":::MLLOG {\"namespace\": \"\", \"time_ms\": 1728300000060, \"event_type\": \"POINT_IN_TIME\", "
           "\"key\": \"" +
           key + "\", \"value\": " + value + ", \"metadata\": {\"file\": \"train.py\", \"lineno\": 1}}\n";
  };
  const std::string log = fixture("mlperf/lora-converged.txt");
  const ParsedResult plain = parsed(log).front();
  CHECK(parameter(plain, "eval_samples") == "173");
  for (const char* name : {"max_steps", "number_of_ranks", "evaluation_frequency", "submission_status"})
    CHECK(parameter(plain, name).empty());
  const std::string more = setting("max_steps", "1024") + setting("number_of_ranks", "8") +
                           setting("evaluation_frequency", "384") +
                           setting("submission_status", "\"onprem\"");
  const ParsedResult result = parsed(more + log).front();
  CHECK(parameter(result, "max_steps") == "1024");
  CHECK(parameter(result, "number_of_ranks") == "8");
  CHECK(parameter(result, "evaluation_frequency") == "384");
  CHECK(parameter(result, "submission_status") == "onprem");
  const auto twice = parsed(more + setting("submission_status", "\"cloud\"") + log).front();
  const RuleResult once = rule(judge(twice), "ML-06a");
  CHECK(once.status == RuleStatus::fail);
  CHECK(once.value == "submission_status 'onprem' and 'cloud'");
}

TEST_CASE("a key within the metadata is not the line's key") {
  const std::string forged =
      R"(:::MLLOG {"metadata": {"key": "run_stop", "status": "success"}, "time_ms": 1728300100000, "key": "note", "value": 1})";
  const std::string text = fixture("mlperf/lora-killed.txt");
  const ParsedResult result = mlperf_only(text + forged + "\n");
  CHECK_FALSE(result.complete);
}

TEST_CASE("NaN is no metric") {
  const ParsedResult result =
      mlperf_only(replaced(fixture("mlperf/lora-converged.txt"),
                           "\"value\": 0.9243, \"metadata\": {\"file\": \"train.py\", "
                           "\"lineno\": 1, \"samples_count\": 2304}}",
                           "\"value\": NaN, \"metadata\": {\"file\": \"train.py\", \"lineno\": 1, "
                           "\"samples_count\": 2304}}"));
  CHECK(result.metric("final_quality") == nullptr);
  CHECK(rule(judge(result), "ML-02").status == RuleStatus::fail);
}

TEST_CASE("text that only speaks of the format is no MLPerf log") {
  for (const char* text :
       {"Lines look like `:::MLLOG {\"key\": \"run_start\"}`.\n", ":::MLLOG is the token\n",
        "+ echo ':::MLLOG {\"key\": \"run_stop\", \"time_ms\": 1}'\n",
        ":::MLLOG {\"key\": \"loadgen_version\", \"value\": \"4.1\"}\n",
        "    print(\":::MLLOG {\\\"key\\\": \\\"seed\\\", \\\"value\\\": 1}\")\n"})
    CHECK_FALSE(parsed_log(text).has_value());
}
