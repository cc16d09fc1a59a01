#include "orchestrator/plan/each_node.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/plan/packing.hpp"

using namespace shakedown;

namespace {

Case on(const std::string& id, const std::string& hosts, int repetition = 1) {
  Case planned;
  planned.id = id;
  planned.hosts = hosts;
  planned.bound = true;
  planned.repetition = repetition;
  planned.launcher = "mpirun";
  planned.argv = {"mpirun", "--host", "{host}:8", "gemm"};
  planned.program = "gemm";
  planned.environment = {{"FIRST", std::string("{host}")}, {"RUN", std::string("{run}/{host}.out")}};
  planned.files = {{"in.txt", "of {host} and {host}\n"}};
  planned.preparation = {{"echo", "{host}"}};
  planned.container = {"apptainer", "/images/{host}.sif", "", {}};
  planned.modules = {"settings/{host}"};
  planned.predicted = {{"wall_time_s", 3600, 3000, 4000}};
  return planned;
}

std::vector<std::string> ids_of(const std::vector<Case>& cases) {
  std::vector<std::string> ids;
  ids.reserve(cases.size());
  for (const Case& each : cases) ids.push_back(each.id);
  return ids;
}

std::string refusal_of(const std::string& cases) {
  const auto plan = plan_from_json(R"({"schema":"shakedown.plan/1","cases":[)" + cases + "]}", "plan.json");
  return plan ? "" : to_string(plan.error());
}

}  // namespace

TEST_CASE("a case for each node is written out, node by node and of each its repetitions") {
  const auto all = written_out({on("a-{host}", "cn[09-10]"), on("a-{host}-r2", "cn[09-10]", 2), on("b", "x"),
                                on("c-{host}", "cn[09-10]")});
  CHECK(ids_of(all) ==
        std::vector<std::string>{"a-cn09", "a-cn09-r2", "a-cn10", "a-cn10-r2", "b", "c-cn09", "c-cn10"});
  const Case& second = all.at(3);
  CHECK(second.hosts == "cn10");
  CHECK(second.argv == std::vector<std::string>{"mpirun", "--host", "cn10:8", "gemm"});
  CHECK(second.environment ==
        std::vector<Parameter>{{"FIRST", std::string("cn10")}, {"RUN", std::string("{run}/cn10.out")}});
  CHECK(second.files.front().content == "of cn10 and cn10\n");
  CHECK(second.preparation.front().back() == "cn10");
  CHECK(second.container.image == "/images/cn10.sif");
  CHECK(second.modules == std::vector<std::string>{"settings/cn10"});
  CHECK(all.at(4).argv.at(2) == "{host}:8");  // stands for itself alone
}

TEST_CASE("cases for each node with an id and a node in common are written out and numbered") {
  std::vector<Case> apart = {on("a-{host}", "cn[1-2]"), on("a-{host}", "cn[3-4]"), on("b-{host}", "cn[1-2]")};
  number_equal_ids(apart);
  CHECK(ids_of(apart) == std::vector<std::string>{"a-{host}", "a-{host}", "b-{host}"});
  std::vector<Case> meeting = {on("a-{host}", "cn[1-2]"), on("a-{host}", "cn[2-3]")};
  number_equal_ids(meeting);
  CHECK(ids_of(meeting) == std::vector<std::string>{"a-cn1", "a-cn2", "a-cn2-2", "a-cn3"});
  std::vector<Case> single = {on("a-{host}", "cn7"), on("a-{host}", "cn[7-8]")};
  number_equal_ids(single);
  CHECK(ids_of(single) == std::vector<std::string>{"a-cn7", "a-cn7-2", "a-cn8"});
}

TEST_CASE("a plan costs the same with its cases for each node written out") {
  Plan once;
  once.cases = {on("a-{host}", "cn[1-4]"), on("b-{host}", "cn[1-4]"), on("c", "cn1")};
  Plan all = once;
  all.cases = written_out(once.cases);
  const Cost cost = plan_cost(once, 4, 100);
  CHECK(cost == plan_cost(all, 4, 100));
  CHECK(cost.jobs == 9);
  CHECK(cost.wall_time_s == 3 * 3600);
}

TEST_CASE("a plan's document that has cases for each node is read with all of them") {
  Plan plan;
  plan.cases = {on("a-{host}", "cn[1-2]")};
  const auto read = plan_from_json(plan_json(plan), "plan.json");
  REQUIRE(read);
  CHECK(ids_of(read->cases) == std::vector<std::string>{"a-cn1", "a-cn2"});
  CHECK(read->cases == written_out(plan.cases));
}

TEST_CASE("a case for each node that can't be one is refused with its place") {
  CHECK(refusal_of(R"({"id":"a-{host}","argv":["x"]})") ==
        "plan.json: cases[0] 'a-{host}': the id stands for a case on each of its hosts, and it has none\n"
        "hint: a hostlist under 'hosts', or an id without {host}");
  CHECK(refusal_of(R"({"id":"a-{host}","argv":["x"],"hosts":"cn[1-2]","nodes":2})") ==
        "plan.json: cases[0] 'a-{host}': 'nodes' is 2: a case on each of its hosts has one");
  CHECK(refusal_of(R"({"id":"a-{hots}","argv":["x"],"hosts":"cn[1-2]"})").find("no folder name") !=
        std::string::npos);
  CHECK(refusal_of(R"({"id":"a-{host}","argv":["x"],"hosts":"cn[1-2]"},{"id":"a-cn2","argv":["x"]})") ==
        "plan.json: two cases have the id 'a-cn2'");
  CHECK(refusal_of(R"({"id":"a-{host}","argv":["x"],"hosts":"cn[000001-999999]"},)"
                   R"({"id":"b-{host}","argv":["x"],"hosts":"cn[1-2]"})")
            .starts_with("plan.json: cases[1] 'b-{host}': there are more than 1000000 cases up to this one"));
  CHECK_FALSE(refusal_of(R"({"id":"{host}","argv":["x"],"hosts":"{host}{host}"})").empty());
  CHECK_FALSE(case_from_json(case_json(on("a-{host}", "cn[1-2]")), "case.json"));
}
