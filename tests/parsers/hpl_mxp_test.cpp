#include <catch2/catch.hpp>

#include "parsers/hpl_mxp/harness.hpp"
#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

std::string hpl_mxp_log(const char* name) {
  return fixture(std::string("hpl_mxp/") + name);
}

ParsedResult hpl_mxp_only(std::string_view text) {
  auto results = parsed(text);
  REQUIRE(results.size() == 1);
  CHECK(results.front().suite == "hpl-mxp");
  return results.front();
}

bool has_line_on(const std::vector<std::string>& warnings, std::string_view words) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("each loop of NVIDIA's HPL-MxP is a result of its own") {
  const auto results = parsed(hpl_mxp_log("nvidia-26.02-two-loops.out"));
  REQUIRE(results.size() == 2);
  const ParsedResult& first = results.front();
  CHECK(first.suite == "hpl-mxp");
  CHECK(first.implementation == "nvidia");
  CHECK(first.version == "26.2.0");
  CHECK(first.complete);
  CHECK(parameter(first, "N") == "200704");
  CHECK(parameter(first, "NB") == "1024");
  CHECK(parameter(first, "P") == "2");
  CHECK(parameter(first, "Q") == "2");
  CHECK(parameter(first, "PMAP") == "row");
  CHECK(parameter(first, "precision") == "FP16");
  CHECK(metric(first, "rmax_gflops") == 6.4705e+05);
  CHECK(metric(first, "lu_gflops") == 1.0152e+06);
  CHECK(metric(first, "rmax_gflops_per_gpu") == 161762.07);
  CHECK(metric(first, "lu_gflops_per_gpu") == 253810.14);
  CHECK(metric(first, "lu_time_s") == 5.31);
  CHECK(metric(first, "refinement_time_s") == 3.02);
  CHECK(metric(first, "time_s") == Approx(8.33));
  CHECK(fact(first, "residual_check") == "PASSED");
  CHECK(fact(first, "iterations") == "2");
  CHECK(fact(first, "echoed") == "yes");
  CHECK(fact(first, "date") == "2026-05-04");
  CHECK(fact(first, "host_memory_needed_gb") == "80.582");
  CHECK(results.back().complete);
  CHECK(metric(results.back(), "lu_time_s") == 5.29);
  CHECK(results.back().metric("rmax_gflops")->line > first.metric("rmax_gflops")->line);
  for (const ParsedResult& result : results) CHECK(judge(result).validity == Validity::valid);
}

TEST_CASE("the reference kernel's report is read as its own, not as NVIDIA's") {
  const std::string text = hpl_mxp_log("reference.out");
  const ParsedResult result = hpl_mxp_only(text);
  CHECK(result.implementation == "reference");
  CHECK(result.version == "0.1.0");
  CHECK(result.complete);
  CHECK(result.warnings.empty());
  CHECK(parameter(result, "N") == "2000");
  CHECK(parameter(result, "NB") == "128");
  CHECK(parameter(result, "P") == "1");
  CHECK(parameter(result, "Q") == "2");
  CHECK(parameter(result, "PMAP") == "row");
  CHECK(parameter(result, "precision") == "FP32");
  CHECK(metric(result, "lu_gflops") > metric(result, "rmax_gflops"));
  CHECK(result.metric("rmax_gflops_per_gpu") == nullptr);
  CHECK(metric(result, "residual") < 16);
  CHECK(metric(result, "time_s") ==
        Approx(metric(result, "lu_time_s") + metric(result, "refinement_time_s")));
  CHECK(fact(result, "residual_check") == "PASSED");
  CHECK(fact(result, "iterations") == "2");
  CHECK(fact(result, "echoed") == "yes");
  CHECK(judge(result).validity == Validity::valid);
  CHECK(rule(judge(result), "MXP-05").status == RuleStatus::fail);  // by its second line

  const ParsedResult killed = hpl_mxp_only(text.substr(0, text.find("LU seconds")));
  CHECK(killed.implementation == "reference");
  CHECK_FALSE(killed.complete);
  CHECK_THAT(killed.reason, Catch::Contains("before any result"));

  const ParsedResult failed = hpl_mxp_only(replaced(text, "PASSED", "FAILED"));
  CHECK(failed.complete);
  CHECK(judge(failed).validity == Validity::invalid);
}

TEST_CASE("a run that announced more loops than its log has says so") {
  std::string text = hpl_mxp_log("nvidia-26.02-two-loops.out");
  text = replaced(text, "--test-loop                        = 2", "--test-loop                        = 3");
  const auto results = parsed(text);
  REQUIRE(results.size() == 2);
  CHECK(has_line_on(results.back().warnings, "announced 3 loops, the log has the results of 2"));
}

TEST_CASE("SLOPPY-TYPE is a number until 25.x and a name later") {
  CHECK(parameter(hpl_mxp_only(hpl_mxp_log("nvidia-25.04-fp8.out")), "precision") == "FP8");
  const ParsedResult block = hpl_mxp_only(hpl_mxp_log("nvidia-24.03-block.out"));
  CHECK(parameter(block, "precision") == "FP16");
  CHECK(block.version.empty());
  CHECK(parameter(hpl_mxp_only(hpl_mxp_log("nvidia-nan.out")), "precision") == "FP4");
}

TEST_CASE("a result block is read without its markers, as people quote it") {
  std::string text = hpl_mxp_log("nvidia-24.03-block.out");
  text = replaced(text, " ****** HPL MxP Result    ****** \n", "");
  const ParsedResult result = hpl_mxp_only(text);
  CHECK(fact(result, "residual_check") == "PASSED");
  CHECK(metric(result, "rmax_gflops") ==
        metric(hpl_mxp_only(hpl_mxp_log("nvidia-24.03-block.out")), "rmax_gflops"));
}

TEST_CASE("a result block without the times that stand above it proves no rate") {
  const ParsedResult block = hpl_mxp_only(hpl_mxp_log("nvidia-24.03-block.out"));
  CHECK_FALSE(block.complete);
  CHECK(block.reason.find("nothing proves the rate") != std::string::npos);
  CHECK(judge(block).validity == Validity::unknown);
  const ParsedResult run = hpl_mxp_only(hpl_mxp_log("nvidia-25.04-fp8.out"));
  CHECK(run.complete);
}

TEST_CASE("the rate to report is never the factorisation's, even where only that one is left") {
  std::string text = hpl_mxp_log("nvidia-24.03-block.out");
  const size_t at = text.find("       GFLOPS = ");
  text.erase(at, text.find('\n', at) + 1 - at);
  const ParsedResult result = hpl_mxp_only(text);
  CHECK(result.metric("rmax_gflops") == nullptr);
  CHECK(result.metric("lu_gflops") != nullptr);
  CHECK_FALSE(result.complete);
  CHECK(result.reason == "line 1: the result block has no whole rate");
}

TEST_CASE("a failed or non-finite NVIDIA run is invalid, not missing") {
  for (const char* name : {"nvidia-failed.out", "nvidia-nan.out"}) {
    INFO(name);
    const ParsedResult result = hpl_mxp_only(hpl_mxp_log(name));
    CHECK(result.complete);
    CHECK(fact(result, "residual_check") == "FAILED");
    CHECK(judge(result).validity == Validity::invalid);
  }
  CHECK(hpl_mxp_only(hpl_mxp_log("nvidia-nan.out")).metric("residual") == nullptr);
}

TEST_CASE("a run that ends in matrix generation is reported with what it needed and what killed it") {
  const ParsedResult silent = hpl_mxp_only(hpl_mxp_log("nvidia-no-memory.out"));
  CHECK_FALSE(silent.complete);
  CHECK(silent.metrics.empty());
  CHECK(parameter(silent, "N") == "510000");
  CHECK(parameter(silent, "precision") == "FP16");
  CHECK(silent.reason ==
        "the log ends at line 40 before any result; line 29: each process needs 243.234 GB of host memory, "
        "221.284 GB were available");
  const ParsedResult killed = hpl_mxp_only(hpl_mxp_log("nvidia-killed.out"));
  CHECK(killed.reason.find("line 37: out of memory: 'slurmstepd: error: Detected 1 oom_kill event") == 0);
}

TEST_CASE("HPL-AI's Gflops is the factorisation's rate, Gflops_IRS the one to report") {
  const ParsedResult result = hpl_mxp_only(hpl_mxp_log("hpl-ai-21.4.out"));
  CHECK(result.implementation == "nvidia");
  CHECK(result.version == "1.0.0");
  CHECK(result.complete);
  CHECK(parameter(result, "N") == "52000");
  CHECK(metric(result, "rmax_gflops") == 1.765e+04);
  CHECK(metric(result, "lu_gflops") == 2.398e+04);
  CHECK(metric(result, "lu_time_s") == 3.91);
  CHECK(metric(result, "refinement_time_s") == 1.40214);
  CHECK(metric(result, "time_s") == Approx(5.31214));
  CHECK(metric(result, "residual") == 3.174020e-03);
  CHECK(fact(result, "iterations") == "2");
  CHECK(judge(result).validity == Validity::valid);
}

TEST_CASE("HPL-AI builds that print the iterations between FGMRES and Gflops_IRS are read by the row's end") {
  const ParsedResult result = hpl_mxp_only(hpl_mxp_log("hpl-ai-iterations.out"));
  CHECK(metric(result, "rmax_gflops") == 4.221e+05);
  CHECK(metric(result, "lu_gflops") == 6.385e+05);
  CHECK(fact(result, "iterations") == "2");
  CHECK(judge(result).validity == Validity::valid);
}

TEST_CASE("HPL-AI 20.10 has one rate, and the log does not say of what time") {
  const auto results = parsed(hpl_mxp_log("hpl-ai-20.10.out"));
  REQUIRE(results.size() == 2);
  for (const ParsedResult& result : results) {
    CHECK(result.complete);
    CHECK(result.metric("lu_gflops") == nullptr);
    CHECK(has_line_on(result.warnings, "one rate"));
    CHECK(rule(judge(result), "MXP-03").status == RuleStatus::unknown);
    CHECK(judge(result).validity == Validity::valid);
  }
  CHECK(metric(results.front(), "rmax_gflops") == 1.089e+05);
  CHECK(metric(results.back(), "time_s") == 18.55);
}

TEST_CASE("an HPL-AI row without a header or without its last columns gives no rate") {
  const std::string text = hpl_mxp_log("hpl-ai-20.10.out");
  const ParsedResult headless = parsed(text.substr(text.find("HPL_AI"))).front();
  CHECK(headless.metric("rmax_gflops") == nullptr);
  CHECK(headless.reason.find("no header names its rate") != std::string::npos);
  const ParsedResult cut =
      hpl_mxp_only(replaced(hpl_mxp_log("hpl-ai-21.4.out"), "1.40214           1.765e+04", ""));
  CHECK(cut.metric("rmax_gflops") == nullptr);
  CHECK(cut.metric("lu_gflops") == nullptr);
  CHECK(cut.reason.find("it is cut") != std::string::npos);
}

TEST_CASE("an HPL-AI run whose residual is NAN is invalid, however sound its rate looks") {
  const ParsedResult result = hpl_mxp_only(hpl_mxp_log("hpl-ai-21.4-nan.out"));
  CHECK(metric(result, "rmax_gflops") == 9.126e+03);
  CHECK(result.metric("residual") == nullptr);
  CHECK(judge(result).validity == Validity::invalid);
}

TEST_CASE("each row of rocHPL-MxP is a result, with its refinement's time and its stamps") {
  const auto results = parsed(hpl_mxp_log("rochpl-mxp.out"));
  REQUIRE(results.size() == 2);
  CHECK(results.front().implementation == "amd");
  CHECK(results.front().version == "2.2");
  CHECK(metric(results.front(), "rmax_gflops") == 6.416e+04);
  CHECK(metric(results.back(), "rmax_gflops") == 6.497e+04);
  CHECK(metric(results.back(), "refinement_time_s") == 0.30);
  CHECK(fact(results.back(), "started") == "Wed Apr 22 10:00:03 2026");
  CHECK(fact(results.front(), "tests_passed") == "2");
  for (const ParsedResult& result : results) {
    CHECK(result.complete);
    CHECK(judge(result).validity == Validity::valid);
  }
  const ParsedResult failure = hpl_mxp_only(hpl_mxp_log("rochpl-mxp-failed.out"));
  CHECK(failure.complete);
  CHECK(judge(failure).validity == Validity::invalid);
}

TEST_CASE("rocHPL-MxP's banner is HPL's, but a log cut before its first row is not taken for HPL's") {
  const ParsedResult cut = hpl_mxp_only(hpl_mxp_log("rochpl-mxp-announced.out"));
  CHECK(cut.implementation == "amd");
  CHECK(parameter(cut, "N") == "61440");
  CHECK(cut.reason.find("before any result") != std::string::npos);
}

TEST_CASE("rocHPL-MxP's standard output alone gives the rate, incomplete") {
  const ParsedResult result = hpl_mxp_only(hpl_mxp_log("rochpl-mxp-stdout.out"));
  CHECK_FALSE(result.complete);
  CHECK(metric(result, "rmax_gflops") == 6.4195e+04);
  CHECK(fact(result, "residual_check") == "PASSED");
  CHECK(judge(result).validity == Validity::unknown);
}

TEST_CASE("the reference's three dots and missing blank are read, and FP32 from its own words") {
  const ParsedResult result = hpl_mxp_only(hpl_mxp_log("icl-passed.out"));
  CHECK(result.implementation == "icl");
  CHECK(result.complete);
  CHECK(metric(result, "rmax_gflops") == 1.309737);
  CHECK(metric(result, "time_s") == 0.110);
  CHECK(metric(result, "lu_time_s") == 0.070);
  CHECK(metric(result, "residual") == 0.016209);
  CHECK(parameter(result, "precision") == "FP32");
  CHECK(fact(result, "iterations") == "2");
  CHECK(judge(result).validity == Validity::valid);
  CHECK(judge(hpl_mxp_only(hpl_mxp_log("icl-failed.out"))).validity == Validity::invalid);
}

TEST_CASE("RIKEN's result line has no verdict: hpl-harness below 16 is the check") {
  const ParsedResult result = hpl_mxp_only(hpl_mxp_log("riken-passed.out"));
  CHECK(result.implementation == "riken");
  CHECK(result.complete);
  CHECK(parameter(result, "N") == "1200");
  CHECK(parameter(result, "NB") == "60");
  CHECK(parameter(result, "P") == "2");
  CHECK(parameter(result, "Q") == "2");
  CHECK(fact(result, "iterations") == "2");
  CHECK(fact(result, "factorisation") == "full");
  CHECK(result.fact("residual_check") == nullptr);
  CHECK(metric(result, "residual") < 16);
  CHECK(judge(result).validity == Validity::valid);
}

TEST_CASE("RIKEN's warm-up, skipped factorisation and overflow are no valid results") {
  const auto why = [](const char* name, const char* id) {
    const ParsedResult result = hpl_mxp_only(hpl_mxp_log(name));
    CHECK(result.complete);
    const Judged judged = judge(result);
    CHECK(judged.validity == Validity::invalid);
    CHECK(rule(judged, id).status == RuleStatus::fail);
    return rule(judged, id).text;
  };
  CHECK(hpl_mxp_only(hpl_mxp_log("riken-warmup.out")).metric("residual") == nullptr);
  CHECK(why("riken-warmup.out", "MXP-01") == "the refinement did not converge: the residual is below zero");
  CHECK(why("riken-warmup.out", "MXP-03") == "the factorisation was stopped early: a run for tuning");
  CHECK(why("riken-skipped-lu.out", "MXP-03") == "the run skipped a part of the solution");
  CHECK(why("riken-overflowed.out", "MXP-01") == "a residual of exactly zero: the vectors overflowed");
}

TEST_CASE("a RIKEN run that was ended during refinement leaves no result") {
  const ParsedResult result = hpl_mxp_only(hpl_mxp_log("riken-timed-out-tagged.out"));
  CHECK_FALSE(result.complete);
  CHECK(result.metrics.empty());
  CHECK(result.reason.find("before any result") != std::string::npos);
}

TEST_CASE("OpenMxP's last line counts without a line feed, once its digits are all there") {
  const std::string text = hpl_mxp_log("openmxp.out");
  REQUIRE(text.back() != '\n');
  const ParsedResult whole = hpl_mxp_only(text);
  CHECK(whole.implementation == "openmxp");
  CHECK(whole.complete);
  CHECK(metric(whole, "rmax_gflops") == 6378754.562);
  CHECK(metric(whole, "rmax_gflops_per_gpu") == Approx(199336));
  CHECK(metric(whole, "time_s") == 105.621);
  CHECK(metric(whole, "residual") == 0.251289911);
  CHECK(fact(whole, "ranks") == "32");
  CHECK(judge(whole).validity == Validity::valid);

  const ParsedResult shorter = hpl_mxp_only(text.substr(0, text.size() - 1));
  CHECK(shorter.complete);
  CHECK(shorter.metric("rmax_gflops_per_gpu") == nullptr);
  const size_t harness = text.rfind("0.251289911");
  CHECK(hpl_mxp_only(text.substr(0, harness + 11)).complete);
  const ParsedResult cut = hpl_mxp_only(text.substr(0, harness + 10));
  CHECK_FALSE(cut.complete);
  CHECK(cut.metric("residual") == nullptr);
  CHECK(metric(cut, "rmax_gflops") == 6378754.562);
}

TEST_CASE("a number at the end of a cut line is whole only with all digits that its format prints") {
  CHECK(is_whole_number("0.181652325", 9));
  CHECK(is_whole_number("-1.000000000", 9));
  CHECK(is_whole_number("1.702850e-01", 9));
  CHECK(is_whole_number("nan", 9));
  for (const char* cut : {"0.18165232", "0.", "0", "", ".123456789", "1.702850e-0", "1.702850e", "na"})
    CHECK_FALSE(is_whole_number(cut, 9));
}

TEST_CASE("the block that OpenMxP prints for the submission is no second result, and enough alone") {
  const std::string text = hpl_mxp_log("openmxp-submission.out");
  CHECK(hpl_mxp_only(text).metrics == hpl_mxp_only(hpl_mxp_log("openmxp.out")).metrics);
  const ParsedResult alone = hpl_mxp_only(text.substr(text.find("NCCS/OLCF Mixed")));
  CHECK(alone.complete);
  CHECK(alone.implementation == "openmxp");
  CHECK(parameter(alone, "Q") == "8");
  CHECK(metric(alone, "rmax_gflops") == 6378754.6);
  CHECK(judge(alone).validity == Validity::valid);
}

TEST_CASE("AMD's HPL-MxP for Zen says the width of its low precision in bytes") {
  const ParsedResult result = hpl_mxp_only(hpl_mxp_log("amd-zen.out"));
  CHECK(result.implementation == "amd");
  CHECK(parameter(result, "N") == "65536");
  CHECK(parameter(result, "NB") == "1024");
  CHECK(parameter(result, "precision") == "16 bit");
  CHECK(metric(result, "lu_time_s") == 48.077266);
  CHECK(metric(result, "residual") == 1.702850e-01);
  CHECK(judge(result).validity == Validity::valid);
}

TEST_CASE("HPL-AI programs with HPL's own table are recognised by their banner, clock or name") {
  const ParsedResult sysu = hpl_mxp_only(hpl_mxp_log("sysu-hpl-ai.out"));
  CHECK(sysu.implementation == "sysu");
  CHECK(sysu.version == "2.3d");
  CHECK(judge(sysu).validity == Validity::valid);
  const std::string banner = hpl_mxp_log("sysu-hpl-ai.out");
  CHECK(hpl_mxp_only(banner.substr(banner.find("T/V      "))).implementation == "sysu");
  const ParsedResult intel = hpl_mxp_only(hpl_mxp_log("intel-hpl-ai.out"));
  CHECK(intel.implementation == "intel");
  CHECK(metric(intel, "time_s") == 30.17);
  CHECK(judge(intel).validity == Validity::valid);
}

TEST_CASE("HPL's logs are left to HPL's grammar, and HPL-MxP's to this one") {
  for (const std::string& name : fixtures()) {
    if (!name.starts_with("hpl/") && !name.starts_with("hpl_mxp/")) continue;
    INFO(name);
    const std::string suite = name.starts_with("hpl/") ? "hpl" : "hpl-mxp";
    for (const ParsedResult& result : parsed(fixture(name))) CHECK(result.suite == suite);
  }
}

TEST_CASE("HPL and HPL-MxP in one file are two results of two suites") {
  const auto results = parsed(fixture("hpl/grammar/netlib-passed.out") + hpl_mxp_log("rochpl-mxp.out") +
                              hpl_mxp_log("riken-passed.out") + hpl_mxp_log("icl-passed.out"));
  REQUIRE(results.size() == 5);
  const auto count = [&](std::string_view suite) {
    return std::count_if(results.begin(), results.end(),
                         [&](const ParsedResult& result) { return result.suite == suite; });
  };
  CHECK(count("hpl") == 1);
  CHECK(count("hpl-mxp") == 4);
}

TEST_CASE("a run that died beside one that ended is reported as a warning") {
  const auto results = parsed(hpl_mxp_log("nvidia-killed.out") + hpl_mxp_log("nvidia-25.04-fp8.out"));
  REQUIRE(results.size() == 1);
  CHECK(results.front().version == "25.4.0");
  CHECK(has_line_on(results.front().warnings, "the run that starts at line 2 left no result: line 37"));
}

TEST_CASE("warnings, Latin-1 and other ranks' words between the lines change no value") {
  const auto noisy = [](const std::string& text) {
    std::string out;
    size_t number = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      out += text.substr(at, end == std::string::npos ? end : end + 1 - at);
      if (++number % 3 == 0)
        out += "[node1:04711] Warnung: Ger\xe4t mlx5_0 fehlt = 1.0e+99 GFLOPS\n!!!! WARNING: Rank: 2\n";
      if (end == std::string::npos) break;
      at = end + 1;
    }
    return out;
  };
  for (const char* name :
       {"nvidia-26.02-two-loops.out", "nvidia-24.03-block.out", "hpl-ai-21.4.out", "rochpl-mxp.out",
        "icl-passed.out", "riken-passed.out", "openmxp-submission.out"}) {
    INFO(name);
    const auto plain = parsed(hpl_mxp_log(name));
    const auto results = parsed(noisy(hpl_mxp_log(name)));
    REQUIRE(results.size() == plain.size());
    for (size_t i = 0; i < plain.size(); ++i) {
      CHECK(results[i].complete == plain[i].complete);
      CHECK(results[i].parameters == plain[i].parameters);
      REQUIRE(results[i].metrics.size() == plain[i].metrics.size());
      for (size_t k = 0; k < plain[i].metrics.size(); ++k)
        CHECK(results[i].metrics[k].value == plain[i].metrics[k].value);
    }
  }
}

TEST_CASE("lines that a script repeats below a run are no results") {
  const auto with_copies = [](const char* name, std::initializer_list<const char*> labels) {
    std::string text = hpl_mxp_log(name);
    if (text.back() != '\n') text += '\n';
    std::string copies;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end + 1 - at);
      if (std::any_of(labels.begin(), labels.end(),
                      [&](const char* label) { return line.find(label) != std::string::npos; }))
        copies += line;
      at = end + 1;
    }
    REQUIRE_FALSE(copies.empty());
    return text + "Summary\n" + copies;
  };
  CHECK(parsed(with_copies("nvidia-26.02-two-loops.out", {"PASSED", "NPROW = ", "GFLOPS = "})).size() == 2);
  CHECK(parsed(with_copies("hpl-ai-21.4.out", {"HPL_AI ", "PASSED"})).size() == 1);
  CHECK(parsed(with_copies("rochpl-mxp.out", {"WC1 ", "PASSED"})).size() == 2);
  CHECK(parsed(with_copies("riken-passed.out", {"GFlop/s"})).size() == 1);
  CHECK(parsed(with_copies("openmxp-submission.out", {"GFlop/s", "HARNESS"})).size() == 1);
}

TEST_CASE("a text that only speaks of HPL-MxP is no log") {
  for (const char* text :
       {"# ****** HPL MxP Result    ******\n#    N = 120000, NB = 4096, NPROW = 4, SLOPPY-TYPE = 1\n",
        "srun ./hpl-mxp.sh --n 380000 --sloppy-type 2\nHPL-MxP-NVIDIA is in the container\n",
        "valid iff hpl-harness = is below 16; # iterative refinement: step= lines come before\n",
        "mpirun hpl.sh --xhpl-ai --dat HPL.dat\nHPL_AI \nGflops_IRS is the last column\n",
        "echo xhpl-ai_intel64_dynamic\n"})
    CHECK_FALSE(parsed_log(text).has_value());
}

TEST_CASE("what a reader of HPL-MxP keeps does not grow with the log") {
  std::string text = hpl_mxp_log("rochpl-mxp.out");
  const size_t at = text.find("====\nT/V      ");
  const size_t second = text.find("====\nT/V      ", at + 1);
  const std::string row = text.substr(at, second - at);
  std::string rows;
  for (int i = 0; i < 2500; ++i) rows += row;
  text.insert(at, rows);
  size_t results = 0;
  TextSource source = TextSource::of(text);
  const auto read = parse_log(source, "hpl-mxp", [&](ParsedResult&& result) {
    ++results;
    REQUIRE(result.complete);
  });
  REQUIRE(read.has_value());
  CHECK(results == 2502);
}
