#include <catch2/catch.hpp>

#include "tests/parsers/hpcg_logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

/// HPCG's log of a run with so many CG sets.
ParsedResult log_of(int sets) {
  std::string text = "WARNING: PERFORMING UNPRECONDITIONED ITERATIONS\n";
  for (int i = 0; i < sets; ++i) text += "Call [" + std::to_string(i) + "] Scaled Residual [2.4e-19]\n";
  return only(text);
}

}  // namespace

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
  const auto kept = joined({{"out", console}, {"report.txt", result}});
  REQUIRE(kept.size() == 1);
  CHECK(kept.front().file == "report.txt");
}
