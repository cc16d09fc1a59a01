#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

std::vector<ParsedResult> stream_results(const std::string& name) {
  return logs::parsed(logs::fixture("probes/" + name));
}

RuleStatus stream_status(const ParsedResult& result, const char* id) {
  return logs::rule(logs::judge(result), id).status;
}

}  // namespace

TEST_CASE("STREAM gives its four rates and what was measured") {
  for (const char* name : {"stream.out", "stream-fortran.out"}) {
    INFO(name);
    const auto results = stream_results(name);
    REQUIRE(results.size() == 1);
    const ParsedResult& result = results.front();
    CHECK(result.suite == "stream");
    CHECK(result.implementation == "stream");
    CHECK(result.complete);
    for (const char* metric : {"copy_mb_s", "scale_mb_s", "add_mb_s", "triad_mb_s"})
      CHECK(result.metric(metric) != nullptr);
    CHECK(logs::parameter(result, "bytes_per_element") == "8");
    CHECK(logs::parameter(result, "times") == "10");
    CHECK(logs::parameter(result, "threads") == "2");
    CHECK(logs::judge(result).validity == Validity::valid);
    CHECK(stream_status(result, "STREAM-01") == RuleStatus::pass);
    CHECK(stream_status(result, "STREAM-02") == RuleStatus::pass);
    CHECK(stream_status(result, "STREAM-03") == RuleStatus::pass);
  }
  CHECK(stream_results("stream.out").front().version == "5.10");
  CHECK(stream_results("stream-fortran.out").front().version == "5.6");
  CHECK(logs::parameter(stream_results("stream.out").front(), "elements") == "2000000");
  CHECK(logs::parameter(stream_results("stream-fortran.out").front(), "elements") == "20000000");
  CHECK(logs::metric(stream_results("stream-fortran.out").front(), "triad_mb_s") == 7373.0);
  CHECK(stream_results("stream-fortran.out").front().metric("triad_mb_s")->line == 27);
}

TEST_CASE("our own STREAM goes by our own name, and its rates follow from its times") {
  const auto results = stream_results("stream-reference.out");
  REQUIRE(results.size() == 1);
  const ParsedResult& result = results.front();
  CHECK(result.implementation == "reference");
  CHECK(result.version == "0.1.0");
  CHECK(result.complete);
  CHECK(logs::parameter(result, "ranks") == "2");
  CHECK(logs::parameter(result, "elements") == "20000000");
  CHECK(result.metric("copy_mb_s") != nullptr);
  CHECK(result.metric("triad_mb_s") != nullptr);
  CHECK(logs::judge(result).validity == Validity::valid);
  for (const char* rule : {"STREAM-01", "STREAM-02", "STREAM-03", "STREAM-04"})
    CHECK(stream_status(result, rule) == RuleStatus::pass);
}

TEST_CASE("a STREAM run whose arrays are wrong is invalid") {
  const auto results = stream_results("stream-failed.out");
  REQUIRE(results.size() == 1);
  CHECK(results[0].complete);
  CHECK(logs::metric(results[0], "triad_mb_s") == 100000);
  CHECK(stream_status(results[0], "STREAM-01") == RuleStatus::fail);
  CHECK(logs::judge(results[0]).validity == Validity::invalid);
}

TEST_CASE("a STREAM report without its validation is incomplete") {
  const std::string text = logs::fixture("probes/stream.out");
  const auto results =
      logs::parsed(text.substr(0, text.find("Solution")) + "srun: error: cn1: task 0: Killed\n");
  REQUIRE(results.size() == 1);
  CHECK_FALSE(results[0].complete);
  CHECK(results[0].metric("triad_mb_s") != nullptr);
  CHECK(results[0].reason.find("task 0: Killed") != std::string::npos);
  CHECK(logs::judge(results[0]).validity == Validity::unknown);
}

TEST_CASE("a STREAM report that does not tell the size of its arrays proves no rate") {
  std::string text = logs::fixture("probes/stream.out");
  const size_t at = text.find("Array size = ");
  REQUIRE(at != std::string::npos);
  text.erase(at, text.find('\n', at) - at);
  const auto results = logs::parsed(text);
  REQUIRE(results.size() == 1);
  CHECK(results[0].metric("triad_mb_s") != nullptr);
  CHECK(stream_status(results[0], "STREAM-01") == RuleStatus::unknown);
  CHECK(logs::judge(results[0]).validity == Validity::unknown);
}

TEST_CASE("a STREAM rate beside a best time of 0 is proved by nothing") {
  const auto with_time = [](const std::string& text, const std::string& elements, const std::string& time) {
    std::string log = text;
    for (const std::string kernel : {"Copy:", "Scale:", "Add:", "Triad:"}) {
      const size_t row = log.find(kernel);
      REQUIRE(row != std::string::npos);
      log.replace(row, log.find('\n', row) - row, kernel + "  20000.0  0.000001  " + time + "  0.000002");
    }
    const size_t at = log.find("Array size = ") + 13;
    log.replace(at, log.find(' ', at) - at, elements);
    const auto results = logs::parsed(log);
    REQUIRE(results.size() == 1);
    return results.front();
  };
  const std::string text = logs::fixture("probes/stream.out");
  const ParsedResult result = with_time(text, "100", "0.000000");
  CHECK(result.complete);
  CHECK(logs::metric(result, "triad_mb_s") == 20000);
  const RuleResult rule = logs::rule(logs::judge(result), "STREAM-02");
  CHECK(rule.status == RuleStatus::unknown);
  CHECK(rule.text == "the best time of copy is printed as 0.000000: no rate follows from it");
  CHECK(stream_status(result, "STREAM-01") == RuleStatus::unknown);
  CHECK(logs::judge(result).validity == Validity::unknown);
  // Half a microsecond is the longest that prints so: in that, 32 MB are more than 20 GB/s.
  const ParsedResult large = with_time(text, "2000000", "0.000000");
  const RuleResult impossible = logs::rule(logs::judge(large), "STREAM-02");
  CHECK(impossible.status == RuleStatus::fail);
  CHECK(impossible.value.find(" bytes in 0.000000 s give at least ") != std::string::npos);
  CHECK(logs::judge(large).validity == Validity::invalid);
  CHECK(stream_status(with_time(text, "100", "-0.001000"), "STREAM-02") == RuleStatus::fail);
  // One row is enough: the report's rates are not all proved.
  std::string one = text;
  const size_t row = one.find("Triad:");
  one.replace(row, one.find('\n', row) - row, "Triad:  9e99  0.000001  0.000000  0.000002");
  CHECK(stream_status(logs::parsed(one).front(), "STREAM-02") == RuleStatus::unknown);
  CHECK(logs::judge(logs::parsed(one).front()).validity == Validity::unknown);
}

TEST_CASE("BabelStream's rates keep the unit that is printed, Mul is Scale") {
  const auto table = stream_results("babelstream.out");
  REQUIRE(table.size() == 1);
  CHECK(table[0].implementation == "babelstream");
  CHECK(table[0].version == "5.0");
  CHECK(logs::parameter(table[0], "model") == "OpenMP");
  for (const char* metric : {"copy_mb_s", "scale_mb_s", "add_mb_s", "triad_mb_s", "dot_mb_s"})
    CHECK(table[0].metric(metric) != nullptr);
  const auto csv = stream_results("babelstream-csv.txt");
  REQUIRE(csv.size() == 1);
  CHECK(csv[0].metric("dot_mb_s") != nullptr);
  CHECK(logs::parameter(csv[0], "elements") == "1048576");
  const auto giga = stream_results("babelstream-gb.out");
  REQUIRE(giga.size() == 1);
  CHECK(giga[0].metric("triad_gb_s") != nullptr);
  CHECK(giga[0].metric("triad_mb_s") == nullptr);
  CHECK(logs::parameter(giga[0], "bytes_per_element") == "4");
  const auto triad = stream_results("babelstream-triad.out");
  REQUIRE(triad.size() == 1);
  CHECK(triad[0].complete);
  CHECK(triad[0].metric("triad_mib_s") != nullptr);
  for (const auto* results : {&table, &csv, &giga, &triad}) {
    CHECK(stream_status(results->front(), "STREAM-02") == RuleStatus::pass);
    CHECK(stream_status(results->front(), "STREAM-01") == RuleStatus::unknown);
  }
}

TEST_CASE("the older BabelStream's MBytes/sec and its failed validation are read") {
  const std::string text =
      "BabelStream\nVersion: 4.0\nImplementation: CUDA\nRunning kernels 100 times\nPrecision: double\n"
      "Array size: 268.4 MB (=0.3 GB)\nTotal size: 805.3 MB (=0.8 GB)\n"
      "Validation failed on sum. Error 1\n"
      "Function    MBytes/sec  Min (sec)   Max         Average     \n"
      "Copy        1341000.500 0.00040     0.00042     0.00041     \n"
      "Dot         1341000.500 0.00040     0.00042     0.00041     \n";
  const auto results = logs::parsed(text);
  REQUIRE(results.size() == 1);
  CHECK(results[0].complete);
  CHECK(logs::parameter(results[0], "times") == "100");
  CHECK(logs::metric(results[0], "copy_mb_s") == 1341000.5);
  CHECK(stream_status(results[0], "STREAM-01") == RuleStatus::fail);
  // The number of elements is not printed, but the size of an array.
  CHECK(stream_status(results[0], "STREAM-02") == RuleStatus::pass);
  for (const auto& [was, is] : {std::pair("1341000.500", "1491000.500"), std::pair("268.4 MB", "298.4 MB")})
    CHECK(stream_status(logs::parsed(logs::replaced(text, was, is)).front(), "STREAM-02") ==
          RuleStatus::fail);
  CHECK(stream_status(logs::parsed(logs::replaced(text, "Array size: 268.4 MB (=0.3 GB)\n", "")).front(),
                      "STREAM-02") == RuleStatus::unknown);
}

TEST_CASE("NVIDIA's STREAM gives its rates, without a check of its own") {
  const auto results = stream_results("nvidia-stream.out");
  REQUIRE(results.size() == 1);
  CHECK(results[0].implementation == "nvidia");
  CHECK(results[0].version == "24.3.0");
  CHECK(logs::parameter(results[0], "elements") == "67108864");
  CHECK(logs::metric(results[0], "triad_mb_s") == 3031456.0437);
  CHECK(results[0].complete);
  CHECK(logs::judge(results[0]).validity == Validity::unknown);
  CHECK(stream_status(results[0], "STREAM-02") == RuleStatus::pass);
}

TEST_CASE("SuperBench's gpu-stream gives each GPU's best rate of all block sizes") {
  const auto results = stream_results("gpu-stream.out");
  REQUIRE(results.size() == 2);
  CHECK(logs::parameter(results[0], "gpu") == "0");
  CHECK(logs::parameter(results[1], "gpu") == "1");
  CHECK(logs::parameter(results[0], "buffer_bytes") == "4294967296");
  CHECK(logs::metric(results[0], "copy_gb_s") == 2990.5);
  CHECK(logs::metric(results[0], "triad_gb_s") == 3038);
  CHECK(results[0].complete);
  CHECK(stream_status(results[0], "STREAM-05") == RuleStatus::pass);
  const std::string text = logs::fixture("probes/gpu-stream.out");
  const auto cut = logs::parsed(text.substr(0, text.rfind("STREAM_TRIAD")));
  REQUIRE(cut.size() == 2);
  CHECK_FALSE(cut[1].complete);
  CHECK(cut[1].metric("triad_gb_s") == nullptr);
  CHECK(cut[1].metric("add_gb_s") != nullptr);
}

TEST_CASE("the rules of STREAM warn of arrays too small to be timed") {
  std::string text = logs::fixture("probes/stream.out");
  CHECK(stream_status(logs::parsed(text).front(), "STREAM-04") == RuleStatus::pass);
  const size_t at = text.find("   (= ") + 3;
  text.replace(at, text.find(" clock ticks", at) - at, "(= 12");
  const auto results = logs::parsed(text);
  CHECK(stream_status(results.front(), "STREAM-04") == RuleStatus::fail);
  CHECK(logs::judge(results.front()).validity == Validity::valid);
}

TEST_CASE("STREAM's arrays must be four times as large as the caches of all nodes that ran") {
  const ParsedResult result = stream_results("stream-reference.out").front();  // 20,000,000 elements
  Case planned;
  planned.hosts = "n1";
  Inventory inventory;
  inventory.groups.resize(1);
  NodeGroup& node = inventory.groups.front();
  node.hosts = "n[1-2]";
  node.usable.cores = 64;
  const auto found = [&] {
    Evidence evidence;
    evidence.result = &result;
    evidence.planned = &planned;
    evidence.inventory = &inventory;
    return logs::rule(judged(evidence), "STREAM-06");
  };
  CHECK(found().status == RuleStatus::unknown);
  node.cpu.caches = {{1, 32768, 64}, {3, 5'000'000, 8}};
  CHECK(found().status == RuleStatus::pass);
  planned.nodes = 2;
  CHECK(found().status == RuleStatus::fail);
  CHECK(found().severity == Severity::validity);
  node.usable.cores = 4;  // reach half of them
  CHECK(found().status == RuleStatus::pass);
  CHECK(stream_status(result, "STREAM-06") == RuleStatus::unknown);
  CHECK(stream_status(stream_results("gpu-stream.out").front(), "STREAM-06") == RuleStatus::not_applicable);
}

TEST_CASE("HPC Challenge's own STREAM section is no STREAM report") {
  for (const ParsedResult& result : stream_results("../hpl/hpcc.txt")) CHECK(result.suite == "hpl");
}
