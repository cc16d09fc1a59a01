#include <catch2/catch.hpp>

#include "orchestrator/core/text.hpp"
#include "tests/parsers/hpcg_logs.hpp"

using namespace shakedown;
using namespace logs;

TEST_CASE("HPCG 3.1's report gives its metrics with the lines they stand in") {
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

TEST_CASE("a log as long as it likes leaves the reader as small as it was") {
  std::string text = up_to(fixture("hpcg/nvidia-console.out"), "Call [0] Scaled");
  for (int i = 0; i < 20000; ++i) text += "Call [" + std::to_string(i) + "] Scaled Residual [4.56378e-08]\n";
  const std::string tail = fixture("hpcg/nvidia-console.out");
  text += tail.substr(tail.find("HPCG-Benchmark\n"));
  const auto result = only(text);
  CHECK(result.complete);
  CHECK(metric(result, "rating_gflops") == 436.934);
}
