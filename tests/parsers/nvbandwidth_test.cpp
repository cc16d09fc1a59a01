#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

std::vector<ParsedResult> nvbandwidth_results(const std::string& name) {
  return logs::parsed(logs::fixture("probes/" + name));
}

RuleStatus nvbandwidth_status(const ParsedResult& result, const char* id) {
  return logs::rule(logs::judge(result), id).status;
}

}  // namespace

TEST_CASE("nvbandwidth gives each test's sum, least and largest cell with its unit") {
  const auto results = nvbandwidth_results("nvbandwidth.out");
  REQUIRE(results.size() == 1);
  const ParsedResult& result = results.front();
  CHECK(result.suite == "nvbandwidth");
  CHECK(result.version == "0.8");
  CHECK(result.complete);
  CHECK(logs::parameter(result, "devices") == "2");
  CHECK(logs::parameter(result, "tests") == "3");
  CHECK(logs::metric(result, "device_to_device_memcpy_read_ce_gb_s") == 732.95);
  CHECK(logs::metric(result, "device_to_device_memcpy_read_ce_min_gb_s") == 366.23);
  CHECK(logs::metric(result, "device_to_device_memcpy_read_ce_max_gb_s") == 366.72);
  CHECK(logs::metric(result, "host_device_latency_sm_ns") == 1533.84);
  CHECK(logs::judge(result).validity == Validity::valid);
  CHECK(nvbandwidth_status(result, "NVB-02") == RuleStatus::pass);
  CHECK(nvbandwidth_status(result, "NVB-03") == RuleStatus::pass);
}

TEST_CASE("nvbandwidth's JSON gives what its plain text gives, with more digits") {
  const auto results = nvbandwidth_results("nvbandwidth-json.txt");
  REQUIRE(results.size() == 1);
  const ParsedResult& result = results.front();
  CHECK(result.complete);
  CHECK(result.version == "0.8");
  CHECK(logs::parameter(result, "devices") == "2");
  CHECK(logs::parameter(result, "tests") == "3");
  CHECK(logs::metric(result, "device_to_device_memcpy_read_ce_gb_s") == 732.95);
  CHECK(logs::metric(result, "device_to_device_memcpy_read_ce_min_gb_s") == 366.234);
  CHECK(logs::metric(result, "host_device_latency_sm_max_ns") == 772.58);
  CHECK(logs::judge(result).validity == Validity::valid);
  CHECK(nvbandwidth_status(result, "NVB-02") == RuleStatus::pass);
  CHECK(nvbandwidth_status(result, "NVB-03") == RuleStatus::fail);  // one test was waived
}

TEST_CASE("waived tests of nvbandwidth give no metric and a warning where there are several GPUs") {
  const auto results = nvbandwidth_results("nvbandwidth-waived.out");
  REQUIRE(results.size() == 1);
  CHECK(results[0].complete);
  CHECK(logs::parameter(results[0], "tests") == "2");
  CHECK(nvbandwidth_status(results[0], "NVB-03") == RuleStatus::fail);
  CHECK(logs::judge(results[0]).validity == Validity::valid);
}

TEST_CASE("a test of nvbandwidth that fails makes the run invalid") {
  for (const char* name : {"nvbandwidth-error.out", "nvbandwidth-json-error.txt"}) {
    INFO(name);
    const auto results = nvbandwidth_results(name);
    REQUIRE(results.size() == 1);
    CHECK_FALSE(results[0].complete);
    CHECK(results[0].reason.find("nvbandwidth stopped") != std::string::npos);
    CHECK(results[0].metric("host_to_device_memcpy_ce_gb_s") != nullptr);
    CHECK(nvbandwidth_status(results[0], "NVB-01") == RuleStatus::fail);
    CHECK(logs::judge(results[0]).validity == Validity::invalid);
  }
  // One that this version does not have, and one that ended it.
  for (const char* status : {"\"ERROR\"", "\"Running\""}) {
    INFO(status);
    const auto results =
        logs::parsed(logs::replaced(logs::fixture("probes/nvbandwidth-json.txt"), "\"Waived\"", status));
    REQUIRE(results.size() == 1);
    CHECK(logs::judge(results[0]).validity == Validity::invalid);
  }
}

TEST_CASE("a log of nvbandwidth that breaks off is incomplete") {
  const std::string text = logs::fixture("probes/nvbandwidth.out");
  const auto within = logs::parsed(text.substr(0, text.find("SUM device_to_device")));
  REQUIRE(within.size() == 1);
  CHECK_FALSE(within[0].complete);
  CHECK(within[0].reason.find("device_to_device_memcpy_read_ce has no sum") != std::string::npos);
  CHECK(within[0].metric("device_to_device_memcpy_read_ce_gb_s") == nullptr);
  const auto between = logs::parsed(text.substr(0, text.find("Running host_device")));
  REQUIRE(between.size() == 1);
  CHECK_FALSE(between[0].complete);
  CHECK(nvbandwidth_status(between[0], "NVB-01") == RuleStatus::unknown);
  // Versions before 0.6 print no final NOTE.
  const auto old = logs::parsed(
      logs::replaced(text.substr(0, text.find("Running host_device")), "Version: v0.8", "Version: v0.4"));
  CHECK(old[0].complete);
  const std::string json = logs::fixture("probes/nvbandwidth-json.txt");
  const auto cut = logs::parsed(json.substr(0, json.find("\"host_device_latency_sm\"")));
  REQUIRE(cut.size() == 1);
  CHECK_FALSE(cut[0].complete);
}

TEST_CASE("the sums of nvbandwidth are unknown without a matrix") {
  const auto results = logs::parsed(
      "nvbandwidth Version: v0.4\n\nRunning host_to_device_memcpy_ce.\nSUM host_to_device_memcpy_ce 55.30\n");
  REQUIRE(results.size() == 1);
  CHECK(logs::metric(results[0], "host_to_device_memcpy_ce_gb_s") == 55.3);
  CHECK(nvbandwidth_status(results[0], "NVB-02") == RuleStatus::unknown);
  CHECK(nvbandwidth_status(results[0], "NVB-03") == RuleStatus::unknown);
  CHECK(logs::judge(results[0]).validity == Validity::unknown);
  // One test without its matrix among others is enough.
  std::string text = logs::fixture("probes/nvbandwidth.out");
  const size_t row = text.find(" 0     55.35");
  REQUIRE(row != std::string::npos);
  text.erase(row, text.find('\n', row) - row);
  text = logs::replaced(text, "memcpy_ce 110.72", "memcpy_ce 99999.99");
  CHECK(logs::judge(logs::parsed(text).front()).validity == Validity::unknown);
}

TEST_CASE("a matrix of nvbandwidth of which not all rows are kept is not held against its sum") {
  std::string text = "nvbandwidth Version: v0.4\nDevice 0: GPU\n";
  for (int test = 0; test < 3; ++test) {
    text += "Running t" + std::to_string(test) + ".\nmemcpy (GB/s)\n 0 1\n";
    for (int row = 0; row < 900; ++row) text += " " + std::to_string(row) + " 1.00 1.00\n";
    text += "\nSUM t" + std::to_string(test) + " 1800.00\n";
  }
  const auto results = logs::parsed(text);
  REQUIRE(results.size() == 1);
  CHECK(logs::judge(results[0]).validity == Validity::valid);
  CHECK(nvbandwidth_status(results[0], "NVB-02") == RuleStatus::pass);
  CHECK(results[0].metric("t1_max_gb_s") != nullptr);
  CHECK(results[0].metric("t2_max_gb_s") == nullptr);
}

TEST_CASE("several runs of nvbandwidth in one log are several results") {
  const std::string text = logs::fixture("probes/nvbandwidth.out") +
                           logs::fixture("probes/nvbandwidth-waived.out") +
                           logs::fixture("probes/nvbandwidth-json.txt");
  CHECK(logs::parsed(text).size() == 3);
}

TEST_CASE("a matrix with a rate below 0 is invalid, also where its sum fits") {
  const std::string genuine = logs::fixture("probes/nvbandwidth.out");
  const std::string forged = logs::replaced(logs::replaced(genuine, " 1    366.72 ", " 1   -166.72 "),
                                            "SUM device_to_device_memcpy_read_ce 732.95",
                                            "SUM device_to_device_memcpy_read_ce 199.51");
  const Judged judged = logs::judge(logs::parsed(forged).front());
  CHECK(logs::rule(judged, "NVB-02").status == RuleStatus::fail);
  CHECK(logs::rule(judged, "NVB-02").value == "-166.72");
  CHECK(judged.validity == Validity::invalid);
}
