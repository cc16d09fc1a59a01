#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/io500/join.hpp"
#include "parsers/io500/phases.hpp"
#include "tests/parsers/logs.hpp"
#include "tests/skip.hpp"

using namespace shakedown;

namespace {

using Io500CorpusExpected = std::map<std::string, std::string>;

/// The rows of fixtures/io500/corpus.tsv: one log each, "-" where it has no such value.
std::vector<Io500CorpusExpected> io500_corpus_table() {
  std::vector<Io500CorpusExpected> rows;
  const std::string text = logs::fixture("io500/corpus.tsv");
  std::vector<std::string_view> names;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    const auto cells = split(line, '\t');
    if (names.empty()) {
      names = cells;
      continue;
    }
    REQUIRE(cells.size() == names.size());
    Io500CorpusExpected row;
    for (size_t i = 0; i < cells.size(); ++i) row[std::string(names[i])] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

fs::path io500_corpus() {
  const char* variable = std::getenv("SHAKEDOWN_CORPUS");
  return variable != nullptr ? fs::path(variable) : fs::path(PROJECT_FOLDER) / ".." / "shared" / "corpus";
}

bool there() {
  if (fs::is_directory(io500_corpus() / "io500")) return true;
  skip("no folder of real logs at " + io500_corpus().string() + "; SHAKEDOWN_CORPUS names another");
  return false;
}

/// What a file gives, parts too.
void add(std::vector<FileResult>& files, const fs::path& file) {
  auto source = TextSource::file(file);
  REQUIRE(source.has_value());
  const auto read = parse_log_by_grammar(*source, "io500", [&](const Parser&, ParsedResult&& result) {
    files.push_back({file.string(), std::move(result)});
  });
  INFO(file.string());
  REQUIRE(read.has_value());
}

void check_phases(const ParsedResult& result, const std::string& expected) {
  if (expected == "-") {
    CHECK(result.phases.empty());
    return;
  }
  const auto items = split(expected, ';');
  REQUIRE(result.phases.size() == items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    INFO(items[i]);
    const size_t equals = items[i].find('=');
    const size_t at = items[i].find('@');
    const Phase& phase = result.phases[i];
    CHECK(phase.name == items[i].substr(0, equals));
    CHECK(phase.value == *parsed_number(items[i].substr(equals + 1, at - equals - 1)));
    CHECK(phase.time_s == *parsed_number(items[i].substr(at + 1)));
    CHECK(phase.scored == (io500_official_phase(phase.name) != nullptr));
  }
}

std::string listed(const std::vector<std::string>& items) {
  return items.empty() ? "-" : joined(items, ",");
}

void check_io500_corpus(const ParsedResult& result, Io500CorpusExpected expected) {
  const Judged judged = logs::judge(result);
  CHECK((result.complete ? "yes" : "no") == expected["complete"]);
  CHECK(to_string(judged.validity) == expected["validity"]);
  CHECK((result.version.empty() ? "-" : result.version) == expected["version"]);
  for (const char* name : {"mode", "procs"}) {
    const std::string value = logs::parameter(result, name);
    CHECK((value.empty() ? "-" : value) == expected[name]);
  }
  for (const auto& [metric, column] : {std::pair("score", "score"), std::pair("bandwidth_gib_s", "bandwidth"),
                                       std::pair("iops_kiops", "iops")}) {
    if (expected[column] == "-")
      CHECK(result.metric(metric) == nullptr);
    else
      CHECK(logs::metric(result, metric) == *parsed_number(expected[column]));
  }
  check_phases(result, expected["phases"]);
  std::vector<std::string> invalid;
  for (const Phase& phase : result.phases)
    if (!phase.valid) invalid.push_back(phase.name);
  CHECK(listed(invalid) == expected["invalid"]);
  std::vector<std::string> fails;
  for (const RuleResult& rule : judged.rules)
    if (rule.severity == Severity::validity && rule.status == RuleStatus::fail) fails.emplace_back(rule.id);
  CHECK(listed(fails) == expected["fails"]);
  if (expected["reason"] == "-")
    CHECK(result.reason.empty());
  else
    CHECK(result.reason.find(expected["reason"]) != std::string::npos);
}

}  // namespace

TEST_CASE("every IO500 log of the corpus gives the values that are known of it") {
  if (!there()) return;
  const auto expected = io500_corpus_table();
  REQUIRE(expected.size() >= 43);
  for (const Io500CorpusExpected& row : expected) {
    INFO(row.at("file"));
    const auto text = file_content(io500_corpus() / row.at("file"));
    REQUIRE(text.has_value());
    if (row.at("reason") == "no log") {
      CHECK_FALSE(parsed_log(*text, "io500").has_value());
      continue;
    }
    const auto results = logs::parsed(*text);
    REQUIRE(results.size() == 1);
    check_io500_corpus(results.front(), row);
  }
}

TEST_CASE("SAKURAONE's public submission gives 181.907263 from its files as one result") {
  if (!there()) return;
  std::vector<FileResult> files;
  for (const char* name : {"result_summary.txt", "result.txt", "config.ini", "config-orig.ini"})
    add(files, io500_corpus() / "io500" / (std::string("PAPER_sakuraone_10node__") + name));
  const auto runs = io500_joined(std::move(files));
  REQUIRE(runs.size() == 2);  // what the run was given is no part of it
  CHECK(runs.back().result.part);
  const ParsedResult& run = runs.front().result;
  CHECK(logs::metric(run, "score") == 181.907263);
  CHECK(logs::metric(run, "bandwidth_gib_s") == 133.032794);
  CHECK(logs::metric(run, "iops_kiops") == 248.737559);
  CHECK(logs::metric(run, "ior_easy_write_time_s") == 340.9585);
  const Judged judged = logs::judge(run);
  CHECK(judged.validity == Validity::valid);
  CHECK(logs::rule(judged, "IO5-05").status == RuleStatus::pass);
  CHECK(logs::rule(judged, "IO5-05").value.find("configuration D441EC3B") != std::string::npos);
}

TEST_CASE("every configuration that IO500 wrote in the corpus has the hash that its result.txt prints") {
  if (!there()) return;
  int whole = 0;
  for (const auto& entry : fs::directory_iterator(io500_corpus() / "io500")) {
    const std::string name = entry.path().filename().string();
    constexpr std::string_view ending = "__config.ini";
    if (!name.ends_with(ending)) continue;
    INFO(name);
    const std::string run = name.substr(0, name.size() - ending.size());
    std::vector<FileResult> files;
    for (const char* part : {"__result.txt", "__result_summary.txt", "__config.ini"})
      add(files, io500_corpus() / "io500" / (run + part));
    const auto runs = io500_joined(std::move(files));
    REQUIRE(runs.size() == 1);
    const ParsedResult& result = runs.front().result;
    const RuleResult rule = logs::rule(logs::judge(result), "IO5-05");
    INFO(rule.value << ": " << rule.text);
    if (run == "sc20_archer2") {  // what the run was given, five options
      CHECK(rule.status == RuleStatus::unknown);
      CHECK(rule.text.find("it has no timestamp-datadir of [global]") != std::string::npos);
      continue;
    }
    ++whole;
    CHECK(rule.value.find("configuration " + logs::parameter(result, "config_hash")) != std::string::npos);
    // The first versions print no hash of the score.
    CHECK(rule.status == (result.fact("SCORE.hash") == nullptr ? RuleStatus::unknown : RuleStatus::pass));
    if (rule.status == RuleStatus::unknown)
      CHECK(rule.text.find("the hash of the configuration holds") != std::string::npos);
  }
  CHECK(whole >= 11);
}

TEST_CASE("the corpus's files of one run are joined, those of different runs never") {
  if (!there()) return;
  std::vector<FileResult> files;
  for (const Io500CorpusExpected& row : io500_corpus_table()) {
    if (row.at("reason") == "no log") continue;
    const auto text = file_content(io500_corpus() / row.at("file"));
    REQUIRE(text.has_value());
    for (ParsedResult& result : logs::parsed(*text)) files.push_back({row.at("file"), std::move(result)});
  }
  const size_t before = files.size();
  const auto runs = io500_joined(std::move(files));
  // 13 pairs of result.txt and summary, and one of a summary with its standard output.
  CHECK(runs.size() == before - 14);
  for (const FileResult& run : runs) {
    INFO(run.file);
    CHECK(run.result.fact("mismatch") == nullptr);
  }
}
