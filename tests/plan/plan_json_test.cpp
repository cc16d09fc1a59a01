#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "orchestrator/plan/plan.hpp"
#include "tests/cpu_time.hpp"

using namespace shakedown;

namespace {

std::string plan_with(const std::string& cases) {
  return R"({"schema":"shakedown.plan/1","cases":[)" + cases + "]}";
}

std::string plan_json_refusal_of(const std::string& cases) {
  const auto plan = plan_from_json(plan_with(cases), "plan.json");
  return plan ? "" : to_string(plan.error());
}

Case whole_case() {
  Case planned;
  planned.id = "hpl-nvidia-98n";
  planned.suite = "hpl";
  planned.implementation = "nvidia";
  planned.parser = "hpl";
  planned.tested = "rendered";
  planned.nodes = 98;
  planned.ranks = 784;
  planned.ranks_per_node = 8;
  planned.threads_per_rank = 12;
  planned.hosts = "cn[001-098]";
  planned.launcher = "mpirun";
  planned.binding = "none";
  planned.program = "/workspace/hpl.sh";
  planned.arguments = {"--dat", "HPL.dat"};
  planned.argv = {"mpirun", "-np", "784"};
  planned.environment = {{"OMP_NUM_THREADS", std::string("12")}, {"A", std::int64_t{1}}};
  planned.parameters = {
      {"N", std::int64_t{2706432}}, {"share", 0.88}, {"whole", 2.0}, {"PMAP", std::string("column")}};
  planned.why = {{"P", std::int64_t{16}, "largest divisor", "rail-aligned"}};
  planned.predicted = {{"rmax_gflops", 33954000, 32900000, 35000000}, {"time_s", 389.25, 370, 410}};
  planned.model.text = "W / R";
  planned.files = {{"HPL.dat", "HPLinpack\n\"6\"\n"}};
  planned.result_file = "out.txt";
  planned.time_limit_s = 1800;
  planned.warnings = {"careful"};
  return planned;
}

std::string any_text() {
  return *rc::gen::container<std::string>(
      rc::gen::element('a', 'Z', '0', ' ', '"', '\\', '\n', '\t', '/', '{'));
}

std::string any_name() {
  return *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element('a', 'b', 'Z', '7', '_', 'x')));
}

Value any_value() {
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return *rc::gen::arbitrary<std::int64_t>();
    case 1:
      return *rc::gen::arbitrary<double>();
    default:
      return any_text();
  }
}

std::vector<std::string> any_texts() {
  std::vector<std::string> texts;
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) texts.push_back(any_text());
  return texts;
}

std::vector<Parameter> any_parameters(const std::string& prefix) {
  std::vector<Parameter> parameters;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
    parameters.push_back({prefix + std::to_string(i), any_value()});
  return parameters;
}

Case any_case(int number) {
  Case planned;
  planned.id = any_name() + "." + std::to_string(number);
  planned.suite = any_name();
  planned.implementation = any_name();
  planned.parser = any_name();
  planned.tested = *rc::gen::element<std::string>("", "run-here", "run-at-site", "rendered");
  planned.nodes = *rc::gen::inRange(1, 200);
  planned.ranks_per_node = *rc::gen::inRange(1, 200);
  planned.ranks = planned.nodes * planned.ranks_per_node - *rc::gen::inRange(0, planned.ranks_per_node);
  planned.threads_per_rank = *rc::gen::inRange(1, 200);
  planned.launcher = any_name();
  planned.binding = any_text();
  planned.program = any_name();
  planned.arguments = any_texts();
  planned.argv = any_texts();
  planned.environment = any_parameters("V");
  planned.parameters = any_parameters(any_text());
  planned.why = {{any_text(), any_value(), any_text(), any_text()}};
  planned.predicted = {{"rmax_gflops", *rc::gen::arbitrary<double>(), *rc::gen::arbitrary<double>(), 0}};
  planned.model.text = any_text();
  planned.files = {{any_name(), any_text()}, {any_name() + "/" + any_name() + ".txt", any_text()}};
  planned.result_file = any_name();
  planned.time_limit_s = std::abs(*rc::gen::arbitrary<double>());
  planned.warnings = any_texts();
  return planned;
}

}  // namespace

TEST_CASE("a whole case is read back as it was written") {
  const auto read = case_from_json(case_json(whole_case()), "case.json");
  REQUIRE(read);
  CHECK(*read == whole_case());
}

TEST_CASE("a case that confirms is read back, but can't be planned: it would decide no criterion") {
  Case confirming = whole_case();
  confirming.confirms = true;
  const auto read = case_from_json(case_json(confirming), "case.json");
  REQUIRE(read);
  CHECK(*read == confirming);
  CHECK(plan_json_refusal_of(R"({"id":"c1","argv":["/bin/true"],"purpose":"confirm"})")
            .find("it can't be planned") != std::string::npos);
  CHECK(plan_json_refusal_of(R"({"id":"c1","argv":["/bin/true"],"purpose":"fun"})")
            .find("'purpose' is 'fun'") != std::string::npos);
}

TEST_CASE("any plan is read back as it was written") {
  const bool holds = rc::check([] {
    Plan plan;
    plan.system = any_name();
    for (int left = *rc::gen::inRange(0, 4); left > 0; --left) plan.cases.push_back(any_case(left));
    plan.refused = {{any_name(), any_text(), any_name(), any_name(), any_text()}};
    plan.warnings = any_texts();
    const auto read = plan_from_json(plan_json(plan), "plan.json");
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == plan);
  });
  CHECK(holds);
}

TEST_CASE("a plan written by hand needs an id and an argv for each case") {
  const auto plan = plan_from_json(plan_with(R"({"id":"c1","argv":["/bin/true"]})"), "plan.json");
  REQUIRE(plan);
  REQUIRE(plan->cases.size() == 1);
  Case expected;
  expected.id = "c1";
  expected.argv = {"/bin/true"};
  CHECK(plan->cases[0] == expected);
}

TEST_CASE("without a launcher the argument vector is the program and its arguments") {
  const auto plan =
      plan_from_json(plan_with(R"({"id":"c1","program":"/bin/echo","arguments":["a b"]})"), "plan.json");
  REQUIRE(plan);
  CHECK(plan->cases[0].argv == std::vector<std::string>{"/bin/echo", "a b"});
}

TEST_CASE("what is said of nodes, ranks and hosts gives the rest") {
  const auto plan = plan_from_json(
      plan_with(
          R"({"id":"a","argv":["x"],"hosts":"cn[1-3]","ranks_per_node":4},{"id":"b","argv":["x"],"nodes":2,"ranks":3})"),
      "plan.json");
  REQUIRE(plan);
  CHECK(plan->cases[0].nodes == 3);
  CHECK(plan->cases[0].ranks == 12);
  CHECK(plan->cases[1].ranks_per_node == 2);
}

TEST_CASE("a wrong case is refused with its place and what is wrong") {
  const std::pair<std::string, std::string> rows[] = {
      {R"({"id":"a","argv":["x"]},{"id":"b","agrv":["x"],"argv":["x"]})",
       "plan.json: cases[1] 'b': unknown key 'agrv' (did you mean 'argv'?)\nhint: known keys: "},
      {R"({"argv":["x"]})", "plan.json: cases[0]: 'id' is missing"},
      {R"({"id":"../x","argv":["x"]})", "plan.json: cases[0] '../x': the id is no folder name"},
      {R"({"id":".x","argv":["x"]})", "plan.json: cases[0] '.x': the id is no folder name"},
      {R"({"id":"a","argv":["x"]},{"id":"a","argv":["x"]})",
       "plan.json: cases[1] 'a': an earlier case has this id already"},
      {R"({"id":"a"})", "plan.json: cases[0] 'a': neither 'program' nor 'argv' is given"},
      {R"({"id":"a","argv":[]})", "plan.json: cases[0] 'a': neither 'program' nor 'argv' is given"},
      {R"({"id":"a","argv":"x"})",
       "plan.json: cases[0] 'a': 'argv' must be an array of strings, not a string"},
      {R"({"id":"a","argv":["x",1]})", "plan.json: cases[0] 'a': 'argv[1]' must be a string, not a number"},
      {R"({"id":"a","argv":["x\u0000y"]})", "plan.json: cases[0] 'a': 'argv[0]' holds a NUL character"},
      {R"({"id":"a","argv":["x"],"launcher":"mpirun"})",
       "plan.json: cases[0] 'a': a launcher needs a 'program'"},
      {R"({"id":"a","program":"x","argv":["y"]})",
       "plan.json: cases[0] 'a': 'argv' is not 'program' followed by"},
      {R"({"id":"a","argv":["x"],"nodes":0})",
       "plan.json: cases[0] 'a': 'nodes' is 0: it must be at least 1"},
      {R"({"id":"a","argv":["x"],"ranks":99999999999})", "plan.json: cases[0] 'a': 'ranks' is 99999999999"},
      {R"({"id":"a","argv":["x"],"ranks":1.5})",
       "plan.json: cases[0] 'a': 'ranks' must be a whole number, not 1.5"},
      {R"({"id":"a","argv":["x"],"nodes":2,"hosts":"n[1-3]"})",
       "plan.json: cases[0] 'a': 'nodes' is 2 but 'hosts' names 3"},
      {R"({"id":"a","argv":["x"],"nodes":2,"ranks_per_node":2,"ranks":5})",
       "plan.json: cases[0] 'a': 5 ranks do not fit on 2 nodes with 2 ranks each"},
      {R"({"id":"a","argv":["x"],"time_limit_s":-1})", "plan.json: cases[0] 'a': 'time_limit_s' is negative"},
      {R"({"id":"a","argv":["x"],"tested":"run-hre"})",
       "plan.json: cases[0] 'a': 'tested' is 'run-hre' (did you mean 'run-here'?)"},
      {R"({"id":"a","argv":["x"],"environment":{"A B":"1"}})",
       "plan.json: cases[0] 'a': environment: 'A B' is no name of a variable"},
      {R"({"id":"a","argv":["x"],"parameters":{"N":[1]}})",
       "plan.json: cases[0] 'a': 'parameters.N' must be a number or a string, not an array"},
      {R"({"id":"a","argv":["x"],"predicted":{"time_s":{"value":1,"low":1}}})",
       "plan.json: cases[0] 'a': predicted: time_s: 'high' is missing"},
      {R"({"id":"a","argv":["x"],"why":[{"what":"N"}]})",
       "plan.json: cases[0] 'a': why[0]: 'value' is missing"},
      {R"(3)", "plan.json: cases[0]: an object was expected, not a number"},
  };
  for (const auto& [cases, expected] : rows) {
    CAPTURE(cases);
    CHECK(plan_json_refusal_of(cases).substr(0, expected.size()) == expected);
  }
}

TEST_CASE("files outside the run directory and files of the job itself are refused") {
  const auto with_file = [](const std::string& name) {
    return plan_json_refusal_of(R"({"id":"a","argv":["x"],"files":{")" + name + R"(":""}})");
  };
  const std::string remedy = "\nhint: give the file another name";
  CHECK(with_file("../HPL.dat") ==
        "plan.json: cases[0] 'a': files: file '../HPL.dat' leaves the run directory" + remedy);
  CHECK(with_file("in/../../x") ==
        "plan.json: cases[0] 'a': files: file 'in/../../x' leaves the run directory" + remedy);
  CHECK(with_file("/etc/passwd") ==
        "plan.json: cases[0] 'a': files: file '/etc/passwd' is absolute: it must lie in the run directory" +
            remedy);
  CHECK(with_file("a//b") == "plan.json: cases[0] 'a': files: file 'a//b' is no plain path" + remedy);
  CHECK(with_file("./a") == "plan.json: cases[0] 'a': files: file './a' is no plain path" + remedy);
  CHECK(with_file("") == "plan.json: cases[0] 'a': files: a file without a name" + remedy);
  CHECK(with_file("a\\nb") ==
        "plan.json: cases[0] 'a': files: a file's name holds control characters" + remedy);
  for (const std::string name :
       {"job.sh", "stdout.log", "stderr.log", "started.json", "finished.json", "finished.json.tmp",
        "environment.json", "telemetry.csv", "place.json", "scheduler.json", "stopped.json", "job.json",
        "batch.sh", "batch.log", "slurm.log", "imported.json", "node-cn1.json", "by-hand-1/x",
        "Started.JSON"})
    CHECK(with_file(name) == "plan.json: cases[0] 'a': files: file '" + name +
                                 "': this name is reserved for shakedown" + remedy);
  CHECK(with_file(".x") ==
        "plan.json: cases[0] 'a': files: file '.x' is hidden: this name is reserved for shakedown" + remedy);
  CHECK(with_file("HPL.dat").empty());
  CHECK(plan_json_refusal_of(R"({"id":"a","argv":["x"],"result_file":"../../x"})") ==
        "plan.json: cases[0] 'a': file '../../x' leaves the run directory");
}

TEST_CASE("a document that is no plan is refused with its place") {
  const auto refused = [](const char* text) { return to_string(plan_from_json(text, "plan.json").error()); };
  CHECK(refused("{\n\"schema\": }").starts_with("plan.json:2: this is no JSON: parse error"));
  CHECK(refused("").starts_with("plan.json:1: this is no JSON: parse error"));
  CHECK(refused("{\n\"schema\": 8e999}").starts_with("plan.json:2: this is no JSON: parse error"));
  CHECK(refused("[]") == "plan.json: an object was expected, not an array");
  CHECK(refused("{\"cases\":[]}") == "plan.json: 'schema' is missing");
  CHECK(refused(R"({"schema":"shakedown.plan/2","cases":[]})") ==
        "plan.json: the schema is 'shakedown.plan/2', not 'shakedown.plan/1'");
  CHECK(refused(R"({"schema":"shakedown.plan/1"})") == "plan.json: 'cases' is missing");
  CHECK(refused(R"({"schema":"shakedown.plan/1","cases":[],"case":1})")
            .starts_with("plan.json: unknown key 'case' (did you mean 'cases'?)"));
}

TEST_CASE("what a suite could not plan is read back") {
  const auto plan = plan_from_json(
      R"({"schema":"shakedown.plan/1","cases":[],"refused":[{"suite":"mlperf","benchmark":"gpt3","rule":"ML-09",)"
      R"("because":"8 GPUs < 64","next_good":"8 nodes"}]})",
      "plan.json");
  REQUIRE(plan);
  CHECK(plan->refused == std::vector<Refusal>{{"mlperf", "gpt3", "ML-09", "8 GPUs < 64", "8 nodes"}});
}

TEST_CASE("a plan of a thousand cases is read at once") {
  Plan plan;
  for (int i = 0; i < 1000; ++i) {
    plan.cases.push_back(whole_case());
    plan.cases.back().id += std::to_string(i);
  }
  const std::string text = plan_json(plan);
  const CpuTime took;
  const auto read = plan_from_json(text, "plan.json");
  const double took_s = took.seconds();
  REQUIRE(read);
  CHECK(read->cases.size() == 1000);
  CHECK(took_s < 2);
  WARN("1000 cases, " << text.size() / 1024 << " KiB: " << took_s * 1e3 << " ms");
}

TEST_CASE("a run that was made elsewhere is a case without a command, and is no plan's") {
  Case elsewhere;
  elsewhere.id = "hpl-nvidia-HPL";
  elsewhere.suite = "hpl";
  elsewhere.origin = "/data/HPL.out";
  elsewhere.nodes = elsewhere.ranks_per_node = elsewhere.threads_per_rank = 0;
  elsewhere.ranks = 8;
  const auto read = case_from_json(case_json(elsewhere), "case");
  INFO((read ? "" : to_string(read.error())));
  REQUIRE(read);
  CHECK(*read == elsewhere);
  Plan plan;
  plan.cases = {elsewhere};
  const auto refused = plan_from_json(plan_json(plan), "plan.json");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what == "'origin' marks a run that was made elsewhere: it can't be planned");
}

TEST_CASE("a plan carries the configuration that it comes from, to the last byte") {
  Plan plan;
  plan.system = "n1";
  plan.cases = {whole_case()};
  const PlanConfiguration configuration = {"/site/acceptance.toml", "title = \"T\" # \xc3\xa9\n\n[site]\n"};
  const std::string text = plan_json(plan, configuration);
  CHECK(plan_configuration_from_json(text, "plan.json").value() == configuration);
  const auto read = plan_from_json(text, "plan.json");
  REQUIRE(read);
  CHECK(*read == plan);
}

TEST_CASE("a plan without a configuration is written as before") {
  Plan plan;
  plan.cases = {whole_case()};
  CHECK(plan_json(plan, std::nullopt) == plan_json(plan));
  CHECK_FALSE(plan_configuration_from_json(plan_json(plan), "plan.json").value());
}

TEST_CASE("a plan's configuration that can't be one is refused with its place") {
  const auto refused = [](const std::string& configuration) {
    const std::string text =
        R"({"schema":"shakedown.plan/1","cases":[],"configuration":)" + configuration + "}";
    const auto plan = plan_from_json(text, "plan.json");
    CHECK_FALSE(plan_configuration_from_json(text, "plan.json"));
    return plan ? std::string() : to_string(plan.error());
  };
  CHECK(refused("{}").find("'text' is missing") != std::string::npos);
  CHECK(refused(R"({"text":7})").find("'text' must be a string") != std::string::npos);
  CHECK(refused(R"({"text":"","txet":""})").find("unknown key 'txet'") != std::string::npos);
  CHECK(refused("[]").find("an object was expected") != std::string::npos);
}
