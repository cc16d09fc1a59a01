#include <catch2/catch.hpp>

#include "orchestrator/core/text.hpp"
#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

ParsedResult only(std::string_view text) {
  const auto results = parsed(text);
  REQUIRE(results.size() == 1);
  return results.front();
}

ParsedResult only_of(const std::string& name) {
  return only(fixture("hpcg/" + name));
}

std::string validity_of(const ParsedResult& result) {
  return std::string(to_string(judge(result).validity));
}

std::string shape(const ParsedResult& result) {
  std::string text;
  for (const char* name : {"procs", "gnx", "gny", "gnz", "npx", "npy", "npz", "nx", "ny", "nz"})
    text += (text.empty() ? "" : " ") + parameter(result, name);
  return text;
}

/// The text without its line number `i`, from 0.
std::string without_line(const std::string& text, size_t i) {
  const auto lines = split(text, '\n');
  std::string kept;
  for (size_t k = 0; k + 1 < lines.size(); ++k)
    if (k != i) kept += std::string(lines[k]) + "\n";
  return kept;
}

std::vector<FileResult> joined(const std::vector<FileResult>& files) {
  const auto parser =
      std::find_if(parsers().begin(), parsers().end(), [](const Parser* p) { return p->id == "hpcg"; });
  REQUIRE(parser != parsers().end());
  REQUIRE((*parser)->joined != nullptr);
  return (*parser)->joined(files);
}

/// HPCG's log of a run with so many CG sets.
ParsedResult log_of(int sets) {
  std::string text = "WARNING: PERFORMING UNPRECONDITIONED ITERATIONS\n";
  for (int i = 0; i < sets; ++i) text += "Call [" + std::to_string(i) + "] Scaled Residual [2.4e-19]\n";
  return only(text);
}

/// The text up to and with the line that begins with `start`.
std::string up_to(const std::string& text, std::string_view start) {
  const size_t at = text.find(start);
  REQUIRE(at != std::string::npos);
  return text.substr(0, text.find('\n', at) + 1);
}

}  // namespace

TEST_CASE("HPCG 3.1's report gives its figures with the lines they stand in") {
  const auto result = only_of("official-valid.txt");
  CHECK(result.suite == "hpcg");
  CHECK(result.implementation == "official");
  CHECK(result.version == "3.1");
  CHECK(result.complete);
  CHECK(result.reason.empty());
  CHECK(shape(result) == "16 416 208 208 4 2 2 104 104 104");
  CHECK(parameter(result, "threads") == "1");
  CHECK(metric(result, "rating_gflops") == 5.45273);
  CHECK(result.metric("rating_gflops")->line == 119);
  CHECK(metric(result, "raw_gflops") == 5.48145);
  CHECK(metric(result, "convergence_gflops") == 5.48145);
  CHECK(metric(result, "total_time_s") == 1832.42);
  CHECK(metric(result, "memory_total_gb") == 12.8633);
  CHECK(metric(result, "memory_system_gb") == 11.321);
  CHECK(metric(result, "unknowns") == 17997824);
  CHECK(metric(result, "nonzeros") == 482057464);
  CHECK(metric(result, "bandwidth_gb_s") == 41.5722);
  CHECK(fact(result, "verdict") == "VALID");
  CHECK(fact(result, "symmetry_test") == "PASSED");
  CHECK(fact(result, "operations_convergence") == "1.00443e+13");
  CHECK(fact(result, "coarse_nonzeros_3") == "889504");
  CHECK(fact(result, "reference_kernels") == "ComputeDotProduct, ComputeSPMV, ComputeMG, ComputeWAXPBY");
  CHECK(validity_of(result) == "valid");
}

TEST_CASE("the flop count with convergence overhead is never taken for the rate of the same name") {
  const auto result = only_of("official-too-short.txt");
  CHECK(metric(result, "convergence_gflops") == 0.0680185);
  CHECK(fact(result, "operations_convergence") != fact(result, "rate_convergence"));
}

TEST_CASE("a run that is too short for the list, and a QuickPath run, are valid all the same") {
  for (const char* name : {"official-too-short.txt", "official-quick-path.txt"}) {
    const auto result = only_of(name);
    CHECK(result.complete);
    CHECK(validity_of(result) == "valid");
    CHECK(rule(judge(result), "HPCG-02").status == RuleStatus::fail);
    CHECK(rule(judge(result), "HPCG-02").severity == Severity::eligibility);
  }
}

TEST_CASE("an INVALID result is complete, has no rating and is invalid, not missing") {
  const auto result = only_of("official-invalid.txt");
  CHECK(result.complete);
  CHECK(result.metric("rating_gflops") == nullptr);
  CHECK(metric(result, "raw_gflops") == 0.0826628);
  CHECK(fact(result, "symmetry_test") == "FAILED");
  CHECK(validity_of(result) == "invalid");
}

TEST_CASE("the nested reports of HPCG 2.4 and 3.0 are read however they are indented") {
  const auto three = only_of("nested-3.0.out");
  CHECK(three.version == "3.0");
  CHECK(shape(three) == "16 384 192 192 4 2 2 96 96 96");
  CHECK(metric(three, "rating_gflops") == 14.2695);
  CHECK(fact(three, "unpreconditioned_expected") == "12");
  CHECK(fact(three, "coarse_memory_1") == fact(only_of("nested-3.0.out"), "coarse_memory_1"));
  CHECK(validity_of(three) == "valid");
  const auto two = only_of("nested-2.4.out");
  CHECK(two.version == "2.4");
  CHECK(metric(two, "total_time_s") == 3602.12);
  CHECK(metric(two, "rating_gflops") == 1.93317);
  CHECK(validity_of(two) == "valid");
  std::string flush;
  const std::string text = fixture("hpcg/nested-3.0.out");
  for (const std::string_view line : split(text, '\n')) flush += std::string(trimmed(line)) + "\n";
  CHECK(only(flush) == three);
}

TEST_CASE(
    "Intel's line on stdout is a rating without what it rests on, and is the report's where that follows") {
  const auto line = only_of("intel-stdout.out");
  CHECK(line.implementation == "intel");
  CHECK_FALSE(line.complete);
  CHECK(metric(line, "rating_gflops") == 17.4981);
  CHECK(line.reason == "line 2: only the rating is here; what it rests on stands in the report file");
  CHECK(validity_of(line) == "unknown");
  const auto both =
      only("HPCG result is VALID with a GFLOP/s rating of 11.588200\n" + fixture("hpcg/intel.out"));
  CHECK(both.implementation == "intel");
  CHECK(both.version == "3.0");
  CHECK(both.complete);
  CHECK(metric(both, "rating_gflops") == 11.5882);
  CHECK_FALSE(fact(both, "quick_path").empty());
  const auto apart =
      parsed("HPCG result is VALID with a GFLOP/s rating of 99.588200\n" + fixture("hpcg/intel.out"));
  REQUIRE(apart.size() == 2);
  CHECK_FALSE(apart[0].complete);
  CHECK(apart[1].complete);
}

TEST_CASE("HPCG_for_Arm's report is known by its version, in a file and on stdout") {
  for (const char* name : {"arm-flat.txt", "arm-stdout.out"}) {
    INFO(name);
    const auto result = only_of(name);
    CHECK(result.implementation == "arm");
    CHECK(result.version == "3.0");
    CHECK(result.complete);
    CHECK(validity_of(result) == "valid");
  }
  CHECK(shape(only_of("arm-stdout.out")) == "4 128 128 64 2 2 1 64 64 64");
  CHECK(fact(only_of("arm-stdout.out"), "optimized_iterations") == "50");
}

TEST_CASE("a build that fused what must not be fused is invalid and says why") {
  const auto result = only_of("arm-fused.txt");
  CHECK(result.complete);
  CHECK(metric(result, "rating_gflops") == 6.34706);
  CHECK(rule(judge(result), "HPCG-01").text ==
        "HPCG declares the result invalid because SYMGS and SPMV were fused");
  CHECK(validity_of(result) == "invalid");
}

TEST_CASE("NVIDIA's console tells what its report leaves out") {
  const auto result = only_of("nvidia-console.out");
  CHECK(result.implementation == "nvidia");
  CHECK(result.version == "25.4.0");
  CHECK(result.complete);
  CHECK(shape(result) == "8 512 512 512 2 2 2 256 256 256");
  CHECK(metric(result, "rating_gflops") == 436.934);
  CHECK(fact(result, "execution") == "GPU-Only");
  CHECK(fact(result, "gpu") == "NVIDIA H100 80GB HBM3");
  CHECK(validity_of(result) == "valid");
  const auto mode = only_of("nvidia-benchmark-mode.out");
  CHECK(fact(mode, "benchmark_mode") == "on, --bi 3");
  CHECK(fact(mode, "l2_compression") == "on");
  CHECK(validity_of(mode) == "invalid");
}

TEST_CASE("releases of NVIDIA's program without a banner are known by how they start, run by run") {
  const std::string text = fixture("hpcg/nvidia-console.out");
  const std::string run = text.substr(text.find("Build v0.6.2"));
  const auto results = parsed("Build v9.9\n" + run + replaced(run, "Build v0.6.2", "Build v0.5.3"));
  REQUIRE(results.size() == 2);
  CHECK(results[0].implementation == "nvidia");
  CHECK(results[0].version == "0.6.2");
  CHECK(results[1].version == "0.5.3");
  CHECK(results[1].complete);
  CHECK(only("Build v9.9\n" + fixture("hpcg/official-valid.txt")).version == "3.1");
}

TEST_CASE("a report without the local domain's height is of NVIDIA's build") {
  const std::string text = fixture("hpcg/nvidia-console.out");
  const auto result = only(text.substr(text.find("HPCG-Benchmark\n")));
  CHECK(result.implementation == "nvidia");
  CHECK(result.version == "3.1");
  CHECK(parameter(result, "nz").empty());
  CHECK(rule(judge(result), "HPCG-04b").status == RuleStatus::unknown);
  CHECK(rule(judge(result), "HPCG-07").status == RuleStatus::unknown);
  CHECK(validity_of(result) == "valid");
}

TEST_CASE("vendors' summaries give their figures and no verdict") {
  const auto older = only_of("nvidia-older.out");
  CHECK(older.implementation == "nvidia");
  CHECK_FALSE(older.complete);
  CHECK(metric(older, "rating_gflops") == 718.2);
  CHECK(metric(older, "raw_gflops") == 810.5);
  CHECK(metric(older, "total_time_s") == 63.48818);
  CHECK(parameter(older, "nx") == "256");
  CHECK(validity_of(older) == "unknown");
  const auto amd = only_of("rochpcg.out");
  CHECK(amd.implementation == "amd");
  CHECK(amd.version == "0.8.8-62f1830");
  CHECK_FALSE(amd.complete);
  CHECK(shape(amd) == "8 1120 560 280 4 2 1 280 280 280");
  CHECK(metric(amd, "rating_gflops") == 162.3);
  CHECK(metric(amd, "raw_gflops") == 169.1);
  CHECK(metric(amd, "total_time_s") == 1815.3);
  CHECK(validity_of(amd) == "unknown");
  const auto summary = only_of("rochpcg-summary.out");
  CHECK(metric(summary, "rating_gflops") == 162.3);
  CHECK(validity_of(summary) == "unknown");
}

TEST_CASE("rocHPCG's warning makes its summary an invalid result") {
  const auto result = only_of("rochpcg-invalid.out");
  CHECK(result.complete);
  CHECK(validity_of(result) == "invalid");
  // Only the second warning is printed where the reference run was skipped.
  const auto skipped =
      only(replaced(fixture("hpcg/rochpcg-invalid.out"), "*** WARNING *** INVALID RUN\n", "\n"));
  CHECK(validity_of(skipped) == "invalid");
}

TEST_CASE("rocHPCG's console and the report below it are one result, in the report's digits") {
  const auto result = only(fixture("hpcg/rochpcg.out") + fixture("hpcg/rochpcg-report.txt"));
  CHECK(result.implementation == "amd");
  CHECK(result.complete);
  CHECK(metric(result, "rating_gflops") == 162.338);
  CHECK(fact(result, "console_final") == "162.3");
  CHECK(validity_of(result) == "valid");
  const auto apart = parsed(replaced((fixture("hpcg/rochpcg.out") + fixture("hpcg/rochpcg-report.txt")),
                                     "Final  =   162.3", "Final  =   172.3"));
  REQUIRE(apart.size() == 2);
  CHECK(fact(apart[0], "source") == "console");
  CHECK(fact(apart[1], "source") == "report");
}

TEST_CASE("what rocHPCG's console calls invalid is invalid whatever its report says") {
  const std::string console =
      replaced(fixture("hpcg/rochpcg.out"), "DDOT   =", "*** WARNING *** INVALID RUN\n\nDDOT   =");
  const auto result = only(console + fixture("hpcg/rochpcg-report.txt"));
  CHECK(metric(result, "rating_gflops") == 162.338);
  CHECK(validity_of(result) == "invalid");
  CHECK(rule(judge(result), "HPCG-01").status == RuleStatus::fail);
  const auto kept = joined({{"stdout.log", only(console)}, {"HPCG.txt", only_of("rochpcg-report.txt")}});
  REQUIRE(kept.size() == 1);
  CHECK(validity_of(kept.front().result) == "invalid");
  CHECK(kept.front().result.warnings ==
        std::vector<std::string>{"stdout.log, line 32: the program calls the run invalid"});
}

TEST_CASE("several reports in one log are several results") {
  const auto results = parsed(fixture("hpcg/official-valid.txt") + fixture("hpcg/nested-2.4.out") +
                              fixture("hpcg/rochpcg.out") + fixture("hpcg/rochpcg-summary.out") +
                              fixture("hpcg/arm-fused.txt") + fixture("hpcg/nvidia-console.out"));
  REQUIRE(results.size() == 6);
  const std::vector<std::string> implementations = {"official", "official", "amd", "amd", "arm", "nvidia"};
  const std::vector<bool> complete = {true, true, false, false, true, true};
  for (size_t i = 0; i < results.size(); ++i) {
    INFO(i);
    CHECK(results[i].implementation == implementations[i]);
    CHECK(results[i].complete == complete[i]);
    CHECK(results[i].metric("raw_gflops") != nullptr);
  }
}

TEST_CASE(
    "a report in a job's output is found between warnings, and a script's grep behind it makes no other") {
  const auto result = only_of("slurm-with-report.out");
  const auto plain = only_of("official-quick-path.txt");
  CHECK(result.complete);
  CHECK(result.parameters == plain.parameters);
  CHECK(metric(result, "rating_gflops") == metric(plain, "rating_gflops"));
  CHECK(result.metric("rating_gflops")->line == plain.metric("rating_gflops")->line + 3);
}

TEST_CASE("another rating behind a report is not the report's, and proves nothing") {
  const auto results = parsed(fixture("hpcg/official-valid.txt") +
                              "Final Summary::HPCG result is VALID with a GFLOP/s rating of=999.5\n");
  REQUIRE(results.size() == 2);
  CHECK(metric(results[0], "rating_gflops") == 5.45273);
  CHECK(validity_of(results[0]) == "valid");
  CHECK_FALSE(results[1].complete);
  CHECK(validity_of(results[1]) == "unknown");
}

TEST_CASE("a report that is cut is not complete, wherever it is cut") {
  for (const char* name : {"official-valid.txt", "official-quick-path.txt", "official-invalid.txt",
                           "nested-3.0.out", "nested-2.4.out", "nvidia-console.out"}) {
    INFO(name);
    const std::string text = fixture(std::string("hpcg/") + name);
    for (size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1)) {
      const auto results = parsed_log(std::string_view(text).substr(0, at + 1));
      if (!results) continue;
      for (const ParsedResult& result : *results) {
        if (result.complete) FAIL("complete when cut at byte " << at);
        CHECK_FALSE(result.reason.empty());
        CHECK(judge(result).validity != Validity::valid);
      }
    }
  }
}

TEST_CASE("a report without a line that HPCG always prints is not complete and proves nothing") {
  for (const char* name : {"official-valid.txt", "nested-3.0.out", "nested-2.4.out", "intel.out",
                           "arm-flat.txt", "arm-stdout.out", "nvidia-console.out", "rochpcg-report.txt"}) {
    const std::string text = fixture(std::string("hpcg/") + name);
    CHECK(validity_of(only(text)) == "valid");
    const auto lines = split(text, '\n');
    const auto at = [&](std::string_view start) {
      return static_cast<size_t>(std::find_if(lines.begin(), lines.end(),
                                              [&](auto line) { return trimmed(line).starts_with(start); }) -
                                 lines.begin());
    };
    // From the number of processes to the last rate.
    const size_t first = at("Machine Summary") + 1;
    size_t last = first;
    for (size_t i = first; i < lines.size(); ++i)
      if (lines[i].find("convergence and optimization phase overhead") != std::string_view::npos) last = i;
    for (size_t i = first; i <= last; ++i) {
      const std::string line(trimmed(lines[i]));
      const auto has = [&](std::string_view part) { return line.find(part) != std::string::npos; };
      // Headings, and what some builds leave out or no rule needs.
      const bool may_lack = line.ends_with('=') || line.ends_with(':') || line.starts_with('#') ||
                            line.starts_with('*') || has("Dimensions::nz=") || has("Dimensions nz ") ||
                            line.starts_with("nz:") || has("ipz") || has("Grid Level") ||
                            has("smoother Steps") || line.starts_with("_") || line.ends_with("epsilon") ||
                            has("PSM3") || has("ALL_reduce") ||
                            (line.find_first_of("=:0123456789") == std::string::npos && !has("PASSED"));
      if (may_lack) continue;
      INFO(name << ": without line " << i + 1 << ": " << line);
      for (const ParsedResult& result : parsed(without_line(text, i))) {
        CHECK_FALSE(result.complete);
        CHECK_FALSE(result.reason.empty());
        CHECK(validity_of(result) != "valid");
      }
    }
  }
}

TEST_CASE("a report whose figures are none is not complete") {
  const std::string text = fixture("hpcg/official-valid.txt");
  for (const auto& [genuine, forged] : {std::pair{"Raw MG=5.91905", "Raw MG=fast"},
                                        {"Number of Equations=17997824", "Number of Equations=1e9"}}) {
    const auto result = only(replaced(text, genuine, forged));
    CHECK_FALSE(result.complete);
    CHECK(result.reason.find("which HPCG always prints") != std::string::npos);
    CHECK(validity_of(result) == "unknown");
  }
}

TEST_CASE("the last lines of a report are no result") {
  for (const char* text :
       {"GFLOP/s Summary::Raw Total=999999\nFinal Summary::HPCG result is VALID with a GFLOP/s rating "
        "of=999999\n",
        "GFLOP/s Summary: \n  Raw DDOT: 232.766\n  Raw WAXPBY: 108.01\n  Raw SpMV: 98.7324\n  Raw MG: "
        "141.849\n"
        "  Raw Total: 133.382\n  Total with convergence overhead: 133.382\n"
        "  Total with convergence and optimization phase overhead: 125.469\n"
        "__________ Final Summary __________: \n"
        "  HPCG result is VALID with a GFLOP/s rating of: 125.469\n",
        "HPCG-Benchmark\nversion=3.1\nRelease date: March 28, 2019\nBenchmark Time Summary::Total=1801\n"
        "Final Summary::HPCG result is VALID with a GFLOP/s rating of=999999\n"
        "Final Summary::Please upload results from the YAML file contents to=http://hpcg-benchmark.org\n"}) {
    INFO(text);
    const auto result = only(text);
    CHECK(result.metric("rating_gflops") != nullptr);
    CHECK_FALSE(result.complete);
    CHECK(validity_of(result) == "unknown");
  }
  const auto results = parsed(fixture("hpcg/official-valid.txt") +
                              "GFLOP/s Summary::Raw Total=1000\n"
                              "Final Summary::HPCG result is VALID with a GFLOP/s rating of=979.312\n");
  REQUIRE(results.size() == 2);
  CHECK(validity_of(results[0]) == "valid");
  CHECK(validity_of(results[1]) == "unknown");
}

TEST_CASE("what a cut report lacks is said") {
  const std::string text = fixture("hpcg/official-valid.txt");
  CHECK(only(up_to(text, "Benchmark Time Summary::MG")).reason ==
        "the report ends at line 89 before 'HPCG result is ...'");
  CHECK(only(up_to(text, "Final Summary::HPCG result")).reason ==
        "the report ends at line 119 before its last line: it is cut");
  const auto without_beginning = only(text.substr(text.find("Final Summary=")));
  CHECK(without_beginning.reason ==
        "line 2: only the end of HPCG's report is here; what the rating rests on is missing");
  CHECK(metric(without_beginning, "rating_gflops") == 5.45273);
  CHECK(validity_of(without_beginning) == "unknown");
}

TEST_CASE("a figure that is none is no metric") {
  const std::string text = fixture("hpcg/official-valid.txt");
  for (const char* printed : {"nan", "inf", "-nan", "5.45x73", ""}) {
    INFO(printed);
    const auto result = only(replaced(text, "rating of=5.45273", "rating of=" + std::string(printed)));
    CHECK(result.metric("rating_gflops") == nullptr);
    CHECK_FALSE(result.complete);
    CHECK_FALSE(result.reason.empty());
    CHECK(validity_of(result) != "valid");
  }
}

TEST_CASE("a run without figures says why, with the line") {
  CHECK(only_of("time-limit.out").reason ==
        "line 3: the time limit ended the job: 'slurmstepd: error: *** JOB 5509072 ON nia0158 CANCELLED AT "
        "2026-06-18T23:34:20 DUE TO TIME LIMIT ***'");
  CHECK(only_of("nvidia-refused.out").reason ==
        "line 5: HPCG stopped: 'Error: Total Number of ranks != npx*npy*npz. Exiting ...'");
  CHECK(only_of("shape-refused-log.txt")
            .reason.find("line 1: HPCG refused the shape: 'The local problem sizes") == 0);
  CHECK(only_of("assertion.out").reason.find("line 1: HPCG stopped: 'xhpcg: GenerateGeometry.cpp:81") == 0);
  CHECK(
      only_of("iterations-log.txt").reason ==
      "line 1: this is HPCG's log of its iterations; the figures stand in the report, HPCG-Benchmark_*.txt");
  const auto killed = only(up_to(fixture("hpcg/nvidia-console.out"), "Call [0] Scaled") +
                           "srun: error: n1: task 3: Out Of Memory\n");
  CHECK(killed.reason == "line 22: out of memory: 'srun: error: n1: task 3: Out Of Memory'");
}

TEST_CASE("a run that died is told beside the result of the next") {
  const auto result = only(fixture("hpcg/nvidia-refused.out") + fixture("hpcg/nvidia-console.out"));
  CHECK(result.complete);
  REQUIRE(result.warnings.size() == 1);
  CHECK(
      result.warnings.front() ==
      "the run that starts at line 1 left no result: line 5: HPCG stopped: 'Error: Total Number of ranks != "
      "npx*npy*npz. Exiting ...'");
}

TEST_CASE("texts that speak of HPCG are no logs of it") {
  for (const std::string text :
       {"Run xhpcg with mpirun -np 4 ./xhpcg, then look into HPCG's report.\n",
        "The output shows validity by the line\n\n   HPCG result is VALID with a GFLOP/s rating of: "
        "[GFLOP/s]\n",
        "########## Performance Summary (times in sec) ##########:\nBenchmark Time Summary:\n  Total: "
        "2116.07\n",
        "grep said HPCG result is VALID with a GFLOP/s rating of 12.5\n",
        "run1_HPCG-Benchmark_3.1.txt:Final Summary::HPCG result is VALID with a GFLOP/s rating of=23.1\n",
        "version=3.1\nname=other\n", "Final Summary of the job: it took 3 h\n"}) {
    INFO(text);
    CHECK_FALSE(parsed_log(text, "hpcg").has_value());
  }
}

TEST_CASE("HPL's log gives no result of HPCG, and HPCG's none of HPL") {
  CHECK_FALSE(parsed_log(fixture("hpl/grammar/netlib-passed.out"), "hpcg").has_value());
  CHECK_FALSE(parsed_log(fixture("hpcg/official-valid.txt"), "hpl").has_value());
  const auto both = parsed(fixture("hpl/grammar/netlib-passed.out") + fixture("hpcg/official-valid.txt"));
  REQUIRE(both.size() == 2);
}

TEST_CASE("of a folder's files the report stands for the log and the console of the same run") {
  const ParsedResult report = only_of("rochpcg-report.txt");
  const std::vector<FileResult> files = {
      {"hpcg.txt", log_of(90)}, {"stdout.log", only_of("rochpcg.out")}, {"HPCG-Benchmark.txt", report}};
  const auto kept = joined(files);
  REQUIRE(kept.size() == 1);
  CHECK(kept.front().file == "HPCG-Benchmark.txt");
  CHECK(kept.front().others == std::vector<std::string>{"hpcg.txt", "stdout.log"});
  CHECK(validity_of(kept.front().result) == "valid");
  CHECK(joined({files[0], files[1]}).size() == 2);
  const auto others = joined({files[1], {"other.txt", only_of("official-valid.txt")}});
  CHECK(others.size() == 2);
}

TEST_CASE("a log of another run, or of one that was ended, stays beside a report") {
  const FileResult report = {"HPCG-Benchmark.txt", only_of("rochpcg-report.txt")};
  CHECK(joined({{"hpcg.txt", log_of(89)}, report}).size() == 2);
  CHECK(joined({{"hpcg.txt", log_of(0)}, report}).size() == 2);
  std::string text = "WARNING: PERFORMING UNPRECONDITIONED ITERATIONS\n";
  for (int i = 0; i < 90; ++i) text += "Call [" + std::to_string(i) + "] Scaled Residual [2.4e-19]\n";
  const auto ended = only(
      text + "slurmstepd: error: *** JOB 1 ON n1 CANCELLED AT 2026-06-18T23:34:20 DUE TO TIME LIMIT ***\n");
  const auto kept = joined({{"hpcg.txt", ended}, report});
  REQUIRE(kept.size() == 2);
  CHECK(kept.front().result.reason.find("the time limit ended the job") != std::string::npos);
}

TEST_CASE("a console in NVIDIA's benchmark mode spoils the report beside it") {
  const auto console = only(
      "Start of application (GPU-Only) ...\n| Benchmark Mode !!!! reference CG is skipped\n"
      "SpMV  =    6.2 GF (  40.0 GB/s Effective)     0.4 GF_per (   2.5 GB/s Effective)\n"
      "Total =    5.5 GF (  41.6 GB/s Effective)     0.3 GF_per (   2.6 GB/s Effective)\n"
      "Final =    5.5 GF (  41.4 GB/s Effective)     0.3 GF_per (   2.6 GB/s Effective)\n");
  const auto kept = joined({{"console.out", console}, {"HPCG-Benchmark.txt", only_of("official-valid.txt")}});
  REQUIRE(kept.size() == 1);
  CHECK(rule(judge(kept.front().result), "HPCG-07").status == RuleStatus::fail);
  CHECK(validity_of(kept.front().result) == "invalid");
}

TEST_CASE("our own report goes by our own name, and stands for the stdout that names it") {
  const auto result = only_of("reference.txt");
  CHECK(result.implementation == "reference");
  CHECK(result.version == "0.1.0");
  CHECK(result.complete);
  CHECK(shape(result) == "2 32 16 16 2 1 1 16 16 16");
  CHECK(validity_of(result) == "valid");
  const auto console = only_of("reference.out");
  CHECK(console.implementation == "reference");
  CHECK_FALSE(console.complete);
  const auto parser =
      std::find_if(parsers().begin(), parsers().end(), [](const Parser* p) { return p->id == "hpcg"; });
  REQUIRE(parser != parsers().end());
  const auto kept = (*parser)->joined(std::vector<FileResult>{{"out", console}, {"report.txt", result}});
  REQUIRE(kept.size() == 1);
  CHECK(kept.front().file == "report.txt");
}

TEST_CASE("a log as long as it likes leaves the reader as small as it was") {
  std::string text = up_to(fixture("hpcg/nvidia-console.out"), "Call [0] Scaled");
  for (int i = 0; i < 20000; ++i) text += "Call [" + std::to_string(i) + "] Scaled Residual [4.56378e-08]\n";
  const std::string tail = fixture("hpcg/nvidia-console.out");
  text += tail.substr(tail.find("HPCG-Benchmark\n"));
  const auto result = only(text);
  CHECK(result.complete);
  CHECK(metric(result, "rating_gflops") == 436.934);
}
