#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "tests/parsers/logs.hpp"
#include "tests/skip.hpp"

using namespace shakedown;

namespace {

using MlperfCorpusExpected = std::map<std::string, std::string>;

std::vector<MlperfCorpusExpected> mlperf_corpus_table() {
  std::vector<MlperfCorpusExpected> rows;
  const std::string text = logs::fixture("mlperf/corpus.tsv");
  std::vector<std::string_view> names;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    const auto cells = split(line, '\t');
    if (names.empty()) {
      names = cells;
      continue;
    }
    REQUIRE(cells.size() == names.size());
    MlperfCorpusExpected row;
    for (size_t i = 0; i < cells.size(); ++i) row[std::string(names[i])] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

fs::path mlperf_corpus() {
  const char* variable = std::getenv("SHAKEDOWN_CORPUS");
  return variable != nullptr ? fs::path(variable) : fs::path(PROJECT_FOLDER) / ".." / "shared" / "corpus";
}

std::string or_dash(std::string text) {
  return text.empty() ? "-" : text;
}

void check_mlperf_corpus(const ParsedResult& result, MlperfCorpusExpected expected) {
  CHECK(logs::parameter(result, "benchmark") == expected["benchmark"]);
  CHECK((result.complete ? "yes" : "no") == expected["complete"]);
  CHECK(to_string(logs::judge(result).validity) == expected["validity"]);
  CHECK(or_dash(logs::fact(result, "status")) == expected["status"]);
  CHECK(logs::fact(result, "run_start") == expected["run_start"]);
  CHECK(or_dash(logs::fact(result, "run_stop")) == expected["run_stop"]);
  for (const char* name : {"seed", "nodes", "gpus"})
    CHECK(or_dash(logs::parameter(result, name)) == expected[name]);
  CHECK(or_dash(logs::parameter(result, "GBS")) == expected["GBS"]);
  if (expected["reason"] == "-")
    CHECK(result.reason.empty());
  else
    CHECK(result.reason.starts_with(expected["reason"]));
  if (expected["complete"] == "no") {
    CHECK(result.metrics.empty());
    return;
  }
  const double minutes =
      (*parsed_number(expected["run_stop"]) - *parsed_number(expected["run_start"])) / 60e3;
  const bool ended = expected["status"] != "-" && expected["status"] != "success";
  const char* time = ended ? "ended_without_target_min" : "time_to_train_min";
  CHECK(logs::metric(result, time) == Approx(minutes).epsilon(1e-12));
  CHECK(std::to_string(result.metric(time)->line) == expected["line"]);
  CHECK(logs::metric(result, "final_quality") == *parsed_number(expected["final_quality"]));
}

/// The mean that the logs of each complete set give, or none.
constexpr std::pair<const char*, double> scores[] = {
    {"v41_nvidia_b200_n8_gpt3", 193.7383},     {"v41_nvidia_eos_n128_llama2lora", 1.1842},
    {"v41_nvidia_eos_n1_llama2lora", 27.9284}, {"v41_nvidia_eos_n32_gpt3", 96.6645},
    {"v41_nvidia_eos_n64_sd", 1.6636},         {"v41_nvidia_eos_n8_bert", 0.8981},
    {"v31_nvidia_eos_n96_unet3d", 0},          {"v41_giga_llama2lora", 0},
};

}  // namespace

TEST_CASE("every MLPerf log of the corpus gives the values that are known of it") {
  if (!fs::is_directory(mlperf_corpus() / "mlperf")) {
    skip("no folder of real logs at " + mlperf_corpus().string() + "; SHAKEDOWN_CORPUS names another");
    return;
  }
  const auto rows = mlperf_corpus_table();
  REQUIRE(rows.size() == 61);
  std::vector<FileResult> all;
  for (const MlperfCorpusExpected& row : rows) {
    const std::string& file = row.at("file");
    INFO(file);
    const auto text = file_content(mlperf_corpus() / "mlperf" / file);
    REQUIRE(text.has_value());
    const auto results = logs::parsed(*text);
    REQUIRE(results.size() == 1);
    check_mlperf_corpus(results.front(), row);
    // No genuine log breaks an identity or a rule of the log: all that is invalid was aborted.
    for (const RuleResult& rule : logs::judge(results.front()).rules)
      if (rule.severity == Severity::validity && rule.id != "ML-02") {
        INFO(rule.id << ": " << rule.value << ": " << rule.text);
        CHECK(rule.status != RuleStatus::fail);
      }
    all.push_back({"mlperf/" + file, results.front()});
  }

  const auto book = std::find_if(rule_books().begin(), rule_books().end(),
                                 [](const RuleBook* candidate) { return candidate->suite == "mlperf"; });
  const auto found = (*book)->score(all);
  for (const auto& [name, minutes] : scores) {
    INFO(name);
    const auto score = std::find_if(found.begin(), found.end(), [&](const SetScore& set) {
      return set.name == std::string("mlperf/") + name;
    });
    REQUIRE(score != found.end());
    CHECK(score->score_min.has_value() == (minutes > 0));
    if (minutes > 0) {
      CHECK(*score->score_min == Approx(minutes).margin(0.00005));
      CHECK(score->validity == Validity::valid);
    } else {
      CHECK_FALSE(score->warnings.empty());
    }
  }
}
