// A log of HPL with one thing altered that its other lines refute.
#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

constexpr const char* netlib = "netlib-passed.out";

struct HplForgery {
  const char* fixture;
  const char* genuine;
  const char* forged;
  const char* rule;
};

constexpr HplForgery hpl_forgeries[] = {
    // a code that the lists don't announce: order, DEPTH, BCAST, RFACT, NDIV, PFACT, NBMIN
    {netlib, "WR11C2R4", "WC11C2R4", "HPL-05f"},
    {netlib, "WR11C2R4", "WR01C2R4", "HPL-05f"},
    {netlib, "WR11C2R4", "WR13C2R4", "HPL-05f"},
    {netlib, "WR11C2R4", "WR11L2R4", "HPL-05f"},
    {netlib, "WR11C2R4", "WR11C3R4", "HPL-05f"},
    {netlib, "WR11C2R4", "WR11C2L4", "HPL-05f"},
    {netlib, "WR11C2R4", "WR11C2R16", "HPL-05f"},
    {netlib, "PMAP   : Row-major", "PMAP   : Column-major", "HPL-05f"},
    {netlib, "BCAST  :  1ringM", "BCAST  :  BlongM", "HPL-05f"},
    {netlib, "NBMIN  :       4", "NBMIN  :       2", "HPL-05f"},
    {netlib, "DEPTH  :       1", "DEPTH  :      -1", "HPL-05f"},
    // a threshold with which HPL checks nothing
    {netlib, "less than                16.0", "less than               -16.0", "HPL-03"},
    {"onemkl.out", "WC11C2R4", "WC01C2R4", "HPL-05f"},
    {"nvidia-1.0.0-coloured.out", "WR02L2L2", "WC02L2L2", "HPL-05f"},
    // stamps that no clock shows
    {netlib, "end time   Sat Nov 21", "end time   Sat Nov 45", "HPL-04k"},
    {netlib, "end time   Sat Nov 21", "end time   Sat Nov 31", "HPL-04k"},
    {netlib, "end time   Sat Nov 21", "end time   Sat Nov -21", "HPL-04k"},
    {netlib, "end time   Sat Nov 21", "end time   Sun Nov 21", "HPL-04k"},
    {netlib, "start time Sat Nov 21 18:36:08", "start time Sat Nov 21 18:61:08", "HPL-04k"},
    {netlib, "start time Sat Nov 21 18:36:08", "start time Sat Nov 21 24:36:08", "HPL-04k"},
    // an end before the start, also by less than an hour
    {netlib, "end time   Sat Nov 21 18:36:09", "end time   Sat Nov 21 18:35:09", "HPL-04k"},
    // two ends of one row
    {netlib, "HPL_pdgesv() end time",
     "HPL_pdgesv() end time   Sat Nov 21 18:46:09 2026\n\nHPL_pdgesv() end time", "HPL-04k"},
};

}  // namespace

TEST_CASE("a log of HPL with one altered line is caught by the rule that is named") {
  for (const HplForgery& forgery : hpl_forgeries) {
    INFO(forgery.genuine << " -> " << forgery.forged);
    const std::string genuine = fixture(std::string("hpl/grammar/") + forgery.fixture);
    CHECK(rule(judge(parsed(genuine).front()), forgery.rule).status == RuleStatus::pass);
    const auto results = parsed(replaced(genuine, forgery.genuine, forgery.forged));
    REQUIRE(results.size() == 1);
    const Judged judged = judge(results.front());
    CHECK(rule(judged, forgery.rule).status == RuleStatus::fail);
    CHECK(judged.validity == Validity::invalid);
  }
}

TEST_CASE("codes and names that HPL does not have are not held against a row") {
  const std::string genuine = fixture(std::string("hpl/grammar/") + netlib);
  const std::string coloured = fixture("hpl/grammar/nvidia-1.0.0-coloured.out");  // DEPTH 0, 1 was announced
  CHECK(rule(judge(parsed(coloured).front()), "HPL-05f").status == RuleStatus::pass);
  const std::string unlisted = replaced(genuine, "BCAST  :  1ringM", "BCAST  :  HybBcast");
  CHECK(rule(judge(parsed(unlisted).front()), "HPL-05f").status == RuleStatus::pass);
  for (const char* code : {"WR1XR8C48", "WR16C2R4", "WR101C2R4", "WC11C2R4o"}) {
    INFO(code);
    CHECK(rule(judge(parsed(replaced(genuine, "WR11C2R4", code)).front()), "HPL-05f").status ==
          RuleStatus::pass);
  }
}

TEST_CASE("an hour that is missing between the stamps may be the end of daylight saving") {
  const std::string genuine = fixture("hpl/grammar/onemkl.out");  // 88.17 s
  const ParsedResult result = parsed(genuine).front();
  const auto with = [&](const char* start, const char* end) {
    return parsed(replaced(replaced(genuine, fact(result, "started"), start), fact(result, "ended"), end))
        .front();
  };
  const ParsedResult autumn = with("Sun Oct 25 02:59:00 2026", "Sun Oct 25 02:00:28 2026");
  CHECK(rule(judge(autumn), "HPL-04k").status == RuleStatus::unknown);
  const ParsedResult other = with("Sun Oct 25 02:59:00 2026", "Sun Oct 25 02:10:28 2026");
  CHECK(rule(judge(other), "HPL-04k").status == RuleStatus::fail);
}

TEST_CASE(
    "another row between two ends of the tests leaves open whose they are, a copy of the end does not") {
  const std::string genuine = fixture(std::string("hpl/grammar/") + netlib);
  REQUIRE(judge(parsed(genuine).front()).validity == Validity::valid);
  const std::string end = genuine.substr(genuine.find("End of Tests."));
  const std::size_t row = genuine.find("WR11C2R4");
  const std::string tests = genuine.substr(row);  // without a header, as "tail" may show it
  for (const std::string& copied : {genuine + end, genuine + tests}) {
    const auto results = parsed(copied);
    REQUIRE(results.size() == 1);
    CHECK(judge(results.front()).validity == Validity::valid);
  }
  const auto results = parsed(genuine + replaced(tests, "3.00378377e-03", "3.00378377e+03"));
  REQUIRE(results.size() == 1);
  CHECK(rule(judge(results.front()), "HPL-03").status == RuleStatus::unknown);
  CHECK(judge(results.front()).validity == Validity::unknown);
}
