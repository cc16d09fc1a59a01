#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "tests/parsers/logs.hpp"
#include "tests/skip.hpp"

using namespace shakedown;

namespace {

/// A row of fixtures/probes/corpus.tsv: one result that a log of the corpus holds.
struct ProbesCorpusExpected {
  std::string suite, implementation, complete, validity, parameters, metrics;
};

std::map<std::string, std::vector<ProbesCorpusExpected>> probes_corpus_table() {
  std::map<std::string, std::vector<ProbesCorpusExpected>> by_file;
  const std::string text = logs::fixture("probes/corpus.tsv");
  bool first = true;
  for (const std::string_view line : split(text, '\n')) {
    const auto cells = split(line, '\t');
    if (std::exchange(first, false) || line.empty()) continue;
    REQUIRE(cells.size() == 7);
    by_file[std::string(cells[0])].push_back({std::string(cells[1]), std::string(cells[2]),
                                              std::string(cells[3]), std::string(cells[4]),
                                              std::string(cells[5]), std::string(cells[6])});
  }
  return by_file;
}

void check_probes_corpus(const ParsedResult& result, const ProbesCorpusExpected& expected) {
  CHECK(result.suite == expected.suite);
  CHECK(result.implementation == expected.implementation);
  CHECK((result.complete ? "yes" : "no") == expected.complete);
  const Judged judged = logs::judge(result);
  CHECK(to_string(judged.validity) == expected.validity);
  for (const RuleResult& rule : judged.rules) {
    INFO(rule.id << ": " << rule.text << ": " << rule.value);
    CHECK((rule.severity != Severity::validity || rule.status != RuleStatus::fail));
  }
  for (const std::string_view pair : split(expected.parameters, ';')) {
    INFO(pair);
    const size_t equal = pair.find('=');
    CHECK(logs::parameter(result, pair.substr(0, equal)) == pair.substr(equal + 1));
  }
  for (const std::string_view pair : split(expected.metrics, ';')) {
    INFO(pair);
    const size_t equal = pair.find('=');
    const Metric* metric = result.metric(pair.substr(0, equal));
    if (pair.substr(equal + 1) == "-") {
      CHECK(metric == nullptr);
      continue;
    }
    REQUIRE(metric != nullptr);
    CHECK(metric->value == *parsed_number(pair.substr(equal + 1)));
    CHECK(metric->line > 0);
  }
}

}  // namespace

TEST_CASE("every log of the probes in the corpus gives the values that are known of it") {
  const char* variable = std::getenv("SHAKEDOWN_CORPUS");
  const fs::path corpus =
      variable != nullptr ? fs::path(variable) : fs::path(PROJECT_FOLDER) / ".." / "shared" / "corpus";
  if (!fs::is_directory(corpus / "nccl")) {
    skip("no folder of real logs at " + corpus.string() + "; SHAKEDOWN_CORPUS names another");
    return;
  }
  const auto expected = probes_corpus_table();
  REQUIRE(expected.size() >= 30);
  for (const auto& [file, rows] : expected) {
    INFO(file);
    const auto text = file_content(corpus / file);
    REQUIRE(text.has_value());
    const auto results = parsed_log(*text);
    if (rows.front().metrics == "refused") {
      REQUIRE_FALSE(results.has_value());
      CHECK(results.error().what.find("this is no benchmark log") != std::string::npos);
      continue;
    }
    REQUIRE(results.has_value());
    REQUIRE(results->size() == rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      INFO("result " << i + 1 << ": " << (*results)[i].reason);
      check_probes_corpus((*results)[i], rows[i]);
    }
  }
  for (const char* folder : {"nccl", "probes"})
    for (const auto& entry : fs::directory_iterator(corpus / folder)) {
      INFO(entry.path().string());
      CHECK(expected.contains(std::string(folder) + "/" + entry.path().filename().string()));
    }
}

TEST_CASE("a log of the probes cut at any line gives no number that the whole log does not have") {
  const char* variable = std::getenv("SHAKEDOWN_CORPUS");
  const fs::path corpus =
      variable != nullptr ? fs::path(variable) : fs::path(PROJECT_FOLDER) / ".." / "shared" / "corpus";
  if (!fs::is_directory(corpus / "nccl")) {
    skip("no folder of real logs at " + corpus.string() + "; SHAKEDOWN_CORPUS names another");
    return;
  }
  for (const auto& [file, rows] : probes_corpus_table()) {
    if (rows.front().metrics == "refused") continue;
    INFO(file);
    const std::string text = *file_content(corpus / file);
    std::set<std::tuple<std::string, double, int>> known;
    for (const ParsedResult& result : logs::parsed(text))
      for (const Metric& metric : result.metrics) known.emplace(metric.name, metric.value, metric.line);
    for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
      const auto cut = parsed_log(std::string_view(text).substr(0, at + 1));
      if (!cut) continue;
      for (const ParsedResult& result : *cut)
        for (const Metric& metric : result.metrics)
          if (!known.contains({metric.name, metric.value, metric.line}))
            FAIL(file << " cut at " << at << ": " << metric.name << " = " << metric.value);
    }
  }
}
