#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

/// A value of a genuine log raised or lowered, and the rule that detects it.
struct HpcgForgeryForgery {
  const char* fixture;
  const char* genuine;
  const char* forged;
  const char* rule;
};

constexpr HpcgForgeryForgery hpcg_forgery_forgeries[] = {
    {"official-valid.txt", "GFLOP/s rating of=5.45273", "GFLOP/s rating of=5.95273", "HPCG-06c"},
    {"official-valid.txt", "5.45273", "5.95273", "HPCG-06b"},
    {"official-valid.txt", "Summary::Raw Total=5.48145", "Summary::Raw Total=6.48145", "HPCG-06d"},
    {"official-valid.txt", "GFLOP/s Summary::Total with convergence overhead=5.48145",
     "GFLOP/s Summary::Total with convergence overhead=5.98145", "HPCG-06a"},
    {"official-valid.txt", "Benchmark Time Summary::Total=1832.42", "Benchmark Time Summary::Total=1682.42",
     "HPCG-06d"},
    {"official-too-short.txt", "9.49299", "1809.49", "HPCG-02b"},
    {"official-valid.txt", "Optimized CG iterations per set=50", "Optimized CG iterations per set=51",
     "HPCG-06g"},
    {"official-valid.txt", "optimized iterations=1500", "optimized iterations=1550", "HPCG-06g"},
    {"nested-3.0.out", "Setup Time: 2.0172", "Setup Time: 0.0172", "HPCG-06b"},
    {"nested-3.0.out", "Optimization phase: 0.3312", "Optimization phase: 0.0012", "HPCG-06b"},
    {"nested-3.0.out", "Global nx: 384", "Global nx: 768", "HPCG-04b"},
    {"nested-3.0.out", "Number of Nonzero Terms: 378897400", "Number of Nonzero Terms: 378897300",
     "HPCG-05b"},
    {"nvidia-console.out", "Raw MG=", "Raw MG=9", "HPCG-06d"},
    {"nvidia-console.out", "Memory Use Information::Total memory used for data (Gbytes)=95.9245",
     "Memory Use Information::Total memory used for data (Gbytes)=295.924", "HPCG-05d"},
    {"arm-flat.txt", "HPCG 2.4 rating for historical reasons is=6.",
     "HPCG 2.4 rating for historical reasons is=7.", "HPCG-06h"},
    {"official-invalid.txt", "HPCG result is=INVALID.",
     "HPCG result is VALID with a GFLOP/s rating of=0.0821896", "HPCG-01"},
    // GB/s that fit each other and nothing else
    {"official-valid.txt", "Raw Read B/W=33.7684", "Raw Read B/W=43.7684", "HPCG-06l"},
    {"official-valid.txt", "Raw Write B/W=7.80374", "Raw Write B/W=9.80374", "HPCG-06l"},
    // times in MPI_Allreduce that are no set's
    {"official-valid.txt", "Max DDOT MPI_Allreduce time=19.7341", "Max DDOT MPI_Allreduce time=9.7341",
     "HPCG-06m"},
    {"official-valid.txt", "Min DDOT MPI_Allreduce time=8.34122", "Min DDOT MPI_Allreduce time=18.3412",
     "HPCG-06m"},
    {"official-valid.txt", "Min DDOT MPI_Allreduce time=8.34122", "Min DDOT MPI_Allreduce time=-8.34122",
     "HPCG-06m"},
    // kernels that took longer than all, with a rate that fits; a time below 0
    {"official-valid.txt", "Benchmark Time Summary::MG=1392.64", "Benchmark Time Summary::MG=1492.64",
     "HPCG-06n"},
    {"official-valid.txt", "Setup Time=3.21744", "Setup Time=-3.21744", "HPCG-06n"},
    {"official-valid.txt", "Optimization phase=0.000216", "Optimization phase=-0.000216", "HPCG-06n"},
    {"official-valid.txt", "GFLOP/s Summary::Raw WAXPBY=2.96622", "GFLOP/s Summary::Raw WAXPBY=-2.96622",
     "HPCG-06n"},
    {"rochpcg.out", "Final  =   162.3", "Final  =   172.3", "HPCG-06j"},
    {"rochpcg.out", "Total  =   169.1", "Total  =   189.1", "HPCG-06j"},
    {"nvidia-older.out", "total =  810.5", "total =  910.5", "HPCG-06j"},
    {"nvidia-older.out", "Total Time: 6.348818e+01", "Total Time: 6.048818e+01", "HPCG-06k"},
};

}  // namespace

TEST_CASE("a log of HPCG with one altered value is caught by the rule that names it") {
  for (const HpcgForgeryForgery& forgery : hpcg_forgery_forgeries) {
    INFO(forgery.fixture << ": " << forgery.genuine << " -> " << forgery.forged);
    const std::string genuine = fixture(std::string("hpcg/") + forgery.fixture);
    const auto before = judge(parsed(genuine).front());
    if (std::string_view(forgery.rule) != "HPCG-01")
      CHECK(rule(before, forgery.rule).status != RuleStatus::fail);
    const auto results = parsed(replaced(genuine, forgery.genuine, forgery.forged));
    REQUIRE(results.size() == 1);
    const auto after = judge(results.front());
    const auto caught = rule(after, forgery.rule);
    CHECK(caught.status == RuleStatus::fail);
    CHECK(caught.severity == Severity::validity);
    CHECK_FALSE(caught.text.empty());
    CHECK_FALSE(caught.value.empty());
    CHECK(after.validity == Validity::invalid);
  }
}

TEST_CASE("a report with two final summaries that differ is invalid") {
  const std::string genuine = fixture("hpcg/official-valid.txt");
  const std::string invalid = fixture("hpcg/official-invalid.txt");
  for (const std::string& forged :
       {genuine + "Final Summary::HPCG result is VALID with a GFLOP/s rating of=9.45273\n",
        genuine + "Final Summary::HPCG result is=INVALID.\n",
        replaced(genuine, "Final Summary=\n",
                 "Final Summary=\nFinal Summary::HPCG result is VALID with a GFLOP/s rating of=5.45273\n"
                 "Final Summary::HPCG result is=INVALID.\n")}) {
    CHECK(judge(parsed(forged).front()).validity == Validity::invalid);
    for (const ParsedResult& result : parsed(forged)) CHECK(judge(result).validity != Validity::valid);
  }
  for (const ParsedResult& result : parsed(genuine + genuine))
    CHECK(judge(result).validity == Validity::valid);
  CHECK(judge(parsed(genuine + invalid).front()).validity == Validity::valid);
}

TEST_CASE("no fixture that a program wrote breaks an identity, but where the program errs") {
  for (const std::string& name : fixtures()) {
    if (!name.starts_with("hpcg/") || name == "hpcg/official-layers.txt") continue;
    INFO(name);
    for (const ParsedResult& result : parsed(fixture(name)))
      for (const RuleResult& rule : judge(result).rules) {
        if (!rule.id.starts_with("HPCG-04") && !rule.id.starts_with("HPCG-05") &&
            !rule.id.starts_with("HPCG-06"))
          continue;
        INFO(rule.id << " " << rule.value);
        CHECK(rule.status != RuleStatus::fail);
      }
  }
}
