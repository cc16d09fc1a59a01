#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "tests/parsers/logs.hpp"
#include "tests/skip.hpp"

using namespace shakedown;

namespace {

/// A row of fixtures/hpl/corpus.tsv: one result that a log of the corpus holds, "-" where it has no such
/// value.
using HplCorpusExpected = std::map<std::string, std::string>;

std::map<std::string, std::vector<HplCorpusExpected>> hpl_corpus_table() {
  std::map<std::string, std::vector<HplCorpusExpected>> by_file;
  const std::string text = logs::fixture("hpl/corpus.tsv");
  std::vector<std::string_view> names;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    const auto cells = split(line, '\t');
    if (names.empty()) {
      names = cells;
      continue;
    }
    REQUIRE(cells.size() == names.size());
    HplCorpusExpected row;
    for (size_t i = 0; i < cells.size(); ++i) row[std::string(names[i])] = cells[i];
    by_file[row["file"]].push_back(row);
  }
  return by_file;
}

void check_hpl_corpus(const ParsedResult& result, HplCorpusExpected expected) {
  CHECK(result.implementation == expected["implementation"]);
  CHECK((result.version.empty() ? "-" : result.version) == expected["version"]);
  CHECK((result.complete ? "yes" : "no") == expected["complete"]);
  Evidence bare;
  bare.result = &result;
  bare.bare = true;
  CHECK(to_string(judged(bare).validity) == expected["validity"]);
  if (expected["TV"] != "-")
    for (const char* name : {"TV", "N", "NB", "P", "Q"})
      CHECK(logs::parameter(result, name) == expected[name]);
  for (const char* name : {"time_s", "rmax_gflops", "rmax_gflops_per_gpu", "residual"}) {
    INFO(name);
    const Metric* metric = result.metric(name);
    if (expected[name] == "-" || expected[name] == "nan") {
      CHECK(metric == nullptr);
      continue;
    }
    REQUIRE(metric != nullptr);
    CHECK(metric->value == *parsed_number(expected[name]));
    if (std::string_view(name) != "residual") CHECK(std::to_string(metric->line) == expected["line"]);
  }
  if (expected["reason"] == "-")
    CHECK(result.reason.empty());
  else
    CHECK(result.reason.find(expected["reason"]) != std::string::npos);
}

}  // namespace

TEST_CASE("every HPL log of the corpus gives the values that are known of it") {
  const char* variable = std::getenv("SHAKEDOWN_CORPUS");
  const fs::path corpus =
      variable != nullptr ? fs::path(variable) : fs::path(PROJECT_FOLDER) / ".." / "shared" / "corpus";
  if (!fs::is_directory(corpus / "hpl")) {
    skip("no folder of real logs at " + corpus.string() + "; SHAKEDOWN_CORPUS names another");
    return;
  }
  const auto expected = hpl_corpus_table();
  REQUIRE(expected.size() >= 47);
  for (const auto& [file, rows] : expected) {
    INFO(file);
    const auto text = file_content(corpus / file);
    REQUIRE(text.has_value());
    const auto results = logs::parsed(*text);
    REQUIRE(results.size() == rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      INFO("result " << i + 1 << ": " << results[i].reason);
      check_hpl_corpus(results[i], rows[i]);
    }
  }
}
