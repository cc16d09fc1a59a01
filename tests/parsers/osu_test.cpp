#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

std::vector<ParsedResult> osu_results(const std::string& name) {
  return logs::parsed(logs::fixture("probes/" + name));
}

/// A run of osu_bw as the program prints it, up to the largest size of the default.
const std::string bandwidth =
    "# OSU MPI-CUDA Bandwidth Test v5.9\n"
    "# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)\n"
    "# Size      Bandwidth (MB/s)\n"
    "1                       1.25\n"
    "2097152             24612.00\n"
    "4194304             24583.17\n";

}  // namespace

TEST_CASE("a bandwidth test of OSU gives the value of its largest size, and the highest") {
  const auto results = logs::parsed(bandwidth);
  REQUIRE(results.size() == 1);
  const ParsedResult& result = results.front();
  CHECK(result.suite == "osu");
  CHECK(result.version == "5.9");
  CHECK(result.complete);
  CHECK(logs::parameter(result, "benchmark") == "osu_bw");
  CHECK(logs::parameter(result, "accelerator") == "CUDA");
  CHECK(logs::parameter(result, "min_bytes") == "1");
  CHECK(logs::parameter(result, "max_bytes") == "4194304");
  CHECK(logs::metric(result, "bandwidth_mb_s") == 24583.17);
  CHECK(logs::metric(result, "max_bandwidth_mb_s") == 24612);
  CHECK(logs::metric(result, "bandwidth_mb_s_at_min_bytes") == 1.25);
  CHECK(result.metric("bandwidth_mb_s")->line == 6);
}

TEST_CASE("a latency test of OSU gives the value of its smallest size") {
  const auto results = logs::parsed(
      "# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n0                       1.08\n"
      "1                       1.11\n4194304               427.30\n");
  REQUIRE(results.size() == 1);
  CHECK(logs::parameter(results[0], "benchmark") == "osu_latency");
  CHECK(logs::metric(results[0], "latency_us") == 1.08);
  CHECK(logs::metric(results[0], "latency_us_at_max_bytes") == 427.30);
}

TEST_CASE("an OSU table that stops early gives only what no further row could change") {
  for (const char* name : {"osu-latency-cut-off.out"}) {
    const auto results = osu_results(name);
    REQUIRE(results.size() == 1);
    CHECK_FALSE(results[0].complete);
    CHECK(results[0].metrics.size() == 1);
    CHECK(results[0].metric("latency_us") != nullptr);
    CHECK(results[0].reason.find("the table stops at 4096 bytes") != std::string::npos);
  }
  const auto cut = logs::parsed(bandwidth.substr(0, bandwidth.size() - 3));
  REQUIRE(cut.size() == 1);
  CHECK(cut[0].metric("bandwidth_mb_s") == nullptr);
  CHECK(cut[0].metric("max_bandwidth_mb_s") == nullptr);
  CHECK_FALSE(cut[0].complete);
}

TEST_CASE("a shorter table of OSU is whole where another test follows") {
  const auto results = logs::parsed(
      "# OSU MPI Allgather Latency Test v7.4\n# Size       Avg Latency(us)\n1  2.50\n8  2.75\n\n" +
      bandwidth);
  REQUIRE(results.size() == 2);
  CHECK(results[0].complete);
  CHECK(logs::parameter(results[0], "benchmark") == "osu_allgather");
  CHECK(logs::metric(results[0], "latency_us_at_max_bytes") == 2.75);
  CHECK(logs::parameter(results[1], "benchmark") == "osu_bw");
}

TEST_CASE("each data type of an OSU test is a result") {
  const auto results = osu_results("osu-datatypes.out");
  REQUIRE(results.size() == 3);
  CHECK(logs::parameter(results[0], "datatype") == "MPI_CHAR");
  CHECK(logs::parameter(results[1], "datatype") == "MPI_INT");
  CHECK(logs::parameter(results[2], "datatype") == "MPI_FLOAT");
  for (const ParsedResult& result : results) CHECK(result.complete);
}

TEST_CASE("OSU's tables of two to nine columns are read by their header") {
  const auto rate = osu_results("osu-mbw-mr.out");
  REQUIRE(rate.size() == 1);
  CHECK(logs::parameter(rate[0], "pairs") == "1");
  CHECK(logs::parameter(rate[0], "window_size") == "64");
  CHECK(rate[0].metric("messages_s") != nullptr);
  CHECK(rate[0].metric("bandwidth_mb_s") != nullptr);
  const auto full = osu_results("osu-bcast-full.out");
  REQUIRE(full.size() == 1);
  CHECK(full[0].metric("min_latency_us_at_max_bytes") != nullptr);
  CHECK(full[0].metric("max_latency_us_at_max_bytes") != nullptr);
  const auto overlap = osu_results("osu-iallreduce.out");
  REQUIRE(overlap.size() == 1);
  CHECK(overlap[0].metric("overlap_pct_at_max_bytes") != nullptr);
  const auto tail = logs::parsed(
      "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)  P50 Tail Lat(us)  P99 Tail Lat(us)\n"
      "1  1.10  1.05  3.25\n4194304  430.00  428.00  500.25\n");
  REQUIRE(tail.size() == 1);
  CHECK(logs::metric(tail[0], "p99_tail_lat_us_at_max_bytes") == 500.25);
}

TEST_CASE("OSU tests without sizes give their one value") {
  const auto barrier = osu_results("osu-barrier.out");
  REQUIRE(barrier.size() == 1);
  CHECK(barrier[0].complete);
  CHECK(barrier[0].metric("latency_us") != nullptr);
  const auto init = osu_results("osu-init.out");
  REQUIRE(init.size() == 1);
  CHECK(logs::parameter(init[0], "ranks") == "2");
  CHECK(init[0].metric("init_avg_ms") != nullptr);
}

TEST_CASE("data that came back wrong make an OSU test invalid") {
  const auto results = osu_results("osu-allreduce-validation-failed.out");
  REQUIRE(results.size() == 1);
  CHECK(results[0].reason.starts_with("line 14: the data came back wrong"));
  const Judged judged = logs::judge(results[0]);
  CHECK(judged.validity == Validity::invalid);
  CHECK(logs::rule(judged, "OSU-01").status == RuleStatus::fail);
}

TEST_CASE("an OSU test is valid where it checked its data, else unknown") {
  const auto validated = osu_results("osu-bibw-validated.out");
  REQUIRE(validated.size() == 1);
  CHECK(logs::judge(validated[0]).validity == Validity::valid);
  const auto results = osu_results("osu-bw.out");
  REQUIRE(results.size() == 1);
  const Judged judged = logs::judge(results[0]);
  CHECK(judged.validity == Validity::unknown);
  CHECK(logs::rule(judged, "OSU-01").status == RuleStatus::unknown);
  CHECK(logs::rule(judged, "OSU-05").status == RuleStatus::pass);
}

TEST_CASE("the rules of OSU recompute message rates, overlaps and the order of latencies") {
  CHECK(logs::rule(logs::judge(osu_results("osu-mbw-mr.out").front()), "OSU-02").value.ends_with("sizes"));
  CHECK(
      logs::rule(logs::judge(osu_results("osu-bcast-full.out").front()), "OSU-03").value.ends_with("sizes"));
  CHECK(
      logs::rule(logs::judge(osu_results("osu-iallreduce.out").front()), "OSU-04").value.ends_with("sizes"));
  const auto status = [](const std::string& text, const char* id) {
    return logs::rule(logs::judge(logs::parsed(text).front()), id).status;
  };
  const std::string head = "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n";
  CHECK(status(head + "# Size                  MB/s        Messages/s\n4194304  24000.00  5722.05\n",
               "OSU-02") == RuleStatus::pass);
  CHECK(status(head + "# Size                  MB/s        Messages/s\n4194304  29000.00  5722.05\n",
               "OSU-02") == RuleStatus::fail);
  const std::string reduce =
      "# OSU MPI Reduce Latency Test v7.4\n# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  "
      "Iterations\n";
  CHECK(status(reduce + "1048576  1.50  1.40  1.60  20\n", "OSU-03") == RuleStatus::pass);
  CHECK(status(reduce + "1048576  1.30  1.40  1.60  20\n", "OSU-03") == RuleStatus::fail);
  const std::string nonblocking =
      "# OSU MPI Non-blocking Allreduce Latency Test v7.4\n# Size           Overall(us)       Compute(us)    "
      "Pure "
      "Comm.(us)        Overlap(%)\n";
  CHECK(status(nonblocking + "1048576  300.00  200.00  200.00  50.00\n", "OSU-04") == RuleStatus::pass);
  CHECK(status(nonblocking + "1048576  300.00  200.00  200.00  80.00\n", "OSU-04") == RuleStatus::fail);
  // With a communication of 0 any overlap is possible, and another row's proves nothing about it.
  const std::string timeless = "8  300.00  200.00  0.00  99.00\n1048576  300.00  200.00  200.00  50.00\n";
  CHECK(status(nonblocking + timeless, "OSU-04") == RuleStatus::unknown);
  CHECK(status(bandwidth, "OSU-05") == RuleStatus::pass);
  CHECK(status(logs::replaced(bandwidth, "2097152", "8388608"), "OSU-05") == RuleStatus::fail);
}

TEST_CASE("a text that only speaks of OSU is no log of it") {
  CHECK_FALSE(
      parsed_log("See the # OSU micro-benchmarks page.\n# Size Bandwidth (MB/s)\n1 2.0\n").has_value());
}
