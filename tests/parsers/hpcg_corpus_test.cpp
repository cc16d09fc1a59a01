#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "tests/parsers/logs.hpp"
#include "tests/skip.hpp"

using namespace shakedown;

namespace {

/// A row of fixtures/hpcg/corpus.tsv: what a log of the corpus holds, "-" where it has no such value.
using HpcgCorpusExpected = std::map<std::string, std::string>;

std::vector<HpcgCorpusExpected> hpcg_corpus_table() {
  std::vector<HpcgCorpusExpected> rows;
  const std::string text = logs::fixture("hpcg/corpus.tsv");
  std::vector<std::string_view> names;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    const auto cells = split(line, '\t');
    if (names.empty()) {
      names = cells;
      continue;
    }
    REQUIRE(cells.size() == names.size());
    HpcgCorpusExpected row;
    for (size_t i = 0; i < cells.size(); ++i) row[std::string(names[i])] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

void check_hpcg_corpus(const ParsedResult& result, HpcgCorpusExpected expected) {
  CHECK(result.suite == "hpcg");
  CHECK(result.implementation == expected["implementation"]);
  CHECK((result.version.empty() ? "-" : result.version) == expected["version"]);
  CHECK((result.complete ? "yes" : "no") == expected["complete"]);
  CHECK(to_string(logs::judge(result).validity) == expected["validity"]);
  for (const char* name : {"procs", "threads", "gnx", "gny", "gnz", "npx", "npy", "npz", "nx", "ny", "nz"}) {
    INFO(name);
    const std::string value = logs::parameter(result, name);
    CHECK((value.empty() ? "-" : value) == expected[name]);
  }
  for (const char* name :
       {"rating_gflops", "raw_gflops", "convergence_gflops", "total_time_s", "memory_total_gb"}) {
    INFO(name);
    const Metric* metric = result.metric(name);
    if (expected[name] == "-") {
      CHECK(metric == nullptr);
      continue;
    }
    REQUIRE(metric != nullptr);
    CHECK(metric->value == *parsed_number(expected[name]));
    if (std::string_view(name) == "rating_gflops") CHECK(std::to_string(metric->line) == expected["line"]);
  }
  if (expected["reason"] == "-")
    CHECK(result.reason.empty());
  else
    CHECK(result.reason.find(expected["reason"]) != std::string::npos);
}

/// A genuine log's values follow from each other.
void check_identities(const ParsedResult& result) {
  for (const RuleResult& rule : logs::judge(result).rules) {
    if (rule.severity != Severity::validity || rule.id == "HPCG-01") continue;
    INFO(rule.id << " " << rule.value << ": " << rule.text);
    CHECK(rule.status != RuleStatus::fail);
  }
}

}  // namespace

TEST_CASE("every HPCG log of the corpus gives the values that are known of it, and breaks no identity") {
  const char* variable = std::getenv("SHAKEDOWN_CORPUS");
  const fs::path corpus =
      variable != nullptr ? fs::path(variable) : fs::path(PROJECT_FOLDER) / ".." / "shared" / "corpus";
  if (!fs::is_directory(corpus / "hpcg")) {
    skip("no folder of real logs at " + corpus.string() + "; SHAKEDOWN_CORPUS names another");
    return;
  }
  const auto rows = hpcg_corpus_table();
  REQUIRE(rows.size() >= 18);
  for (HpcgCorpusExpected expected : rows) {
    INFO(expected["file"]);
    const auto text = file_content(corpus / expected["file"]);
    REQUIRE(text.has_value());
    if (expected["implementation"] == "none") {
      CHECK_FALSE(parsed_log(*text).has_value());
      continue;
    }
    const auto results = logs::parsed(*text);
    REQUIRE(results.size() == 1);
    INFO(results.front().reason);
    check_hpcg_corpus(results.front(), expected);
    check_identities(results.front());
  }
}
