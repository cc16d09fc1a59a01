#include "orchestrator/cli/text/plan_text.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/plan/packing.hpp"

using namespace shakedown;

namespace {

Case of_suite(const char* suite, int nodes, std::vector<Prediction> predicted) {
  Case planned;
  planned.id = suite;
  planned.suite = suite;
  planned.implementation = "official";
  planned.nodes = nodes;
  planned.time_limit_s = 7200;
  planned.predicted = std::move(predicted);
  return planned;
}

std::string text_of(std::vector<Case> cases) {
  Plan plan;
  plan.system = "mine";
  plan.cases = std::move(cases);
  plan.cost = plan_cost(plan, 10, 0);
  return plan_text(plan, Inventory(), false);
}

bool plan_holds(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the node-hours of a plan's rows sum to its cost, which says how it counts what is not predicted") {
  Case again = of_suite("hpl", 10, {{"wall_time_s", 1800, 1500, 2000}});
  again.repetition = 2;
  const std::string text =
      text_of({of_suite("hpl", 10, {{"wall_time_s", 1800, 1500, 2000}}), again,
               of_suite("stream", 4, {{"wall_time_s", 900, 90, 3600}}), of_suite("io500", 10, {})});
  CHECK(plan_holds(text, "  NODE-HOURS  TIME\n"));
  CHECK(plan_holds(text, "        10  30m 00s (25m 00s to 33m 20s)  2 times\n"));
  CHECK(plan_holds(text, "        ~1  ~15m 00s: not predicted, limit 2h 00m\n"));
  CHECK(plan_holds(text, "         -  not predicted, limit 2h 00m\n"));
  CHECK(plan_holds(text, "Cost      4 cases · 11 node-hours · "));
  CHECK(plan_holds(text,
                   "          ~ 1 case not predicted: the cost counts a rough estimate, 1 node-hours (by "
                   "time limit at most 8 node-hours)\n"
                   "          - 1 case that no model predicts: not in the cost (by time limit at most 20 "
                   "node-hours)\n"));
}

TEST_CASE("a plan whose times are all predicted has no word on others, one that has none a limit") {
  const std::string all = text_of({of_suite("hpl", 10, {{"wall_time_s", 1800, 1500, 2000}})});
  CHECK_FALSE(plan_holds(all, "not predicted"));
  CHECK_FALSE(plan_holds(all, "no model"));
  CHECK(
      plan_holds(text_of({of_suite("io500", 10, {})}),
                 "Cost      1 case · no model predicts their time (by time limit at most 20 node-hours)\n"));
}

TEST_CASE("a row's first time is what the cost counts, and its parts sum to it") {
  Case planned = of_suite("hpl-mxp", 96, {{"time_s", 60, 50, 70}, {"wall_time_s", 300, 50, 850}});
  const std::string text = text_of({planned});
  CHECK(plan_holds(
      text, "         8  5m 00s: 1m 00s (50.0 s to 1m 10s) + 4m 00s (at most 13m 00s) of start and end\n"));
  CHECK(plan_holds(text, "NODE-HOURS: nodes x the first time of the row x its runs."));
}

TEST_CASE("the widest row of a benchmark says why it has fewer nodes than there are") {
  std::vector<Case> cases = {of_suite("hpl", 32, {}), of_suite("hpl", 98, {})};
  cases[0].fewer_nodes = "32 of 100 nodes: as a.toml:9 states";
  cases[1].fewer_nodes = "98 of 100 nodes: as a.toml:9 states";
  const std::string text = text_of(cases);
  CHECK(plan_holds(text, "limit 2h 00m  98 of 100 nodes: as a.toml:9 states\n"));
  CHECK_FALSE(plan_holds(text, "32 of 100"));
}

TEST_CASE("what stops a run is remarked first, then what a benchmark's rules say, each once for all suites") {
  std::vector<Case> cases = {of_suite("hpl", 10, {}), of_suite("hpcg", 10, {}), of_suite("hpcg", 10, {}),
                             of_suite("io500", 10, {})};
  cases[2].id = "hpcg-r2";
  cases[2].repetition = 2;
  cases[0].warnings = {"'nvidia' is not tested on hardware: a", "'xhpl' is not in this machine's PATH"};
  cases[0].obstacles = {cases[0].warnings[1]};
  cases[1].warnings = cases[2].warnings = {"'nvidia' is not tested on hardware: b",
                                           "rt = 60 s is too short for the list (HPCG-02)"};
  cases[3].warnings = {"a cut file (of one rank) (half-full)"};
  const std::string text = text_of(cases);
  CHECK(plan_holds(
      text,
      "A run fails or is refused unless this is settled:\n! hpl: 'xhpl' is not in this machine's PATH\n"
      "By the rules of a benchmark:\n! hpcg: rt = 60 s is too short for the list (HPCG-02)\n"
      "Time, prediction and the rest:\n! hpl, hpcg: 'nvidia' is not tested on hardware: a (and one "
      "more like this: --explain shows all)\n! io500: a cut file (of one rank) (half-full)\n"));
}

TEST_CASE("what stops a run is never hidden below a remark that begins alike") {
  std::vector<Case> cases = {of_suite("hpl", 10, {}), of_suite("hpcg", 10, {})};
  cases[0].warnings = {"'xhpl' is not in this machine's PATH", "the file is old"};
  cases[1].warnings = {"'xhpcg' is not in this machine's PATH", "the file is old"};
  cases[1].obstacles = cases[1].warnings;
  const std::string text = text_of(cases);
  CHECK(plan_holds(text,
                   "A run fails or is refused unless this is settled:\n! all cases: the file is old\n"
                   "! hpcg: 'xhpcg' is not in this machine's PATH\n"
                   "Time, prediction and the rest:\n! hpl: 'xhpl' is not in this machine's PATH\n"));
}
