#include <catch2/catch.hpp>

#include "tests/parsers/hpcg_logs.hpp"

using namespace shakedown;
using namespace logs;

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
  const auto newer = only_of("nvidia-25.11.out");
  CHECK(newer.version == "25.11.0");
  CHECK(metric(newer, "rating_gflops") == 354.902);
  CHECK(fact(newer, "gpu") == "NVIDIA H100 80GB HBM3");
  CHECK(validity_of(newer) == "valid");
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

TEST_CASE("vendors' summaries give their metrics and no verdict") {
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
