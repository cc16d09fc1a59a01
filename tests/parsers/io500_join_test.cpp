#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <stdexcept>

#include "parsers/io500/join.hpp"
#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

/// The results of a folder's files, as they are before they are joined.
std::vector<FileResult> io500_join_folder(const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<FileResult> results;
  for (const auto& [name, text] : files)
    for (ParsedResult& result : logs::parsed(text)) results.push_back({name, std::move(result)});
  return results;
}

const std::string io500_join_run = "io500/run/";

}  // namespace

TEST_CASE("result.txt, result_summary.txt and standard output of one run are one result") {
  const auto joined = io500_joined(
      io500_join_folder({{"d/result_summary.txt", logs::fixture(io500_join_run + "result_summary.txt")},
                         {"d/io500.out", logs::fixture(io500_join_run + "io500.out")},
                         {"d/result.txt", logs::fixture(io500_join_run + "result.txt")}}));
  REQUIRE(joined.size() == 1);
  CHECK(joined.front().file == "d/result.txt");
  const ParsedResult& result = joined.front().result;
  CHECK(logs::metric(result, "ior_easy_write_time_s") == 331.2047);
  CHECK(result.fact("mismatch") == nullptr);
  CHECK(logs::judge(result).validity == Validity::valid);
}

TEST_CASE("files named after one run are joined, those of another run are not") {
  const auto joined = io500_joined(io500_join_folder(
      {{"d/alpha__result.txt", logs::fixture("io500/prefixed/alpha__result.txt")},
       {"d/alpha__result_summary.txt", logs::fixture("io500/prefixed/alpha__result_summary.txt")},
       {"d/beta__result_summary.txt", logs::fixture("io500/prefixed/beta__result_summary.txt")}}));
  REQUIRE(joined.size() == 2);
  CHECK(joined.front().file == "d/alpha__result.txt");
  CHECK(joined.back().file == "d/beta__result_summary.txt");
}

TEST_CASE("two different runs are never joined, whatever their names and folders") {
  const std::string alpha = logs::fixture("io500/prefixed/alpha__result.txt");
  const std::string beta = logs::fixture("io500/prefixed/beta__result_summary.txt");
  const auto neighbours =
      io500_joined(io500_join_folder({{"d/result.txt", alpha}, {"d/result_summary.txt", beta}}));
  REQUIRE(neighbours.size() == 2);
  for (const FileResult& each : neighbours) {
    CHECK(logs::fact(each.result, "mismatch") == "result.txt and result_summary.txt are of different runs");
    CHECK(logs::judge(each.result).validity == Validity::invalid);
  }
  CHECK(io500_joined(io500_join_folder({{"d/result.txt", alpha}, {"d/job.out", beta}})).size() == 2);
  const std::string same = logs::fixture("io500/prefixed/alpha__result_summary.txt");
  CHECK(io500_joined(io500_join_folder({{"d/result.txt", alpha}, {"e/result_summary.txt", same}})).size() ==
        2);
  CHECK(io500_joined(io500_join_folder({{"d/result.txt", alpha}, {"d/job.out", same}})).size() == 1);
}

TEST_CASE("files of one run that contradict each other are joined and invalid") {
  const std::string changed =
      logs::replaced(logs::fixture(io500_join_run + "result_summary.txt"), "48.251308", "49.251308");
  const auto joined = io500_joined(io500_join_folder(
      {{"result.txt", logs::fixture(io500_join_run + "result.txt")}, {"result_summary.txt", changed}}));
  REQUIRE(joined.size() == 1);
  CHECK(logs::fact(joined.front().result, "mismatch") ==
        "ior-easy-write.score: 48.251308 in result.txt, 49.251308 in result_summary.txt");
  const auto rule = logs::rule(logs::judge(joined.front().result), "IO5-05");
  CHECK(rule.status == RuleStatus::fail);
  CHECK(rule.value.find("49.251308") != std::string::npos);
}

TEST_CASE("a mark of invalidity that only one of the files has makes the run invalid") {
  const auto joined = io500_joined(io500_join_folder(
      {{"result.txt", logs::fixture("io500/invalid-result.txt")},
       {"result_summary.txt", logs::replaced(logs::replaced(logs::fixture("io500/invalid-find-summary.txt"),
                                                            "io500-isc22_v1", "io500-isc25_v2"),
                                             " [INVALID]", "")}}));
  REQUIRE(joined.size() == 1);
  CHECK(logs::fact(joined.front().result, "mismatch").find("marked invalid in result.txt alone") !=
        std::string::npos);
  CHECK(logs::judge(joined.front().result).validity == Validity::invalid);
}

TEST_CASE("what one of the files lacks comes from the other") {
  const std::string text = logs::fixture(io500_join_run + "result.txt");
  const auto joined = io500_joined(
      io500_join_folder({{"result.txt", text.substr(0, text.find("[mdtest-hard-read]"))},
                         {"result_summary.txt", logs::fixture(io500_join_run + "result_summary.txt")}}));
  REQUIRE(joined.size() == 1);
  const ParsedResult& result = joined.front().result;
  CHECK(result.complete);
  CHECK(logs::metric(result, "score") == 47.137251);
  CHECK(logs::metric(result, "ior_easy_write_time_s") == 331.2047);
  CHECK(logs::metric(result, "mdtest_hard_read_time_s") == 105.330);
  CHECK(result.phases.size() == 14);
  const auto quiet = io500_joined(
      io500_join_folder({{"result.txt", logs::fixture("io500/quiet-result.txt")},
                         {"result_summary.txt", logs::replaced(logs::fixture("io500/no-version-summary.txt"),
                                                               "version ", "version io500-isc23")}}));
  REQUIRE(quiet.size() == 1);
  CHECK(logs::judge(quiet.front().result).validity == Validity::valid);
}

TEST_CASE("the grammar offers its joining") {
  for (const Parser* parser : parsers())
    if (parser->id == "io500") CHECK(parser->joined == io500_joined);
}

TEST_CASE("the three files of the reference implementation are one result, its cached values kept apart") {
  const std::string reference = "io500/reference/";
  const auto joined = io500_joined(
      io500_join_folder({{"d/results/result.txt", logs::fixture(reference + "result.txt")},
                         {"d/results/result_summary.txt", logs::fixture(reference + "result_summary.txt")},
                         {"d/results/stdout.log", logs::fixture(reference + "output.out")}}));
  REQUIRE(joined.size() == 1);
  const ParsedResult& result = joined.front().result;
  CHECK(result.implementation == "reference");
  CHECK(result.fact("mismatch") == nullptr);
  CHECK(result.metric("ior_easy_write_gib_s") != nullptr);
  for (const char* cached : {"find_kiops", "ior_easy_read_gib_s", "ior_hard_read_gib_s",
                             "mdtest_easy_stat_kiops", "mdtest_hard_stat_kiops", "mdtest_hard_read_kiops"}) {
    INFO(cached);
    CHECK(result.metric(cached) == nullptr);
    CHECK(result.metric("cached_" + std::string(cached)) != nullptr);
  }
}

namespace {

const Parser& io500_grammar() {
  for (const Parser* each : parsers())
    if (each->id == "io500") return *each;
  throw std::runtime_error("no grammar of IO500");
}

/// What IOR prints in the phase ior-easy-write of `result_txt`, on so many nodes and processes.
std::string io500_phase_output(const std::string& result_txt, int nodes, int tasks) {
  const ParsedResult result = logs::parsed(result_txt).front();
  return fmt::format(
      "IOR-4.1.0+dev: MPI Coordinated Test of Parallel I/O\nBegan               : Tue Apr 15 23:08:23 2025\n"
      "Command line        : {}\nMachine             : Linux gpu-07\n\nOptions: \nnodes               : {}\n"
      "tasks               : {}\nclients per node    : {}\n",
      result.fact("ior-easy-write.exe")->value, nodes, tasks, tasks / nodes);
}

}  // namespace

TEST_CASE("the output of IOR in a phase states the nodes of its run, and is no result by itself") {
  const std::string text = logs::fixture(io500_join_run + "result.txt");
  const auto procs =
      static_cast<int>(value_number(*find_parameter(logs::parsed(text).front().parameters, "procs")));
  const std::string output = io500_phase_output(text, 2, procs);
  TextSource source = TextSource::of(output);
  const auto read = parsed_by(io500_grammar(), source);
  REQUIRE(read);
  REQUIRE(read->size() == 1);
  REQUIRE(read->front().part);
  CHECK(read->front().reason.find("result.txt beside it") != std::string::npos);

  auto results = io500_join_folder({{"d/result.txt", text}});
  results.push_back({"d/ior-easy-write.txt", read->front()});
  const auto joined = io500_joined(results);
  REQUIRE(joined.size() == 1);
  const ParsedResult& result = joined.front().result;
  CHECK(value_number(*find_parameter(result.parameters, "nodes")) == 2);
  CHECK(result.fact("host")->value == "gpu-07");
  CHECK(result.fact("mismatch") == nullptr);
  CHECK(joined.front().others == std::vector<std::string>{"d/ior-easy-write.txt"});

  results.back().file = "e/ior-easy-write.txt";  // of another folder: it stays alone
  CHECK(io500_joined(results).size() == 2);
  results.back() = {"d/ior-easy-write.txt", read->front()};
  results.back().result.facts[1].value += " -x";  // of another run's command
  CHECK(io500_joined(results).size() == 2);
}

TEST_CASE("an output of IOR that contradicts its run's processes is a mismatch") {
  const std::string text = logs::fixture(io500_join_run + "result.txt");
  const std::string output = io500_phase_output(text, 2, 4242);
  TextSource source = TextSource::of(output);
  auto results = io500_join_folder({{"d/result.txt", text}});
  results.push_back({"d/ior-easy-write.txt", parsed_by(io500_grammar(), source).value().front()});
  const auto joined = io500_joined(results);
  REQUIRE(joined.size() == 1);
  REQUIRE(joined.front().result.fact("mismatch") != nullptr);
  CHECK(joined.front().result.fact("mismatch")->value.find("4242 in ior-easy-write.txt") !=
        std::string::npos);
}
