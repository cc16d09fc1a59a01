// Criteria checked before the first run.
#include "reports/judge/criteria_check.hpp"

#include <catch2/catch.hpp>

#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

std::string criterion_text(const std::string& id, const std::string& keys,
                           const std::string& metric = "rmax_gflops", const std::string& suite = "hpl") {
  return "[[criteria]]\nid = '" + id + "'\ntitle = 'A'\nsuite = '" + suite + "'\nmetric = '" + metric +
         "'\nseverity = 'mandatory'\n" + keys;
}

std::string limit(const std::string& direction, double value, const std::string& aggregation = "'every'") {
  return "direction = '" + direction + "'\nlimit = " + std::to_string(value) +
         "\nlimit_source = 's'\naggregation = " + aggregation + "\n";
}

/// Criteria with what they are checked for.
struct Checked {
  Criteria criteria;
  CriteriaCheck check;
};

Checked checked(const std::string& criteria, const std::string& runs = "", CheckScene scene = {}) {
  const std::vector<Baseline> baselines = {fixture::sakuraone()};
  const auto frozen = frozen_criteria("title = 'T'\n" + criteria, "c.toml", baselines);
  if (!frozen) throw std::runtime_error(to_string(frozen.error()));
  Checked all{read_criteria(*frozen, "c.toml").value(), {}};
  const auto acceptance = acceptance_from_toml("title = 'T'\n" + runs, "a.toml").value();
  if (!runs.empty()) scene.planned = &acceptance;
  all.check =
      checked_criteria(all.criteria, read_comparability(fixture::comparability(), "t").value(), scene);
  return all;
}

std::vector<std::string> undecidable(const std::string& criteria, const std::string& runs,
                                     CheckScene scene = {}) {
  return checked(criteria, runs, scene).check.criteria.at(0).undecidable;
}

const std::string hpl_thrice = "[[runs]]\nsuite = 'hpl'\nnodes = [98]\nrepetitions = 3\n";

}  // namespace

TEST_CASE("criteria that no runs can meet both are contradictions") {
  const auto found =
      checked(criterion_text("floor", limit(">=", 10)) + criterion_text("ceiling", limit("<=", 9))).check;
  REQUIRE(found.conflicts.size() == 1);
  CHECK(found.conflicts[0].first == "floor");
  CHECK(found.conflicts[0].because.starts_with("no runs meet both lowest >= 10.0"));
  CHECK_FALSE(found.sound());
  CHECK(checked(criterion_text("floor", limit(">=", 9)) + criterion_text("ceiling", limit("<=", 10)))
            .check.sound());
}

TEST_CASE("a median above a floor contradicts every run below a lower ceiling, but not the other way round") {
  const auto conflicts = [](const std::string& floor, const std::string& ceiling) {
    return checked(criterion_text("a", limit(">=", 10, floor)) + criterion_text("b", limit("<=", 9, ceiling)))
        .check.conflicts.size();
  };
  CHECK(conflicts("'median'", "'every'") == 1);
  CHECK(conflicts("'every'", "'median'") == 1);
  CHECK(conflicts("'median'", "'median'") == 1);
  // The best run may reach 10 while the best of the low ones stays below 9.
  CHECK(conflicts("'best_of'\nbest_of = { k = 1, n = 3 }", "'best_of'\nbest_of = { k = 1, n = 3 }") == 0);
}

TEST_CASE("the same criterion with two limits is named, other scales and severities are not") {
  CHECK(checked(criterion_text("a", limit(">=", 10)) + criterion_text("b", limit(">=", 11)))
            .check.conflicts.size() == 1);
  CHECK(checked(criterion_text("a", limit(">=", 10)) + criterion_text("b", limit(">=", 10)))
            .check.conflicts.empty());
  CHECK(checked(criterion_text("a", limit(">=", 10) + "nodes = 10\n") +
                criterion_text("b", limit("<=", 9) + "nodes = 96\n"))
            .check.conflicts.empty());
  CHECK(checked(criterion_text("a", limit(">=", 10)) + criterion_text("b", limit("<=", 9), "time_s"))
            .check.conflicts.empty());
}

TEST_CASE("a criterion whose suite, scale or number of runs is not planned can't be decided") {
  CHECK(undecidable(criterion_text("a", limit(">=", 1)), hpl_thrice).empty());
  CHECK(undecidable(criterion_text("a", limit(">=", 1), "rating_gflops", "hpcg"), hpl_thrice) ==
        std::vector<std::string>{"no run of HPCG is planned"});
  CHECK(undecidable(criterion_text("a", limit(">=", 1) + "nodes = 96\n"), hpl_thrice) ==
        std::vector<std::string>{"no run of HPL on 96 nodes is planned"});
  CHECK(undecidable(criterion_text("a", limit(">=", 1) + "each_node = true\n"), hpl_thrice).size() == 1);
  CHECK(undecidable(criterion_text("a", limit(">=", 1) + "runs_min = 4\n"), hpl_thrice) ==
        std::vector<std::string>{"it takes 4 runs, and 3 are planned"});
  CHECK(undecidable(criterion_text("a", limit(">=", 1, "'lower_confidence'")), hpl_thrice) ==
        std::vector<std::string>{"it takes 5 runs, and 3 are planned"});
  CHECK(undecidable(criterion_text("a", limit(">=", 1) + "nodes_required = 100\n"), hpl_thrice) ==
        std::vector<std::string>{"it asks for 100 nodes, and no more than 98 are planned"});
  // If the plan names no runs, all suites run.
  CHECK(undecidable(criterion_text("a", limit(">=", 1), "rating_gflops", "hpcg"), "system = 'x'\n").empty());
}

TEST_CASE("a criterion that asks for nodes is checked against the runs that have as many") {
  const std::string ladder = "[[runs]]\nsuite = 'hpl'\nnodes = [2, 4]\n" + hpl_thrice;
  const std::string rate = limit(">=", 1) + "runs_min = 3\n";
  CHECK(undecidable(criterion_text("a", rate), ladder).size() == 1);
  CHECK(undecidable(criterion_text("a", rate + "nodes_required = 98\n"), ladder).empty());
  // The cases that measure one node each are others.
  const std::string nodes = "[[runs]]\nsuite = 'hpl'\neach_node = true\n" + hpl_thrice;
  CHECK(undecidable(criterion_text("a", rate + "nodes_required = 98\n"), nodes) ==
        std::vector<std::string>{"it takes 3 runs, and 1 is planned"});
  CHECK(undecidable(criterion_text("a", rate + "nodes_required = 98\neach_node = false\n"), nodes).empty());
}

TEST_CASE("a metric that no log of the suite gives can't be decided, whatever is planned") {
  const auto of_metric = [](const std::string& metric, const std::string& suite = "hpl") {
    return undecidable(criterion_text("a", limit(">=", 1), metric, suite), "");
  };
  CHECK(of_metric("rmax_gflops").empty());
  CHECK(of_metric("rmax_gflop") ==
        std::vector<std::string>{
            "c.toml:7: no result of HPL can have a metric 'rmax_gflop' (did you mean 'rmax_gflops'?)"});
  CHECK(of_metric("triad_mbs", "stream") ==
        std::vector<std::string>{
            "c.toml:7: no result of STREAM can have a metric 'triad_mbs' (did you mean 'triad_mb_s'?)"});
  CHECK(of_metric("time_to_train_min") ==
        std::vector<std::string>{
            "c.toml:7: no result of HPL can have a metric 'time_to_train_min' (it is a metric of mlperf)"});
  // A criterion that is silent where its suite is not planned is wrong all the same.
  CHECK(undecidable(criterion_text("a", limit(">=", 1) + "if_planned = true\n", "raitng_gflops", "hpcg"),
                    hpl_thrice)
            .size() == 1);
}

TEST_CASE("a suite that no grammar is of may be that of a plan written by hand: its metric is any's") {
  const auto of_suite = [](const std::string& metric) {
    return checked(criterion_text("a", limit(">=", 1), metric, "hlp")).check;
  };
  const auto known = of_suite("rmax_gflops");
  CHECK(known.sound());
  CHECK(known.remarks ==
        std::vector<std::string>{"a is of a suite 'hlp', whose logs are not known (did you mean 'hpl'?)"});
  CHECK(of_suite("rmax_gflop").criteria.at(0).undecidable ==
        std::vector<std::string>{
            "c.toml:7: no result can have a metric 'rmax_gflop' (did you mean 'rmax_gflops'?)"});
}

TEST_CASE("a criterion for planned suites alone is silent where its suite is not planned") {
  CHECK(undecidable(criterion_text("a", limit(">=", 1) + "if_planned = true\n", "rating_gflops", "hpcg"),
                    hpl_thrice)
            .empty());
}

TEST_CASE(
    "a limit that is a part of a published value asks for its scale, one of the last accepted for one") {
  const std::string rmax =
      "direction = '>='\naggregation = 'every'\nrelative_to = 'sakuraone/hpl-rmax'\nfactor = 0.95\n";
  CHECK(undecidable(criterion_text("a", rmax), hpl_thrice).empty());
  const auto other = undecidable(criterion_text("a", rmax), "[[runs]]\nsuite = 'hpl'\nnodes = [97]\n");
  REQUIRE(other.size() == 1);
  CHECK(other[0].find("published on 98 nodes, and no run of it is planned on as many") != std::string::npos);
  const std::string accepted =
      "direction = '>='\naggregation = 'every'\nrelative_to = 'last-accepted'\nfactor = 0.98\n";
  CheckScene scene;
  scene.knows_accepted = true;
  REQUIRE(undecidable(criterion_text("a", accepted), hpl_thrice, scene).size() == 1);
  CHECK(undecidable(criterion_text("a", accepted), hpl_thrice, scene)[0].find(
            "none of this system was accepted") != std::string::npos);
}

TEST_CASE("an efficiency whose denominator nobody measures can't be decided") {
  const std::string efficiency = criterion_text("a", limit(">=", 0.7), "efficiency_gemm");
  CHECK(undecidable(efficiency, hpl_thrice).size() == 1);
  CHECK(undecidable(efficiency, hpl_thrice + "[[runs]]\nsuite = 'gemm'\n").empty());
}

TEST_CASE("a success rate that not even success throughout proves can't be decided") {
  const std::string runs =
      "direction = '>='\nlimit = 0.95\nlimit_source = 's'\naggregation = 'lower_confidence'\n";
  const auto found = undecidable(criterion_text("a", runs, "reliability"), hpl_thrice);
  REQUIRE(found.size() == 1);
  CHECK(found[0] == "even 3 successes of 3 attempts have a lower limit of 36.8 % only");
}

TEST_CASE("the risk is of as many runs as are planned, and on each node of all of them") {
  const auto three = checked(criterion_text("a", limit(">=", 1)), hpl_thrice).check.criteria.at(0).risk;
  REQUIRE(three);
  CHECK(three->runs == 3);
  CHECK(three->vendor == Approx(0.4045).margin(1e-4));
  CheckScene scene;
  scene.system_nodes = 100;
  const auto nodes = checked(criterion_text("a", limit(">=", 1) + "each_node = true\n"),
                             "[[runs]]\nsuite = 'hpl'\neach_node = true\n", scene)
                         .check.criteria.at(0)
                         .risk;
  REQUIRE(nodes);
  CHECK(nodes->machines == 100);
  CHECK_FALSE(checked(criterion_text("a", "limit_source = 's'\n", "validity")).check.criteria.at(0).risk);
}

TEST_CASE("an expired waiver is remarked on") {
  CheckScene scene;
  scene.now_s = 1795284309;  // 2026-11-21
  const auto found =
      checked(criterion_text("a", limit(">=", 1)) +
                  "[[waivers]]\ncriterion = 'a'\nreason = 'r'\napprover = 'b'\nexpires = 2026-01-31\n",
              "", scene)
          .check;
  REQUIRE(found.remarks.size() == 1);
  CHECK(found.remarks[0] == "the waiver of a by b held until 2026-01-31: it does nothing any more");
}

TEST_CASE("the shipped acceptances can be decided by their own campaigns") {
  const std::vector<Baseline> baselines = {fixture::sakuraone()};
  const auto table = read_comparability(fixture::comparability(), "t").value();
  for (const char* name : {"sakuraone", "acceptance-h100"}) {
    const std::string text = fixture::project_file(std::string("orchestrator/templates/") + name + ".toml");
    const auto acceptance = acceptance_from_toml(text, name).value();
    const Criteria criteria = read_criteria(frozen_criteria(text, name, baselines).value(), name).value();
    CheckScene scene;
    scene.planned = &acceptance;
    scene.system_nodes = 100;
    const auto found = checked_criteria(criteria, table, scene);
    for (const CriterionCheck& each : found.criteria)
      for (const std::string& why : each.undecidable)
        UNSCOPED_INFO(name << " " << each.criterion->id << ": " << why);
    CHECK(found.sound());
  }
}

TEST_CASE(
    "a value of one scale decides no other scale, and a criterion can't be of fewer nodes than it asks for") {
  const auto relative = [](const std::string& keys) {
    return "[[criteria]]\nid = 'r'\ntitle = 'R'\nsuite = 'hpl'\nmetric = 'rmax_gflops'\ndirection = '>='\n"
           "severity = 'mandatory'\nrelative_to = 'sakuraone/hpl-rmax'\nfactor = 0.95\n"
           "aggregation = 'every'\n" +
           keys;
  };
  const std::string runs = "[[runs]]\nsuite = 'hpl'\nnodes = [8, 98]\n";
  const auto both = undecidable(relative(""), runs);
  REQUIRE(both.size() == 1);
  CHECK(both[0] ==
        "sakuraone/hpl-rmax was published on 98 nodes, and the criterion is judged on 8 too, where it is "
        "not comparable: nodes = 98 selects them");
  CHECK(undecidable(relative("nodes = 98\n"), runs).empty());
  CHECK(undecidable(relative("nodes_required = 98\n"), runs).empty());
  // Runs on each node are judged by themselves, whatever is asked for, unless the criterion is not of them.
  const std::string each =
      "[[runs]]\nsuite = 'hpl'\neach_node = true\n[[runs]]\nsuite = 'hpl'\nnodes = [98]\n";
  CHECK(undecidable(relative("nodes_required = 98\n"), each).size() == 1);
  CHECK(undecidable(relative("nodes_required = 98\neach_node = false\n"), each).empty());
  const auto fewer = undecidable(relative("nodes = 8\nnodes_required = 98\n"), runs);
  CHECK(std::ranges::find(fewer, "it is of cases on 8 nodes, and asks for results from 98") != fewer.end());
}

TEST_CASE("a criterion that asks for more of what is better small is remarked on") {
  const auto remarks = [](const std::string& direction) {
    const std::string text =
        "[[criteria]]\nid = 'ttt'\ntitle = 'T'\nsuite = 'mlperf'\nmetric = 'time_to_train_min'\ndirection = "
        "'" +
        direction + "'\nlimit = 10\nlimit_source = 's'\nseverity = 'mandatory'\naggregation = 'every'\n";
    return checked(text).check.remarks;
  };
  CHECK(remarks("<=").empty());
  REQUIRE(remarks(">=").size() == 1);
  CHECK(remarks(">=")[0] == "ttt asks for at least its limit of time_to_train_min, where less is better");
  CHECK(checked(criterion_text("rate", limit(">=", 10))).check.remarks.empty());
}
