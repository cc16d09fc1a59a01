// What criteria are judged on, before the campaign: what none judges, and what reads differently from what it
// does.
#include "reports/judge/criteria_reach.hpp"

#include <catch2/catch.hpp>

#include "reports/judge/joint_chance.hpp"

using namespace shakedown;

namespace {

Case planned_run(const std::string& suite, int nodes, double rmax = 0, double wall_s = 3600) {
  Case planned;
  planned.id = fmt::format("{}-{}n", suite, nodes);
  planned.suite = suite;
  planned.implementation = "nvidia";
  planned.nodes = nodes;
  planned.predicted = {{"wall_time_s", wall_s, wall_s, wall_s}};
  if (rmax > 0) planned.predicted.push_back({"rmax_gflops", rmax, 0.9 * rmax, 1.1 * rmax});
  return planned;
}

Case on_a_node(Case planned, int stage) {
  planned.bound = true;
  planned.stage = stage;
  return planned;
}

/// Each node alone, 2 and 4 together, HPCG on 4, and the denominator of HPL's efficiency.
std::vector<Case> campaign() {
  std::vector<Case> cases = {on_a_node(planned_run("hpl", 1, 4e5), 1),
                             on_a_node(planned_run("hpl", 1, 4e5), 1),
                             planned_run("hpl", 2, 8e5),
                             planned_run("hpl", 4, 1.6e6),
                             planned_run("hpcg", 4),
                             planned_run("gemm", 4)};
  cases[2].stage = cases[3].stage = 2;
  return cases;
}

Criterion criterion_on(const std::string& metric, std::optional<double> limit = std::nullopt) {
  Criterion criterion;
  criterion.id = "a";
  criterion.suite = "hpl";
  criterion.metric = metric;
  criterion.limit = limit;
  criterion.aggregation.kind = metric == "validity" ? Aggregation::Kind::none : Aggregation::Kind::every;
  return criterion;
}

std::vector<int> nodes_of(const Criterion& criterion, const std::vector<Case>& cases) {
  std::vector<int> nodes;
  for (const Case* each : judged_cases(criterion, cases)) nodes.push_back(each->nodes);
  return nodes;
}

}  // namespace

TEST_CASE(
    "a criterion is judged on the cases of its suite, size and kind; `nodes_required` leaves single nodes "
    "in") {
  const std::vector<Case> cases = campaign();
  Criterion criterion = criterion_on("rmax_gflops", 1);
  CHECK(nodes_of(criterion, cases) == std::vector<int>{1, 1, 2, 4});
  criterion.nodes_required = 4;
  CHECK(nodes_of(criterion, cases) == std::vector<int>{1, 1, 4});
  criterion.each_node = false;
  CHECK(nodes_of(criterion, cases) == std::vector<int>{4});
  criterion.nodes_required = 8;  // the widest make it undecided
  CHECK(nodes_of(criterion, cases) == std::vector<int>{4});
  criterion.each_node = true;
  CHECK(nodes_of(criterion, cases) == std::vector<int>{1, 1});
  criterion = criterion_on("rmax_gflops", 1);
  criterion.nodes = 2;
  CHECK(nodes_of(criterion, cases) == std::vector<int>{2});
  criterion.benchmark = "gpt3";
  CHECK(nodes_of(criterion, cases).empty());
}

TEST_CASE(
    "planned work that no criterion judges is named with its node-hours; a denominator is judged with its "
    "ratio") {
  const std::vector<Case> cases = campaign();
  Criterion wide = criterion_on("efficiency_gemm", 0.8);
  wide.each_node = false;
  wide.nodes = 4;
  const auto unjudged = unjudged_work(std::vector{wide}, cases);
  REQUIRE(unjudged.size() == 3);
  CHECK(unjudged[0].what == "HPL (nvidia) on each node, stage 1");
  CHECK(unjudged[0].cases == 2);
  CHECK(unjudged[0].node_hours == Approx(2));
  CHECK(unjudged[1].what == "HPL (nvidia) on 2 nodes, stage 2");
  CHECK(unjudged[2].what == "HPCG (nvidia) on 4 nodes");
  CHECK(unjudged[2].node_hours == Approx(4));
  CHECK(unjudged_work(std::vector{criterion_on("validity")}, cases).size() == 2);  // HPCG and GEMM
  CHECK(unjudged_work(std::vector<Criterion>(), cases).size() == 4);
}

TEST_CASE("criteria that catch more than they seem are named") {
  const std::vector<Case> cases = campaign();
  Criterion criterion = criterion_on("rmax_gflops", 1.5e6);
  criterion.nodes_required = 4;
  const auto doubts = criteria_doubts(std::vector{criterion}, cases);
  REQUIRE_FALSE(doubts.empty());
  CHECK(doubts[0] ==
        "a asks for 4 nodes, and single nodes meet that together: it is judged on 2 runs of single nodes as "
        "well as on "
        "4 nodes; each_node = false leaves the former out, each_node = true the latter");
  criterion.each_node = false;
  CHECK(criteria_doubts(std::vector{criterion}, cases).empty());
  criterion.nodes_required.reset();
  CHECK(criteria_doubts(std::vector{criterion}, cases) ==
        std::vector<std::string>{"a holds one limit on rmax_gflops against runs on 2, 4 nodes: nodes = N "
                                 "selects those of one size"});
  // A rate per GPU and an efficiency hold at any size.
  criterion.metric = "rmax_gflops_per_gpu";
  CHECK(criteria_doubts(std::vector{criterion}, cases).empty());
}

TEST_CASE("a limit ten times off the prediction, on the wrong side or of nothing is remarked on") {
  const std::vector<Case> cases = {planned_run("hpl", 98, 34e6)};
  const auto doubt = [&](double limit, Direction direction = Direction::at_least) {
    Criterion criterion = criterion_on("rmax_gflops", limit);
    criterion.direction = direction;
    const auto found = criteria_doubts(std::vector{criterion}, cases);
    return found.empty() ? std::string() : found.front();
  };
  CHECK(doubt(33.9).starts_with("a asks for >= 33.90 GFLOP/s on 98 nodes, and 34.00 PFLOP/s is predicted: "));
  CHECK(doubt(33.9).ends_with("; a limit without `unit` is in GFLOP/s"));
  CHECK(doubt(3.5e8).find("10 times as much") != std::string::npos);
  CHECK(doubt(3.5e6).empty());  // a tenth and a bit
  CHECK(doubt(3.3e8).empty());
  CHECK(doubt(33e6, Direction::at_most) ==
        "a asks for at most its limit of rmax_gflops, where more is better");
  CHECK(doubt(0) == "a asks for at least 0 of rmax_gflops: every valid run has that");
  CHECK(criteria_doubts(std::vector{criterion_on("efficiency_gemm", 78)}, cases) ==
        std::vector<std::string>{
            "a asks for >= 78.0 of efficiency_gemm, a share that is 1 at 100 %: state limit = "
            "0.780, or unit = \"%\""});
  CHECK(criteria_doubts(std::vector{criterion_on("efficiency_gemm", 0.78)}, cases).empty());
  // A prediction wider than a factor of four predicts nothing.
  std::vector<Case> wide = cases;
  wide[0].predicted[1].high = 10 * wide[0].predicted[1].value;
  CHECK(criteria_doubts(std::vector{criterion_on("rmax_gflops", 33.9)}, wide).empty());
}

TEST_CASE("all mandatory criteria pass together with the product of their chances") {
  const Criterion first = criterion_on("rmax_gflops", 1);
  const Criterion rules = criterion_on("validity");
  Criterion advisory = first;
  advisory.severity = CriterionSeverity::advisory;
  std::vector<CriterionCheck> checks(4);
  checks[0].criterion = checks[1].criterion = &first;
  checks[2].criterion = &rules;
  checks[3].criterion = &advisory;
  for (const std::size_t i : {0U, 1U, 3U})
    checks[i].risk = criterion_risk(first.aggregation, 1, 1, 0.01).value();
  const auto joint = joint_chance(checks, 0.01);
  REQUIRE(joint);
  CHECK(joint->criteria == 2);
  CHECK(joint->by_rules == 1);
  // One run of each: 0.8413^2, 0.5^2, 0.1587^2.
  CHECK(joint->good == Approx(0.707861).epsilon(1e-5));
  CHECK(joint->even == Approx(0.25));
  CHECK(joint->bad == Approx(0.0251715).epsilon(1e-4));
  // sqrt(0.95) = 0.974679 is reached 1.9545 standard deviations above.
  CHECK(joint->margin == Approx(0.019545).epsilon(1e-3));
  // On each of 10 nodes the first is asked 10 times.
  checks[0].risk = criterion_risk(first.aggregation, 1, 10, 0.01).value();
  CHECK(joint_chance(checks, 0.01)->even == Approx(std::pow(0.5, 11)));
  CHECK_FALSE(joint_chance(std::span(checks).subspan(1), 0.01));
}

TEST_CASE("a limit on a screen and one on a share of it oppose each other, others do not") {
  const Criterion share = criterion_on("efficiency_gemm", 0.7);
  Criterion rate = criterion_on("fp64_gflops", 100);
  rate.suite = "gemm";
  rate.id = "gemm-rate";
  std::vector<CriterionCheck> checks(2);
  checks[0].criterion = &share;
  checks[1].criterion = &rate;
  for (CriterionCheck& each : checks) each.risk = criterion_risk(share.aggregation, 1, 1, 0.01).value();
  CHECK(joint_chance(checks, 0.01)->share == share.id);
  CHECK(joint_chance(checks, 0.01)->denominator == "gemm-rate");
  const Criterion other = criterion_on("rmax_gflops", 1);
  checks[0].criterion = &other;
  CHECK(joint_chance(checks, 0.01)->share.empty());
}
