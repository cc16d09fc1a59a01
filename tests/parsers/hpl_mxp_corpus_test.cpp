#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "tests/parsers/logs.hpp"
#include "tests/skip.hpp"

using namespace shakedown;

namespace {

/// A row of fixtures/hpl_mxp/corpus.tsv: one result that a log of the corpus holds, "-" where it has no such
/// value.
using HplMxpCorpusExpected = std::map<std::string, std::string>;

std::map<std::string, std::vector<HplMxpCorpusExpected>> hpl_mxp_corpus_table() {
  std::map<std::string, std::vector<HplMxpCorpusExpected>> by_file;
  const std::string text = logs::fixture("hpl_mxp/corpus.tsv");
  std::vector<std::string_view> names;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    const auto cells = split(line, '\t');
    if (names.empty()) {
      names = cells;
      continue;
    }
    REQUIRE(cells.size() == names.size());
    HplMxpCorpusExpected row;
    for (size_t i = 0; i < cells.size(); ++i) row[std::string(names[i])] = cells[i];
    by_file[row["file"]].push_back(row);
  }
  return by_file;
}

void check_hpl_mxp_corpus(const ParsedResult& result, HplMxpCorpusExpected expected) {
  CHECK(result.suite == "hpl-mxp");
  CHECK(result.implementation == expected["implementation"]);
  CHECK((result.version.empty() ? "-" : result.version) == expected["version"]);
  CHECK((result.complete ? "yes" : "no") == expected["complete"]);
  const Judged judged = logs::judge(result);
  CHECK(to_string(judged.validity) == expected["validity"]);
  for (const char* name : {"N", "NB", "P", "Q", "precision"}) {
    INFO(name);
    const std::string value = logs::parameter(result, name);
    CHECK((value.empty() ? "-" : value) == expected[name]);
  }
  for (const char* name : {"rmax_gflops", "lu_gflops", "rmax_gflops_per_gpu", "lu_gflops_per_gpu", "residual",
                           "time_s", "lu_time_s", "refinement_time_s"}) {
    INFO(name);
    const Metric* metric = result.metric(name);
    if (expected[name] == "-") {
      CHECK(metric == nullptr);
      continue;
    }
    REQUIRE(metric != nullptr);
    CHECK(metric->value == Approx(*parsed_number(expected[name])).epsilon(1e-12));
    if (std::string_view(name) == "rmax_gflops") CHECK(std::to_string(metric->line) == expected["line"]);
  }
  if (expected["reason"] == "-")
    CHECK(result.reason.empty());
  else
    CHECK(result.reason.find(expected["reason"]) != std::string::npos);
  // No genuine log fails an identity: what fails is the benchmark's own check.
  for (const RuleResult& rule : judged.rules) {
    INFO(rule.id << ": " << rule.value);
    if (rule.severity == Severity::validity && rule.id != "MXP-01") CHECK(rule.status != RuleStatus::fail);
  }
}

}  // namespace

TEST_CASE("every HPL-MxP log of the corpus gives the values that are known of it") {
  const char* variable = std::getenv("SHAKEDOWN_CORPUS");
  const fs::path corpus =
      variable != nullptr ? fs::path(variable) : fs::path(PROJECT_FOLDER) / ".." / "shared" / "corpus";
  if (!fs::is_directory(corpus / "hpl-mxp")) {
    skip("no folder of real logs at " + corpus.string() + "; SHAKEDOWN_CORPUS names another");
    return;
  }
  const auto expected = hpl_mxp_corpus_table();
  for (const auto& entry : fs::directory_iterator(corpus / "hpl-mxp")) {
    INFO(entry.path().string());
    CHECK(expected.contains("hpl-mxp/" + entry.path().filename().string()));
  }
  for (const auto& [file, rows] : expected) {
    INFO(file);
    const auto text = file_content(corpus / file);
    REQUIRE(text.has_value());
    const auto results = logs::parsed(*text);
    REQUIRE(results.size() == rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      INFO("result " << i + 1 << ": " << results[i].reason);
      check_hpl_mxp_corpus(results[i], rows[i]);
    }
  }
}
