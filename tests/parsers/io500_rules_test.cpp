#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

ParsedResult io500_rules_log(const std::string& name) {
  auto results = logs::parsed(logs::fixture("io500/" + name));
  REQUIRE(results.size() == 1);
  return results.front();
}

ParsedResult changed(const std::string& name, std::string_view what, std::string_view by) {
  auto results = logs::parsed(logs::replaced(logs::fixture("io500/" + name), what, by));
  REQUIRE(results.size() == 1);
  return results.front();
}

RuleResult io500_rule(const ParsedResult& result, std::string_view id, const Case* planned = nullptr) {
  Evidence evidence;
  evidence.result = &result;
  evidence.planned = planned;
  return logs::rule(judged(evidence), id);
}

Case planned(int nodes, const std::string& ini = "") {
  Case planned;
  planned.nodes = nodes;
  planned.files = {{"io500.ini", ini}};
  return planned;
}

}  // namespace

TEST_CASE("IO5-01 wants all twelve phases in order") {
  CHECK(io500_rule(io500_rules_log("run/result.txt"), "IO5-01").status == RuleStatus::pass);
  CHECK(io500_rule(io500_rules_log("scripts-score-valid.txt"), "IO5-01").status ==
        RuleStatus::pass);  // listed, not as they ran
  const ParsedResult without = changed("run/result_summary.txt", "       ior-hard-read", "  ior-rnd1MB-read");
  CHECK(io500_rule(without, "IO5-01").status == RuleStatus::fail);
  CHECK(io500_rule(without, "IO5-01").text.find("ior-hard-read did not run") != std::string::npos);
  CHECK(io500_rule(io500_rules_log("truncated-result.txt"), "IO5-01").status == RuleStatus::unknown);
  const std::string output = logs::fixture("io500/scripts-output.out") + "[Skipping] find\n";
  CHECK(io500_rule(logs::parsed(output).front(), "IO5-01").status == RuleStatus::fail);
}

TEST_CASE("IO5-02 takes write phases of 300 s that nothing marks invalid") {
  CHECK(io500_rule(io500_rules_log("run/result.txt"), "IO5-02").status == RuleStatus::pass);
  CHECK(io500_rule(io500_rules_log("run/result_summary.txt"), "IO5-02").status == RuleStatus::pass);
  for (const char* name :
       {"invalid-find-summary.txt", "invalid-result.txt", "result-invalid-summary.txt",
        "thirty-seconds-summary.txt", "scripts-score-valid.txt", "scripts-short-output.out"}) {
    INFO(name);
    CHECK(io500_rule(io500_rules_log(name), "IO5-02").status == RuleStatus::fail);
    CHECK(logs::judge(io500_rules_log(name)).validity == Validity::invalid);
  }
  CHECK(io500_rule(io500_rules_log("quiet-result.txt"), "IO5-02").status == RuleStatus::unknown);
  CHECK(io500_rule(io500_rules_log("truncated-result.txt"), "IO5-02").status == RuleStatus::unknown);
}

TEST_CASE("a stonewall-time complaint beside a clean score is no verdict") {
  const RuleResult result = io500_rule(io500_rules_log("scc-complaint-result.txt"), "IO5-02");
  CHECK(result.status == RuleStatus::pass);
  CHECK(result.text.find("stonewall-time < 30s") != std::string::npos);
}

TEST_CASE("a time of 300 s within its rounding is long enough, another stonewall is not") {
  CHECK(io500_rule(changed("run/result_summary.txt", "time 309.540", "time 300.000"), "IO5-02").status ==
        RuleStatus::pass);
  CHECK(io500_rule(changed("run/result_summary.txt", "time 309.540", "time 299.998"), "IO5-02").status ==
        RuleStatus::fail);
  CHECK(io500_rule(changed("run/result.txt", "-W 300", "-W 60"), "IO5-02").status == RuleStatus::fail);
  CHECK(io500_rule(changed("scripts-output.out", "-D 300", "-D 0"), "IO5-02").status == RuleStatus::pass);
}

TEST_CASE("30 s count only where the rules of the Student Cluster Competition were asked for") {
  const ParsedResult result = io500_rules_log("thirty-seconds-summary.txt");
  const Case students = planned(4, "[global]\ndatadir = /x\nscc = TRUE\n");
  const Case others = planned(4, "[global]\nscc = FALSE\n[find]\nscc = TRUE\n");
  CHECK(io500_rule(result, "IO5-02", &students).status == RuleStatus::pass);
  CHECK(io500_rule(result, "IO5-02", &others).status == RuleStatus::fail);
  const ParsedResult shorter = changed("thirty-seconds-summary.txt", "time 31.097", "time 29.097");
  CHECK(io500_rule(shorter, "IO5-02", &students).status == RuleStatus::fail);
}

TEST_CASE("IO5-03 recomputes the means and wants a rate of every phase") {
  for (const char* name :
       {"run/result.txt", "run/result_summary.txt", "isc20-summary.txt", "scripts-summary.txt"})
    CHECK(io500_rule(io500_rules_log(name), "IO5-03").status == RuleStatus::pass);
  const RuleResult zero = io500_rule(io500_rules_log("invalid-find-summary.txt"), "IO5-03");
  CHECK(zero.status == RuleStatus::fail);
  CHECK(zero.value == "find scored 0.000000, total 40.649280");
  const RuleResult forged =
      io500_rule(changed("run/result_summary.txt", "TOTAL 47.137251", "TOTAL 47.138251"), "IO5-03");
  CHECK(forged.status == RuleStatus::fail);
  CHECK(forged.value.find("47.138251") != std::string::npos);
  CHECK(forged.value.find("47.13725") != std::string::npos);
  CHECK(io500_rule(io500_rules_log("truncated-result.txt"), "IO5-03").status == RuleStatus::unknown);
}

TEST_CASE("the product that scripts of 2017 printed for a total is named") {
  const ParsedResult genuine = io500_rules_log("scripts-summary.txt");
  const double product = logs::metric(genuine, "bandwidth_gib_s") * logs::metric(genuine, "iops_kiops");
  const ParsedResult old =
      changed("scripts-summary.txt", "TOTAL 47.1372", "TOTAL " + std::to_string(product));
  const RuleResult found = io500_rule(old, "IO5-03");
  CHECK(found.status == RuleStatus::fail);
  CHECK(found.text.find("bandwidth x IOPS") != std::string::npos);
}

TEST_CASE("IO5-03b recomputes an extended run's score") {
  CHECK(io500_rule(io500_rules_log("extended-result.txt"), "IO5-03b").status == RuleStatus::pass);
  CHECK(io500_rule(io500_rules_log("run/result.txt"), "IO5-03b").status == RuleStatus::not_applicable);
  CHECK(io500_rule(changed("extended-result.txt", "90.117423", "99.117423"), "IO5-03b").status ==
        RuleStatus::fail);
}

TEST_CASE("IO5-03c holds times against start and end") {
  CHECK(io500_rule(io500_rules_log("run/result.txt"), "IO5-03c").status == RuleStatus::pass);
  CHECK(io500_rule(io500_rules_log("run/result_summary.txt"), "IO5-03c").status == RuleStatus::unknown);
  CHECK(io500_rule(changed("run/result.txt", "t_delta         = 318.7714", "t_delta         = 328.7714"),
                   "IO5-03c")
            .status == RuleStatus::fail);
  // What is printed between the stamps takes time of its own.
  CHECK(io500_rule(changed("run/result.txt", "t_delta         = 318.7714", "t_delta         = 308.7714"),
                   "IO5-03c")
            .status == RuleStatus::pass);
}

TEST_CASE("an hour is missing from a clock only in a night in which summer may end") {
  const auto status = [](const char* day, const char* start, const char* end) {
    const std::string stamp = std::string(day) + " ";
    ParsedResult result = io500_rules_log("run/result.txt");
    for (Fact& fact : result.facts) {
      if (fact.name == "ior-easy-write.t_start") fact.value = stamp + start;
      if (fact.name == "ior-easy-write.t_end") fact.value = stamp + end;
      if (fact.name == "ior-easy-write.time") fact.value = "3931.2047";
    }
    return io500_rule(result, "IO5-03c").status;
  };
  CHECK(status("2026-10-25", "02:30:00", "02:35:31") == RuleStatus::pass);  // Sunday
  CHECK(status("2026-04-05", "02:30:00", "02:35:31") == RuleStatus::pass);
  CHECK(status("2026-10-25", "03:30:00", "03:35:31") == RuleStatus::fail);
  CHECK(status("2026-10-26", "02:30:00", "02:35:31") == RuleStatus::fail);
  CHECK(status("2026-07-05", "02:30:00", "02:35:31") == RuleStatus::fail);
  CHECK(status("2026-07-05", "02:30:00", "03:35:31") == RuleStatus::pass);
}

TEST_CASE("a complaint of an extended phase that is marked is not held against the score") {
  const std::string text = logs::fixture("io500/extended-summary.txt");
  const std::string complaint =
      "ERROR INVALID (src/main.c:443) Runtime is smaller than expected minimum runtime\n";
  const auto judged_with = [&](const std::string& io500_rules_log) {
    const auto results = logs::parsed(io500_rules_log);
    REQUIRE(results.size() == 1);
    return io500_rule(results[0], "IO5-02").status;
  };
  const size_t row = text.find("\n", text.find("mdworkbench-create"));
  REQUIRE(row != std::string::npos);
  std::string marked = text;
  marked.insert(row + 1, complaint);
  CHECK(judged_with(marked) == RuleStatus::fail);
  marked.insert(row, " [INVALID]");
  CHECK(judged_with(marked) == RuleStatus::pass);
}

TEST_CASE("IO5-04 wants the fixed parameters") {
  CHECK(io500_rule(io500_rules_log("run/result.txt"), "IO5-04").status == RuleStatus::pass);
  CHECK(io500_rule(io500_rules_log("run/result_summary.txt"), "IO5-04").status == RuleStatus::unknown);
  CHECK(io500_rule(io500_rules_log("files-per-dir-result.txt"), "IO5-04").status == RuleStatus::fail);
  CHECK(io500_rule(changed("run/result.txt", "-Y -W", "-I=800 -Y -W"), "IO5-04").status == RuleStatus::fail);
  CHECK(io500_rule(changed("run/result.txt", "-C -Q 1 -g -G=", "-C -Q 0 -g -G="), "IO5-04").status ==
        RuleStatus::fail);
  CHECK(io500_rule(changed("scc-complaint-result.txt", "stonewall-time < 30s", "DRY RUN MODE ACTIVATED"),
                   "IO5-04")
            .status == RuleStatus::fail);
}

TEST_CASE("IO5-05 reproduces the score's hash, also that of versions that left the means out") {
  const std::string holds = "the hash of the score holds; ";  // that of the configuration needs config.ini
  for (const char* name :
       {"run/result.txt", "invalid-result.txt", "isc20-result.txt", "extended-result.txt"}) {
    INFO(name);
    const RuleResult found = io500_rule(io500_rules_log(name), "IO5-05");
    CHECK(found.status == RuleStatus::unknown);
    CHECK(found.text.starts_with(holds));
  }
  CHECK(io500_rule(io500_rules_log("run/result_summary.txt"), "IO5-05").text ==
        "only result.txt has the score's hash");
  const RuleResult forged = io500_rule(
      changed("run/result.txt", "score           = 61.942061", "score           = 61.942062"), "IO5-05");
  CHECK(forged.status == RuleStatus::fail);
  CHECK(forged.value.find("the values give") != std::string::npos);
}

TEST_CASE("IO5-06 tells the 10 client node list's results") {
  const ParsedResult result = io500_rules_log("run/result.txt");
  CHECK(io500_rule(result, "IO5-06").status == RuleStatus::unknown);
  const Case ten = planned(10);
  const Case many = planned(96);
  CHECK(io500_rule(result, "IO5-06", &ten).status == RuleStatus::pass);
  CHECK(io500_rule(result, "IO5-06", &many).status == RuleStatus::fail);
  CHECK(io500_rule(io500_rules_log("scripts-output.out"), "IO5-06").status == RuleStatus::pass);
  Evidence evidence;
  evidence.result = &result;
  evidence.planned = &many;
  CHECK(judged(evidence).validity == Validity::valid);  // a list's class is no flaw
}

TEST_CASE("IO5-07 sees pauses and another day's phases, and claims no more") {
  CHECK(io500_rule(io500_rules_log("run/result.txt"), "IO5-07").status == RuleStatus::unknown);
  CHECK(io500_rule(changed("run/result.txt", "[find]\n", "[find]\nt_pause         = 2026-11-20 10:30:00\n"),
                   "IO5-07")
            .status == RuleStatus::fail);
  const auto later = logs::replaced(logs::fixture("io500/run/result.txt"),
                                    "[mdtest-hard-write]\nt_start         = 2026-11-20",
                                    "[mdtest-hard-write]\nt_start         = 2026-11-19");
  CHECK(io500_rule(logs::parsed(later).front(), "IO5-07").status == RuleStatus::fail);
}

TEST_CASE("IO5-08 warns of reads and finds that do not cover what was written") {
  for (const char* id : {"IO5-08a", "IO5-08b", "IO5-08c"}) {
    CHECK(io500_rule(io500_rules_log("run/result.txt"), id).status == RuleStatus::pass);
    CHECK(io500_rule(io500_rules_log("run/result_summary.txt"), id).status == RuleStatus::unknown);
  }
  CHECK(io500_rule(changed("run/result.txt", "t_delta         = 258.1193", "t_delta         = 98.1193"),
                   "IO5-08a")
            .status == RuleStatus::fail);
  const std::string files = logs::fact(io500_rules_log("run/result.txt"), "find.total-files");
  CHECK(io500_rule(changed("run/result.txt", "total-files     = " + files, "total-files     = 493000"),
                   "IO5-08b")
            .status == RuleStatus::fail);
  CHECK(io500_rule(changed("run/result.txt", "total-files     = " + files, "total-files     = 9" + files),
                   "IO5-08c")
            .status == RuleStatus::fail);
}

TEST_CASE("IO5-09 marks a single client's reads as cached unless caches were dropped") {
  const ParsedResult result = io500_rules_log("run/result.txt");
  const Case cached = planned(1, "[global]\ndrop-caches = FALSE\n");
  const Case dropped = planned(1, "[global]\ndrop-caches = TRUE\n");
  const Case several = planned(2);
  CHECK(io500_rule(result, "IO5-09").status == RuleStatus::unknown);
  CHECK(io500_rule(result, "IO5-09", &cached).status == RuleStatus::fail);
  CHECK(io500_rule(result, "IO5-09", &cached).text.find("cached") != std::string::npos);
  CHECK(io500_rule(result, "IO5-09", &dropped).status == RuleStatus::pass);
  CHECK(io500_rule(result, "IO5-09", &several).status == RuleStatus::not_applicable);
  const ParsedResult one_client =
      changed("scripts-output.out", "io500_info_num_client_nodes=10", "io500_info_num_client_nodes=1");
  CHECK(io500_rule(one_client, "IO5-09").status == RuleStatus::pass);  // io500_clean_cache=True
}

TEST_CASE("IO5-09 takes the reference implementation's own word for what came from memory") {
  for (const char* name : {"reference/result.txt", "reference/output.out", "reference/result_summary.txt"}) {
    INFO(name);
    const RuleResult cached = io500_rule(io500_rules_log(name), "IO5-09");
    CHECK(cached.status == RuleStatus::fail);
    CHECK(cached.value == "1 client node, 6 phases");
    CHECK(cached.line > 0);
  }
  std::string dropped = logs::fixture("io500/reference/output.out");
  for (size_t at = dropped.find("CACHED "); at != std::string::npos; at = dropped.find("CACHED "))
    dropped.replace(at, 7, "Caches dropped before ");
  const ParsedResult result = logs::parsed(dropped).front();
  CHECK(io500_rule(result, "IO5-09").status == RuleStatus::pass);
  CHECK(result.metric("find_kiops") != nullptr);
}

TEST_CASE("a short run of the reference implementation breaks IO5-02 and no identity") {
  const ParsedResult result = io500_rules_log("reference/result.txt");
  CHECK(io500_rule(result, "IO5-01").status == RuleStatus::pass);
  CHECK(io500_rule(result, "IO5-02").status == RuleStatus::fail);
  CHECK(io500_rule(result, "IO5-03").status == RuleStatus::pass);
  CHECK(io500_rule(result, "IO5-04").status == RuleStatus::pass);
  CHECK(io500_rule(result, "IO5-05").text.starts_with("the hash of the score holds"));
  CHECK(io500_rule(result, "IO5-06").value == "1 client node");
  CHECK(logs::judge(result).validity == Validity::invalid);
}

TEST_CASE("a phase that the reference implementation could not finish says why") {
  std::string failed = logs::fixture("io500/reference/output.out");
  failed = failed.substr(0, failed.find("[RESULT]     mdtest-easy-stat"));
  failed +=
      "FATAL (mdtest-easy-stat) rank 0: can't stat mdtest-easy/file.mdtest.1.5: No such file or directory\n";
  const ParsedResult result = logs::parsed(failed).front();
  CHECK_FALSE(result.complete);
  CHECK(result.implementation == "reference");
  CHECK(result.reason.find("can't stat mdtest-easy/file.mdtest.1.5") != std::string::npos);
}
