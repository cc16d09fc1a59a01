#include <catch2/catch.hpp>

#include "orchestrator/core/text.hpp"
#include "tests/parsers/hpcg_logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

/// The text without its line number `i`, from 0.
std::string without_line(const std::string& text, size_t i) {
  const auto lines = split(text, '\n');
  std::string kept;
  for (size_t k = 0; k + 1 < lines.size(); ++k)
    if (k != i) kept += std::string(lines[k]) + "\n";
  return kept;
}

}  // namespace

TEST_CASE("another rating behind a report is not the report's, and makes both worthless") {
  const auto results = parsed(fixture("hpcg/official-valid.txt") +
                              "Final Summary::HPCG result is VALID with a GFLOP/s rating of=999.5\n");
  REQUIRE(results.size() == 2);
  CHECK(metric(results[0], "rating_gflops") == 5.45273);
  CHECK(validity_of(results[0]) == "invalid");
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
      // Headings, and what some builds omit or no rule needs.
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

TEST_CASE("a report whose values are no numbers is not complete") {
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

TEST_CASE("a value that is no number is no metric") {
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

TEST_CASE("a run without metrics says why, with the line") {
  CHECK(only_of("time-limit.out").reason ==
        "line 3: the time limit ended the job: 'slurmstepd: error: *** JOB 5509072 ON nia0158 CANCELLED AT "
        "2026-06-18T23:34:20 DUE TO TIME LIMIT ***'");
  CHECK(only_of("nvidia-refused.out").reason ==
        "line 5: HPCG stopped: 'Error: Total Number of ranks != npx*npy*npz. Exiting ...'");
  CHECK(only_of("shape-refused-log.txt")
            .reason.find("line 1: HPCG refused the shape: 'The local problem sizes") == 0);
  CHECK(only_of("assertion.out").reason.find("line 1: HPCG stopped: 'xhpcg: GenerateGeometry.cpp:81") == 0);
  CHECK(only_of("iterations-log.txt").reason ==
        "line 1: this is HPCG's log of its iterations; the results are in the report, HPCG-Benchmark_*.txt");
  const auto killed = only(up_to(fixture("hpcg/nvidia-console.out"), "Call [0] Scaled") +
                           "srun: error: n1: task 3: Out Of Memory\n");
  CHECK(killed.reason == "line 22: out of memory: 'srun: error: n1: task 3: Out Of Memory'");
}

TEST_CASE("a run that died is reported beside the result of the next") {
  const auto result = only(fixture("hpcg/nvidia-refused.out") + fixture("hpcg/nvidia-console.out"));
  CHECK(result.complete);
  REQUIRE(result.warnings.size() == 1);
  CHECK(
      result.warnings.front() ==
      "the run that starts at line 1 left no result: line 5: HPCG stopped: 'Error: Total Number of ranks != "
      "npx*npy*npz. Exiting ...'");
}
