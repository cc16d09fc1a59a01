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
  CHECK(plan_holds(text, "        ~1  not predicted, limit 2h 00m\n"));
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
