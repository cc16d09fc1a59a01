#include "orchestrator/store/series.hpp"

#include <catch2/catch.hpp>

#include <SQLiteCpp/SQLiteCpp.h>

#include <cmath>
#include <limits>

#include "orchestrator/store/database.hpp"
#include "orchestrator/store/run_shape.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

NodeGroup group(const std::string& hosts, const std::string& gpu) {
  NodeGroup group;
  group.hosts = hosts;
  group.cpu.model = "EPYC";
  group.cpu.sockets = 2;
  group.cpu.cores = 96;
  group.gpus.resize(2);
  for (Gpu& each : group.gpus) each.model = gpu;
  return group;
}

/// A campaign of one HPL case on one node.
CampaignRecord campaign(const std::string& id, const std::string& host, std::int64_t N = 8000) {
  CampaignRecord record;
  record.id = id;
  record.system = "testbed";
  record.kind = "acceptance";
  record.inventory.system = "testbed";
  record.inventory.groups = {group("a[1-2]", "H100"), group("b[1-2]", "H200")};
  Case planned;
  planned.id = "hpl-reference-1n";
  planned.suite = "hpl";
  planned.implementation = "reference";
  planned.hosts = host;
  planned.argv = {"/bin/true"};
  planned.parameters = {{"N", N}, {"PMAP", std::string("row")}, {"seed", std::int64_t{7}}};
  record.cases.push_back({planned, {}});
  return record;
}

AttemptRecord attempt(double at_s, double rmax, int k = 1) {
  AttemptRecord record;
  record.index = k;
  record.state = AttemptState::finished;
  record.started_s = at_s;
  ResultRecord result;
  result.parsed.suite = "hpl";
  result.parsed.implementation = "reference";
  result.parsed.complete = true;
  result.parsed.metrics = {{"rmax_gflops", rmax, 1}, {"residual", std::nan(""), 2}};
  result.validity = Validity::valid;
  record.results.push_back(result);
  return record;
}

struct Store {
  TemporaryFolder temporary;
  Database database = Database::open(temporary.path / "results.sqlite").value();

  void add(const std::string& id, const std::string& host, double at_s, double rmax, std::int64_t N = 8000) {
    REQUIRE(database.add_campaign(campaign(id, host, N)));
    REQUIRE(database.record_attempt(id, "hpl-reference-1n", attempt(at_s, rmax)));
  }
  [[nodiscard]] SystemSeries series() const {
    const auto found = database.series_of("testbed");
    INFO((found ? "" : to_string(found.error())));
    REQUIRE(found);
    return *found;
  }
};

}  // namespace

TEST_CASE("values of like runs are one series, oldest first, whichever nodes of a kind they ran on") {
  Store store;
  store.add("c2", "a2", 200, 91);
  store.add("c1", "a1", 100, 92);
  const SystemSeries found = store.series();
  REQUIRE(found.runs.size() == 2);
  CHECK(found.runs[0].campaign == "c1");
  CHECK(found.runs[0].hosts == "a1");
  CHECK(found.runs[1].campaign == "c2");
  CHECK(found.runs[1].case_id == "hpl-reference-1n");
  CHECK(found.runs[1].validity == Validity::valid);
  CHECK(found.runs[1].complete);
  REQUIRE(found.series.size() == 1);
  const MetricSeries& rmax = found.series[0];
  CHECK(rmax.metric == "rmax_gflops");
  CHECK(rmax.suite == "hpl");
  CHECK(rmax.nodes == 1);
  CHECK(rmax.node_kind == "2 x EPYC, 96 cores, 2 x H100");
  REQUIRE(rmax.points.size() == 2);
  CHECK(rmax.points[0].value == 92);
  CHECK(rmax.points[0].run == 0);
  CHECK(rmax.points[1].value == 91);
}

TEST_CASE("of a suite those metrics are read that are wanted of it, those of another suite not") {
  Store store;
  CampaignRecord record = campaign("c1", "a1");
  Case other = record.cases.front().planned;
  other.id = "gemm-reference-1n";
  other.suite = "gemm";
  record.cases.push_back({other, {}});
  REQUIRE(store.database.add_campaign(record));
  AttemptRecord ran = attempt(100, 92);
  ran.results.front().parsed.metrics.push_back({"time_s", 5, 3});
  ran.results.front().parsed.phases.push_back({.name = "find", .value = 7, .unit = "kIOPS"});
  REQUIRE(store.database.record_attempt("c1", "hpl-reference-1n", ran));
  ran.results.front().parsed.suite = "gemm";
  REQUIRE(store.database.record_attempt("c1", "gemm-reference-1n", ran));
  const auto names = [&](const WantedMetrics& wanted) {
    const auto found = store.database.series_of("testbed", wanted);
    REQUIRE(found);
    CHECK(found->runs.size() == 2);
    std::vector<std::string> names;
    for (const MetricSeries& each : found->series) names.push_back(each.suite + " " + each.metric);
    return names;
  };
  CHECK(names({}).size() == 6);
  CHECK(names({{"hpl", {"rmax_gflops", "no_such"}}, {"gemm", {"time_s", "find"}}}) ==
        std::vector<std::string>{"gemm time_s", "gemm find", "hpl rmax_gflops"});
}

TEST_CASE("a value that is not a number is no point") {
  Store store;
  store.add("c1", "a1", 100, 92);
  for (const MetricSeries& series : store.series().series) CHECK(series.metric != "residual");
}

TEST_CASE("another kind of node, problem or system is another series; another seed is not") {
  Store store;
  store.add("c1", "a1", 100, 92);
  store.add("c2", "b1", 200, 93);
  store.add("c3", "a1", 300, 94, 16000);
  CampaignRecord other = campaign("c4", "a1");
  other.system = "elsewhere";
  REQUIRE(store.database.add_campaign(other));
  REQUIRE(store.database.record_attempt("c4", "hpl-reference-1n", attempt(400, 95)));
  CampaignRecord reseeded = campaign("c5", "a1");
  reseeded.cases[0].planned.parameters[2].value = std::int64_t{8};
  REQUIRE(store.database.add_campaign(reseeded));
  REQUIRE(store.database.record_attempt("c5", "hpl-reference-1n", attempt(500, 96)));
  const SystemSeries found = store.series();
  REQUIRE(found.series.size() == 3);
  std::size_t of_first = 0;
  for (const MetricSeries& series : found.series) {
    const bool first = series.parameters == "N=8000 PMAP=row" && series.node_kind.ends_with("H100");
    CHECK(series.points.size() == (first ? 2 : 1));
    of_first += first ? 1 : 0;
  }
  CHECK(of_first == 1);
  CHECK(store.database.series_of("elsewhere")->series.size() == 1);
  CHECK(store.database.series_of("nowhere")->series.empty());
}

TEST_CASE("an attempt that is stored again leaves no point behind") {
  Store store;
  store.add("c1", "a1", 100, 92);
  REQUIRE(store.database.record_attempt("c1", "hpl-reference-1n", attempt(100, 80)));
  const SystemSeries found = store.series();
  REQUIRE(found.runs.size() == 1);
  REQUIRE(found.series.at(0).points.size() == 1);
  CHECK(found.series[0].points[0].value == 80);
}

TEST_CASE("invalid results are in a series, and said to be invalid") {
  Store store;
  REQUIRE(store.database.add_campaign(campaign("c1", "a1")));
  AttemptRecord wrong = attempt(100, 200);
  wrong.results[0].validity = Validity::invalid;
  REQUIRE(store.database.record_attempt("c1", "hpl-reference-1n", wrong));
  const SystemSeries found = store.series();
  REQUIRE(found.series.size() == 1);
  CHECK(found.runs[found.series[0].points[0].run].validity == Validity::invalid);
}

TEST_CASE("an attempt that got other nodes than planned is of those that it got") {
  Store store;
  REQUIRE(store.database.add_campaign(campaign("c1", "a1")));
  AttemptRecord moved = attempt(100, 92);
  moved.hosts = "a2";
  REQUIRE(store.database.record_attempt("c1", "hpl-reference-1n", moved));
  CHECK(store.series().runs.at(0).hosts == "a2");
}

TEST_CASE("phases are series with their own unit") {
  Store store;
  REQUIRE(store.database.add_campaign(campaign("c1", "a1")));
  AttemptRecord io = attempt(100, 92);
  io.results[0].parsed.suite = "io500";
  io.results[0].parsed.metrics = {{"score", 12, 1}};
  io.results[0].parsed.phases = {
      {"ior-easy-write", 20.5, "GiB/s", 301.25, true, true, 3},
      {"find", std::numeric_limits<double>::quiet_NaN(), "kIOPS", 1, false, true, 9}};
  REQUIRE(store.database.record_attempt("c1", "hpl-reference-1n", io));
  const SystemSeries found = store.series();
  REQUIRE(found.series.size() == 2);
  CHECK(found.series[0].metric == "score");
  CHECK(found.series[1].metric == "ior-easy-write");
  CHECK(found.series[1].unit == "GiB/s");
}

TEST_CASE("like parameters are those planned, with the values of the log") {
  using Parameters = std::vector<Parameter>;
  const Parameters planned = {{"Q", std::int64_t{2}}, {"N", std::int64_t{8000}}};
  CHECK(shape_parameters(planned, {}) == "N=8000 Q=2");
  CHECK(shape_parameters(planned, {{"N", std::int64_t{4000}}, {"PFACT", std::string("crout")}}) ==
        "N=4000 Q=2");
  CHECK(shape_parameters(planned, {{"benchmark", std::string("gpt3")}}) == "N=8000 Q=2 benchmark=gpt3");
  CHECK(shape_parameters({}, {{"N", std::int64_t{4000}},
                              {"seed", std::int64_t{3}},
                              {"directory", std::string("/scratch/7")}}) == "N=4000");
}

TEST_CASE("nodes of several kinds are named by all of them, unknown ones by none") {
  const Inventory inventory = campaign("c", "a1").inventory;
  CHECK(node_kind_text(inventory, "a[1-2]") == "2 x EPYC, 96 cores, 2 x H100");
  CHECK(node_kind_text(inventory, "a2,b1") == "2 x EPYC, 96 cores, 2 x H100; 2 x EPYC, 96 cores, 2 x H200");
  CHECK(node_kind_text(inventory, "z9").empty());
  CHECK(node_kind_text(inventory, "").empty());
  Inventory of_one = inventory;
  of_one.groups.pop_back();
  CHECK(node_kind_text(of_one, "") == "2 x EPYC, 96 cores, 2 x H100");
}

TEST_CASE("the series of a system come from indices, no table is read through for them") {
  Store store;
  store.add("c1", "a1", 100, 92);
  SQLite::Database database((store.temporary.path / "results.sqlite").string());
  std::vector<std::string> queries = series_queries();
  queries.emplace_back("SELECT 1 FROM acceptance WHERE system = ?");
  queries.emplace_back("SELECT 1 FROM node_event WHERE system = ? AND at_s > 0");
  for (const std::string& query : queries) {
    SQLite::Statement plan(database, "EXPLAIN QUERY PLAN " + query);
    int searches = 0;
    while (plan.executeStep()) {
      const std::string step = plan.getColumn(3).getString();
      INFO(step);
      CHECK((!step.starts_with("SCAN") || step == "SCAN like_runs"));  // those that a search found before
      searches += step.starts_with("SEARCH") ? 1 : 0;
    }
    CHECK(searches > 0);
  }
}
