#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

struct MlperfForgeryForgery {
  const char* name;
  const char* file;
  const char* genuine;
  const char* forged;
  const char* rule;
};

/// One value altered each; the replaced text is in the fixture once, or in one line's copies.
constexpr MlperfForgeryForgery mlperf_forgery_forgeries[] = {
    {"run_stop earlier than the last evaluation", "lora-converged.txt",
     "1728301190012, \"event_type\": \"INTERVAL_END\", \"key\": \"run_stop\"",
     "1728300990012, \"event_type\": \"INTERVAL_END\", \"key\": \"run_stop\"", "ML-06e"},
    {"run_stop long after the last evaluation", "lora-converged.txt",
     "1728301190012, \"event_type\": \"INTERVAL_END\", \"key\": \"run_stop\"",
     "1728309190012, \"event_type\": \"INTERVAL_END\", \"key\": \"run_stop\"", "ML-06e"},
    {"run_start after training began", "lora-converged.txt",
     "1728300090010, \"event_type\": \"INTERVAL_START\", \"key\": \"run_start\"",
     "1728300690010, \"event_type\": \"INTERVAL_START\", \"key\": \"run_start\"", "ML-06e"},
    {"status of an aborted run", "lora-aborted.txt", "\"status\": \"aborted\"", "\"status\": \"success\"",
     "ML-02"},
    {"final evaluation below the plausible", "gpt3-tokens.txt", "2.6898", "1.6898", "ML-02"},
    {"another rank of LoRA", "lora-converged.txt", "\"lora_rank\", \"value\": 16",
     "\"lora_rank\", \"value\": 8", "ML-04"},
    {"another learning rate of GPT-3", "gpt3-tokens.txt", "\"value\": 2e-05", "\"value\": 6e-05", "ML-04"},
    {"a batch size that the positions don't bear out", "lora-converged.txt",
     "\"global_batch_size\", \"value\": 8", "\"global_batch_size\", \"value\": 36", "ML-06g"},
    {"GPT-3's batch size", "gpt3-tokens.txt", "\"global_batch_size\", \"value\": 2048",
     "\"global_batch_size\", \"value\": 1792", "ML-06g"},
    {"a position of GPT-3's evaluations", "gpt3-tokens.txt", "\"epoch_num\": 100663296",
     "\"epoch_num\": 75497472", "ML-03"},
    {"throughput of a whole run", "bert-rate-behind-stop.txt", "\"throughput\": 2006.97",
     "\"throughput\": 2106.97", "ML-10a"},
    {"samples trained", "bert-rate-behind-stop.txt", "\"epoch_num\": 602112}}", "\"epoch_num\": 702112}}",
     "ML-10a"},
    {"tokens that a run of GPT-3 says to have trained", "gpt3-tokens.txt",
     "\"key\": \"trained_samples\", \"value\": 150994944",
     "\"key\": \"trained_samples\", \"value\": 100663296", "ML-10c"},
    {"throughput below what was trained", "lora-converged.txt", "{\"throughput\": 2.17",
     "{\"throughput\": 1.17", "ML-10b"},
    {"a seed that is no number", "lora-converged.txt", "\"seed\", \"value\": 2405",
     "\"seed\", \"value\": \"auto\"", "ML-06d"},
    {"a time that no clock had", "lora-converged.txt",
     "1728301190012, \"event_type\": \"INTERVAL_END\", \"key\": \"run_stop\"",
     "1e300, \"event_type\": \"INTERVAL_END\", \"key\": \"run_stop\"", "ML-06l"},
    {"two evaluations at one position", "lora-converged.txt", "\"samples_count\": 1920}}",
     "\"samples_count\": 1536}}", "ML-06m"},
    {"evaluations that go back", "lora-converged.txt", "\"samples_count\": 1920}}",
     "\"samples_count\": 1152}}", "ML-06m"},
    {"run_stop at another position", "lora-converged.txt", "\"samples_count\": 2304, \"status\"",
     "\"samples_count\": 1920, \"status\"", "ML-06n"},
    {"run_stop with another value", "lora-converged.txt", "\"run_stop\", \"value\": 0.9243",
     "\"run_stop\", \"value\": 0.9143", "ML-06o"},
    {"another last evaluation than run_stop states", "lora-converged.txt",
     "\"eval_accuracy\", \"value\": 0.9243", "\"eval_accuracy\", \"value\": 0.9143", "ML-06o"},
    {"a long initialization", "lora-converged.txt",
     "1728300090000, \"event_type\": \"INTERVAL_END\", \"key\": \"init_stop\"",
     "1728303090000, \"event_type\": \"INTERVAL_END\", \"key\": \"init_stop\"", "ML-06c"},
};

}  // namespace

TEST_CASE("each forged MLPerf log is caught by the rule that is named") {
  for (const MlperfForgeryForgery& forgery : mlperf_forgery_forgeries) {
    INFO(forgery.name);
    const std::string genuine = fixture(std::string("mlperf/") + forgery.file);
    const std::string_view id = forgery.rule;
    if (id != "ML-02" || std::string_view(forgery.file) != "lora-aborted.txt")
      CHECK(rule(judge(parsed(genuine).front()), id).status == RuleStatus::pass);
    const auto results = parsed(replaced(genuine, forgery.genuine, forgery.forged));
    REQUIRE(results.size() == 1);
    const Judged judged = judge(results.front());
    CHECK(rule(judged, id).status == RuleStatus::fail);
    CHECK(judged.validity == Validity::invalid);
  }
}

TEST_CASE("a second run_stop with a shorter time is caught") {
  const std::string genuine = fixture("mlperf/lora-converged.txt");
  const size_t at = genuine.rfind(":::MLLOG");
  const std::string twice = genuine + replaced(genuine.substr(at), "1728301190012", "1728300790012");
  const auto results = parsed(twice);
  REQUIRE(results.size() == 1);
  CHECK(rule(judge(results.front()), "ML-06a").status == RuleStatus::fail);
}

namespace {

/// The LoRA fixture with its samples in two blocks of so many ms.
std::string with_blocks(long first_ms, long second_ms) {
  const auto event = [](long time_ms, const char* key) {
    return ":::MLLOG {\"namespace\": \"\", \"time_ms\": " + std::to_string(time_ms) +
           ", \"event_type\": \"INTERVAL_END\", \"key\": \"" + key +
           "\", \"value\": null, \"metadata\": {\"lineno\": 1}}\n";
  };
  constexpr long start = 1728300090011;  // its block_start
  std::string text = fixture("mlperf/lora-converged.txt");
  const size_t evaluated = text.find("eval_accuracy");
  text.insert(text.rfind(":::MLLOG", evaluated), event(start + first_ms, "block_stop"));
  const size_t stop = text.rfind(":::MLLOG");
  text.insert(text.rfind(":::MLLOG", stop - 1),
              event(start + 750'000, "block_start") + event(start + 750'000 + second_ms, "block_stop"));
  return text;
}

}  // namespace

TEST_CASE(
    "a run does not train faster over its blocks than its largest throughput, nor longer than it took") {
  struct Row {
    long first_ms, second_ms;
    const char* rule;
    RuleStatus status;
  };
  // 2304 samples at 2.174/s take 1059.8 s.
  for (const Row& row :
       {Row{720'000, 339'900, "ML-10d", RuleStatus::pass}, Row{720'000, 339'700, "ML-10d", RuleStatus::fail},
        Row{720'000, 379'000, "ML-10e", RuleStatus::pass},
        Row{720'000, 382'000, "ML-10e", RuleStatus::fail}}) {
    INFO(row.first_ms << " + " << row.second_ms);
    const auto results = parsed(with_blocks(row.first_ms, row.second_ms));
    REQUIRE(results.size() == 1);
    CHECK(rule(judge(results.front()), row.rule).status == row.status);
  }
}

TEST_CASE("an aborted run has no time to train") {
  const ParsedResult result = parsed(fixture("mlperf/lora-aborted.txt")).front();
  CHECK(result.complete);
  CHECK(result.metric("time_to_train_min") == nullptr);
  CHECK(result.metric("ended_without_target_min") != nullptr);
  CHECK(judge(result).validity == Validity::invalid);
}

TEST_CASE("minigo logs the batch of its training") {
  const std::string text =
      replaced(replaced(fixture("mlperf/lora-converged.txt"), "llama2_70b_lora", "minigo"),
               "global_batch_size", "train_batch_size");
  const ParsedResult result = parsed(text).front();
  CHECK(parameter(result, "GBS") == "8");
  CHECK(rule(judge(result), "ML-06b").status == RuleStatus::pass);
  CHECK(rule(judge(parsed(replaced(text, "train_batch_size", "other_size")).front()), "ML-06b").status ==
        RuleStatus::fail);
}
