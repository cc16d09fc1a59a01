#include "parsers/rules/result_json.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <nlohmann/json.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;
using nlohmann::json;

TEST_CASE("a result is one line of JSON with the documented keys") {
  const auto result = parsed(fixture("hpl/grammar/nvidia-two-loops.out")).front();
  const std::string line = result_json(result, judge(result), "run/stdout.log");
  CHECK(line.find('\n') == std::string::npos);
  const json document = json::parse(line);
  CHECK(document["schema"] == "shakedown.result/1");
  CHECK(document["file"] == "run/stdout.log");
  CHECK(document["suite"] == "hpl");
  CHECK(document["implementation"] == "nvidia");
  CHECK(document["version"] == "25.4.0");
  CHECK(document["complete"] == true);
  CHECK(document["parameters"]["N"] == 264192);
  CHECK(document["parameters"]["PMAP"] == "column");
  CHECK(document["metrics"]["rmax_gflops"] == 337500.0);
  CHECK(document["metrics"]["rmax_gflops_per_gpu"] == 42190.0);
  CHECK(document["validity"] == "unknown");
  CHECK(document["warnings"].empty());
  CHECK_FALSE(document.contains("reason"));
  const json& rules = document["rules"];
  REQUIRE_FALSE(rules.empty());
  for (const json& rule : rules) {
    for (const char* key : {"id", "severity", "status", "title", "value", "text"}) CHECK(rule.contains(key));
    CHECK((rule["status"] == "pass" || rule["status"] == "fail" || rule["status"] == "unknown" ||
           rule["status"] == "n/a"));
    CHECK((rule["severity"] == "F" || rule["severity"] == "W" || rule["severity"] == "L"));
  }
}

TEST_CASE("what is not known is absent") {
  const auto result = parsed(fixture("hpl/grammar/nvidia-cublas-failed.out")).front();
  const json document = json::parse(result_json(result, judge(result), "x"));
  CHECK_FALSE(document.contains("version"));
  CHECK(document["complete"] == false);
  CHECK(document["validity"] == "unknown");
  CHECK(document["reason"] == "line 2: HPL stopped: 'HPL ERROR: CUBLAS initialization failed'");
  CHECK(document["metrics"].empty());
  CHECK(document["metrics"].is_object());
}

TEST_CASE("a value that is no number is left out and said") {
  ParsedResult result;
  result.metrics = {{"rmax_gflops", std::numeric_limits<double>::quiet_NaN(), 7}};
  const json document = json::parse(result_json(result, {}, "x"));
  CHECK(document["metrics"].empty());
  CHECK(document["warnings"] == json::array({"line 7: rmax_gflops is no number"}));
}

TEST_CASE("names and words that are no UTF-8 do not break the document") {
  ParsedResult result;
  result.reason = "line 1: \xe4\xff";
  const json document = json::parse(result_json(result, {}, "\xfc.log"));
  CHECK(document["file"] == "\xef\xbf\xbd.log");
}

TEST_CASE("results are judged in one memory and written behind each other into one text") {
  Judged judgement;
  std::string text;
  std::string each;
  for (const char* log : {"hpl/grammar/nvidia-two-loops.out", "hpl/grammar/nvidia-cublas-failed.out",
                          "io500/run/io500.out", "hpl/grammar/netlib-passed.out"})
    for (const ParsedResult& result : parsed(fixture(log))) {
      Evidence evidence;
      evidence.result = &result;
      judgement = judged(evidence, std::move(judgement.rules));
      CHECK(judgement.rules == judged(evidence).rules);
      append_result_json(text, result, judgement, log, ListedRules::all);
      each += result_json(result, judged(evidence), log);
    }
  CHECK(text == each);
}
