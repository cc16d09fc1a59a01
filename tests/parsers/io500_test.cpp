#include <catch2/catch.hpp>

#include "parsers/io500/config.hpp"
#include "parsers/io500/session.hpp"
#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

std::vector<ParsedResult> read(const std::string& name) {
  return logs::parsed(logs::fixture("io500/" + name));
}

ParsedResult one(const std::string& name) {
  auto results = read(name);
  REQUIRE(results.size() == 1);
  return results.front();
}

const Phase& phase(const ParsedResult& result, std::string_view name) {
  const auto it = std::find_if(result.phases.begin(), result.phases.end(),
                               [&](const Phase& phase) { return phase.name == name; });
  INFO(name);
  REQUIRE(it != result.phases.end());
  return *it;
}

size_t io500_scored(const ParsedResult& result) {
  return static_cast<size_t>(
      std::count_if(result.phases.begin(), result.phases.end(), [](const Phase& p) { return p.scored; }));
}

}  // namespace

TEST_CASE("an IO500 summary gives the score and each phase's rate and time with their lines") {
  const ParsedResult result = one("run/result_summary.txt");
  CHECK(result.suite == "io500");
  CHECK(result.implementation == "official");
  CHECK(result.version == "io500-sc24_v1");
  CHECK(result.complete);
  CHECK(logs::parameter(result, "mode") == "standard");
  CHECK(logs::metric(result, "score") == 47.137251);
  CHECK(logs::metric(result, "ior_easy_write_gib_s") == 48.251308);
  CHECK(logs::metric(result, "ior_easy_write_time_s") == 331.205);
  CHECK(logs::metric(result, "mdtest_hard_delete_kiops") == 40.119903);
  CHECK(result.metric("ior_easy_write_gib_s")->line == 2);
  REQUIRE(result.phases.size() == 14);
  CHECK(io500_scored(result) == 12);
  CHECK_FALSE(phase(result, "timestamp").scored);
  CHECK_FALSE(phase(result, "ior-rnd4K-easy-read").scored);
  CHECK(phase(result, "find").unit == "kIOPS");
  CHECK(phase(result, "ior-hard-read").unit == "GiB/s");
}

TEST_CASE("result.txt gives what the summary rounds, and what was run") {
  const ParsedResult result = one("run/result.txt");
  CHECK(logs::metric(result, "score") == 47.137251);
  CHECK(logs::metric(result, "ior_easy_write_time_s") == 331.2047);
  CHECK(logs::parameter(result, "procs") == "320");
  CHECK(logs::parameter(result, "block_size") == "20g");
  CHECK(logs::parameter(result, "transfer_size") == "1m");
  CHECK(logs::parameter(result, "segment_count") == "60000");
  CHECK(logs::parameter(result, "mdtest_easy_n") == "90000");
  CHECK(logs::parameter(result, "mdtest_hard_n") == "40000");
  CHECK(logs::parameter(result, "stonewall_s") == "300");
  CHECK(logs::parameter(result, "config_hash") == "D080A740");
  CHECK_FALSE(logs::parameter(result, "score_hash").empty());
  CHECK(logs::fact(result, "source") == "result.txt");
  CHECK(io500_scored(result) == 12);
}

TEST_CASE("standard output is read through the noise of other ranks, a row glued to it too") {
  const ParsedResult result = one("run/io500.out");
  CHECK(result.complete);
  CHECK(io500_scored(result) == 12);
  CHECK(logs::fact(result, "source") == "standard output");
  CHECK(logs::metric(result, "find_kiops") == logs::metric(one("run/result.txt"), "find_kiops"));
}

TEST_CASE("a row that a text quotes is not read") {
  const std::string header = "IO500 version io500-sc24_v1 (standard)\n";
  const std::string row = "[RESULT]       ior-easy-write       48.251308 GiB/s : time 331.205 seconds";
  CHECK(logs::parsed(header + row + "\n").front().phases.size() == 1);
  for (const std::string& quoted :
       {"++ printf '" + row + "\n'", "see `" + row + "`", "| " + row, row + " was the row", "\"" + row})
    CHECK(logs::parsed(header + quoted + "\n").front().phases.empty());
}

TEST_CASE("GB/s of the scripts is GiB/s, as their awk divides IOR's MiB/s by 1024") {
  const ParsedResult old = one("scripts-gb-summary.txt");
  const ParsedResult renamed = one("scripts-summary.txt");
  CHECK(old.implementation == "io-500-dev");
  CHECK(logs::metric(old, "bandwidth_gib_s") == logs::metric(renamed, "bandwidth_gib_s"));
  CHECK(logs::metric(old, "ior_easy_write_gib_s") == 48.251);
  CHECK(phase(old, "ior-easy-write").unit == "GiB/s");
  CHECK(io500_scored(old) == 12);
}

TEST_CASE("the scripts' output is read beside a shell's trace; its list of rows is no second run") {
  const ParsedResult result = one("scripts-output.out");
  CHECK(result.complete);
  CHECK(io500_scored(result) == 12);
  CHECK(logs::metric(result, "ior_easy_write_gib_s") == 48.251);
  CHECK(logs::parameter(result, "clients") == "10");
  CHECK(logs::parameter(result, "stonewall_s") == "300");
  CHECK(logs::parameter(result, "mdtest_hard_n") == "18000");
}

TEST_CASE("a version may be empty, a bare hash or a builder's own") {
  CHECK(one("no-version-summary.txt").version.empty());
  CHECK(logs::parameter(one("no-version-summary.txt"), "mode") == "standard");
  CHECK(one("hash-version-summary.txt").version == "37a8bd082d6c");
  CHECK(one("isc20-summary.txt").version == "io500-isc20_v4-22");
  CHECK(logs::parameter(one("isc20-summary.txt"), "mode").empty());
}

TEST_CASE("phases that a log marks invalid are reported as such") {
  const ParsedResult summary = one("invalid-find-summary.txt");
  CHECK_FALSE(phase(summary, "find").valid);
  CHECK(phase(summary, "ior-easy-write").valid);
  CHECK(logs::fact(summary, "SCORE.mark") == "INVALID");
  CHECK_FALSE(phase(one("invalid-result.txt"), "find").valid);
  CHECK_FALSE(phase(one("result-invalid-summary.txt"), "mdtest-easy-stat").valid);
}

TEST_CASE("an extended run has its own score beside the official one") {
  for (const char* name : {"extended-summary.txt", "extended-result.txt"}) {
    const ParsedResult result = one(name);
    CHECK(logs::parameter(result, "mode") == "extended");
    CHECK(logs::metric(result, "score") == 47.137251);
    CHECK(logs::metric(result, "extended_score") != logs::metric(result, "score"));
    CHECK(io500_scored(result) == 12);
    CHECK_FALSE(phase(result, "find-easy").scored);
  }
}

TEST_CASE("a run that was killed gives its finished phases, no score, and where it ended") {
  const ParsedResult result = one("truncated-result.txt");
  CHECK_FALSE(result.complete);
  CHECK(result.metric("score") == nullptr);
  CHECK(logs::metric(result, "mdtest_hard_write_kiops") == 31.552709);
  CHECK(result.reason.find("in phase ior-easy-read") != std::string::npos);
  CHECK(one("time-limit.out").reason.find("the time limit ended the job") != std::string::npos);
  CHECK(one("fatal.out").reason.find("Couldn't open timestampfile") != std::string::npos);
  CHECK(one("scripts-cut-output.out").reason.find("in phase ior-hard-write") != std::string::npos);
}

TEST_CASE("result.txt that ends behind the score, before its hash, is not complete") {
  const std::string text = logs::fixture("io500/run/result.txt");
  const auto cut = logs::parsed(text.substr(0, text.find("hash            =")));
  REQUIRE(cut.size() == 1);
  CHECK(cut.front().metric("score") != nullptr);
  CHECK_FALSE(cut.front().complete);
  CHECK(cut.front().reason.find("before the score's hash") != std::string::npos);
}

TEST_CASE("a log with several runs gives each, and a copy behind a run is none") {
  const std::string first = logs::fixture("io500/run/result_summary.txt");
  const std::string second = logs::fixture("io500/sc20-summary.txt");
  CHECK(logs::parsed(first + second).size() == 2);
  CHECK(logs::parsed(first + "\ncat result_summary.txt\n" + first).size() == 1);
  CHECK(logs::parsed(logs::fixture("io500/isc20-result.txt") + logs::fixture("io500/isc20-summary.txt"))
            .size() == 2);
  const std::string killed = first.substr(0, first.find("[RESULT]        ior-easy-read"));
  const auto results = logs::parsed(killed + first);
  REQUIRE(results.size() == 2);
  CHECK_FALSE(results.front().complete);
  CHECK(results.back().complete);
}

TEST_CASE("runs that a script's summary gathered are distinguished by this run's own last row") {
  const std::string old = "[SCORE] Bandwidth 1.5 GB/s : IOPS 2.5 kiops : TOTAL 1.93649\n";
  std::string text = logs::fixture("io500/scripts-output.out");
  text.insert(
      text.find("[RESULT]", text.find("[Summary]")),
      "[RESULT] BW   phase 1            ior_easy_write                1.000 GB/s : time 301.00 seconds\n" +
          old);
  const auto results = logs::parsed(text);
  REQUIRE(results.size() == 1);
  CHECK(logs::metric(results.front(), "ior_easy_write_gib_s") == 48.251);
  CHECK(logs::metric(results.front(), "score") == 47.1372);
}

TEST_CASE("values that are no numbers give a warning, not a metric") {
  const std::string text = logs::replaced(logs::fixture("io500/run/result_summary.txt"), "48.251308", "nan");
  const auto results = logs::parsed(text);
  REQUIRE(results.size() == 1);
  CHECK(results.front().metric("ior_easy_write_gib_s") == nullptr);
  CHECK(results.front().warnings.size() == 1);
  CHECK(logs::judge(results.front()).validity == Validity::invalid);
}

TEST_CASE("Latin-1 and a last line without its end do not disturb the rest") {
  std::string text = logs::fixture("io500/run/result_summary.txt");
  text.insert(text.find('\n') + 1, "Gr\xfc\xdf\x65 vom Verwalter\n");
  CHECK(logs::parsed(text).front().complete);
  text.pop_back();
  const auto cut = logs::parsed(text);
  CHECK_FALSE(cut.front().complete);
  CHECK(cut.front().metric("score") == nullptr);
}

TEST_CASE("a configuration and IO500's verifier are no logs") {
  CHECK_FALSE(parsed_log(logs::fixture("io500/config.ini")).has_value());
  CHECK_FALSE(
      parsed_log("[run]\nconfig-hash     = D441EC3B\nscore-hash      = 35A3166E\n\n[OK]\n").has_value());
  CHECK_FALSE(parsed_log("IO500 version 2 is the subject of this paper.\n").has_value());
}

TEST_CASE("IO500's hash turns and adds") {
  CHECK(io500_hash("") == 0);
  CHECK(io500_hash("a") == 0x61);
  CHECK(io500_hash("ab") == 0x61 * 4 + 0x62);
  CHECK(io500_hash_text(0x959E5BB) == "959E5BB");
}

TEST_CASE("rows are whole or none") {
  CHECK(io500_row("[RESULT] find 1.0 kIOPS : time 2.0 seconds").has_value());
  CHECK_FALSE(io500_row("[RESULT] find 1.0 kIOPS : time 2.0 second").has_value());
  CHECK_FALSE(io500_row("[RESULT] find 1.0 IOPS : time 2.0 seconds").has_value());
  CHECK_FALSE(io500_row("[RESULT] lookup 1.0 kIOPS : time 2.0 seconds").has_value());
  const auto score = io500_score_row("[SCORE INVALID] Bandwidth 1 GB/s : IOPS 1 kiops : TOTAL 1");
  CHECK(score.value_or(Io500ScoreRow{}).mark == "INVALID");
  CHECK_FALSE(io500_score_row("[SCORE ] Bandwidth 1 GB/s : IOPS 1 kiops : TOTAL").has_value());
}
