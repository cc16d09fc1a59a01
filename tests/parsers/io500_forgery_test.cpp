#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

/// A log with one thing altered, and the rule that catches it.
struct Io500ForgeryForgery {
  const char* log;
  const char* genuine;
  const char* forged;
  const char* rule;
};

const std::vector<Io500ForgeryForgery> io500_forgery_forgeries = {
    // a rate of a phase, in each grammar
    {"run/result_summary.txt", "48.251308", "58.251308", "IO5-03"},
    {"isc20-summary.txt", "40.119903", "44.119903", "IO5-03"},
    {"scripts-summary.txt", "2.739", "2.789", "IO5-03"},
    {"run/result.txt", "score           = 48.251308", "score           = 48.251309", "IO5-05"},
    // the score and its parts
    {"run/result_summary.txt", "TOTAL 47.137251", "TOTAL 47.237251", "IO5-03"},
    {"run/result.txt", "SCORE           = 47.137251", "SCORE           = 47.137351", "IO5-03"},
    {"scripts-output.out", "TOTAL 47.1372", "TOTAL 48.1372", "IO5-03"},
    {"extended-summary.txt", "611.204116", "911.204116", "IO5-03b"},
    // decimal units where the program prints binary ones
    {"run/result_summary.txt", "48.251308 GiB/s", "48.251308 GB/s", "IO5-03d"},
    {"run/result_summary.txt", "GiB/s : IOPS", "GB/s : IOPS", "IO5-03d"},
    // a write phase that was too short, made long enough
    {"run/result.txt", "t_delta         = 309.5403", "t_delta         = 312.5403", "IO5-03c"},
    // a time below 0
    {"run/result_summary.txt", "time 61.507 seconds", "time -61.507 seconds", "IO5-03e"},
    {"thirty-seconds-summary.txt", "time 34.035 seconds", "time 334.035 seconds", "IO5-02"},
    // marks of invalidity taken off
    {"invalid-result.txt", "SCORE           = 40.649280 [INVALID]", "SCORE           = 40.649280", "IO5-05"},
    {"invalid-find-summary.txt", "find        0.000000 kIOPS : time 0.000 seconds [INVALID]",
     "find        0.000000 kIOPS : time 0.000 seconds", "IO5-02"},
    {"scripts-score-valid.txt", "time  58.27 seconds", "time 358.27 seconds", "IO5-02"},
    // a phase omitted, another order, another version, other parameters
    {"run/result_summary.txt", "[RESULT]   mdtest-hard-delete", "[RESULT]   mdtest-hard-remove", "IO5-01"},
    {"run/result_summary.txt", "[RESULT]                 find", "[RESULT]        find-elsewhere", "IO5-01"},
    {"run/result.txt", "version         = io500-sc24_v1", "version         = io500-sc25_v1", "IO5-05"},
    {"run/result.txt", "-t 47008 -b 47008", "-t 1m -b 47008", "IO5-04"},
    {"run/result.txt", "-w 3901 -e 3901", "-w 1 -e 1", "IO5-04"},
    {"run/result.txt", "-D 300", "-D 30", "IO5-02"},
    // no stonewall, or ranks that stop at it
    {"run/result.txt", "-D 300 ", "", "IO5-02"},
    {"run/result.txt", "-W 300 ", "", "IO5-02"},
    {"run/result.txt", "-O stoneWallingWearOut=1", "", "IO5-04"},
    // an hour more than the clock has
    {"run/result.txt", "t_delta         = 318.7714", "t_delta         = 3918.7714", "IO5-03c"},
    // standard output's report of a phase, with the mark on its row removed
    {"run/io500.out", "[RESULT]    mdtest-easy-write",
     "ERROR INVALID (src/phase_ior.c:24) Errors (5) occured during phase in IOR. This invalidates your run.\n"
     "[RESULT]    mdtest-easy-write",
     "IO5-02"},
    {"scc-complaint-result.txt", "stonewall-time < 30s", "stonewall-time != 300s", "IO5-02"},
};

}  // namespace

TEST_CASE("an IO500 log with one altered value is caught by a named rule") {
  for (const Io500ForgeryForgery& forgery : io500_forgery_forgeries) {
    INFO(forgery.log << ": '" << forgery.genuine << "' -> '" << forgery.forged << "'");
    const std::string text = logs::fixture(std::string("io500/") + forgery.log);
    const auto results = logs::parsed(logs::replaced(text, forgery.genuine, forgery.forged));
    REQUIRE(results.size() == 1);
    const Judged judged = logs::judge(results.front());
    CHECK(judged.validity == Validity::invalid);
    const RuleResult rule = logs::rule(judged, forgery.rule);
    INFO(rule.value << ": " << rule.text);
    CHECK(rule.status == RuleStatus::fail);
    CHECK_FALSE(rule.value.empty());
  }
}

TEST_CASE("a second score that differs makes a run of IO500 invalid") {
  const std::string summary = logs::fixture("io500/run/result_summary.txt");
  const std::string result = logs::fixture("io500/run/result.txt");
  for (const std::string& forged :
       {summary + "[SCORE ] Bandwidth 99.0 GiB/s : IOPS 99.0 kiops : TOTAL 99.0\n",
        logs::replaced(summary, "[SCORE ]",
                       "[SCORE ] Bandwidth 99.0 GiB/s : IOPS 99.0 kiops : TOTAL 99.0\n[SCORE ]"),
        logs::replaced(result, "SCORE           = 47.137251",
                       "SCORE           = 99.000000\nSCORE           = 47.137251")})
    for (const ParsedResult& each : logs::parsed(forged))
      CHECK(logs::judge(each).validity != Validity::valid);
  for (const ParsedResult& each : logs::parsed(summary + summary))
    CHECK(logs::judge(each).validity == Validity::valid);
}

TEST_CASE("phases in another order are caught") {
  std::string text = logs::fixture("io500/run/result_summary.txt");
  const size_t stat = text.find("[RESULT]     mdtest-easy-stat");
  const size_t read = text.find("[RESULT]        ior-hard-read");
  const std::string row = text.substr(stat, read - stat);
  text.erase(stat, row.size());
  text.insert(text.find('\n') + 1, row);
  const auto results = logs::parsed(text);
  REQUIRE(results.size() == 1);
  CHECK(logs::rule(logs::judge(results.front()), "IO5-01").status == RuleStatus::fail);
}
